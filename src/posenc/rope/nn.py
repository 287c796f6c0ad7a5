"""Torch modules for rotary position embedding."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from posenc.attention import causal_mask, scaled_dot_product_attention
from posenc.core.checks import (
    check_choice,
    check_even,
    check_int,
    check_positive,
    check_shape,
)

from . import Layout, apply_rotary, rotary_angles

__all__ = ["RotaryAttention", "RotaryEmbedding"]


class RotaryEmbedding(nn.Module):
    """`posenc.rope.apply_rotary` at explicit or consecutive positions; no cache.

    Parameters
    ----------
    head_dim : int
        Features per attention head. Even.
    base, layout
        As in `posenc.rope.rotary_angles` and `posenc.rope.apply_rotary`.
    """

    def __init__(
        self, head_dim: int, *, base: float = 10_000.0, layout: Layout = "interleaved"
    ) -> None:
        super().__init__()
        check_even("head_dim", head_dim, remedy="features are rotated in pairs")
        check_positive("base", base)
        check_choice("layout", layout, ("interleaved", "half"))
        self.head_dim, self.base, self.layout = head_dim, base, layout

    def forward(
        self,
        x: Float[Tensor, "batch num_heads seq_len head_dim"],
        *,
        positions: Int[Tensor, "..."] | None = None,
        offset: int = 0,
    ) -> Float[Tensor, "batch num_heads seq_len head_dim"]:
        """Rotate queries or keys; half-precision `x` is rotated in float32.

        Parameters
        ----------
        x : tensor of shape (batch, num_heads, seq_len, head_dim)
            Queries or keys.
        positions : integer tensor of shape (batch, seq_len) or (seq_len,), optional
            Position of every token, for left padding or packed sequences.
        offset : int, default 0
            Position of the first token if `positions` is not given; those of the others
            follow. For decoding with a cache it is the number of keys in the cache.
        """
        check_shape("x", x, ("batch", "num_heads", "seq_len", self.head_dim))
        if positions is None:
            check_int("offset", offset)
            positions = torch.arange(offset, offset + x.shape[-2], device=x.device)
        elif positions.ndim == 2:
            check_shape("positions", positions, (x.shape[0], x.shape[-2]))
            positions = positions[:, None, :]  # one axis for the heads
        dtype = torch.promote_types(x.dtype, torch.float32)
        angles = rotary_angles(positions, self.head_dim, base=self.base, dtype=dtype)
        return apply_rotary(x, angles, layout=self.layout)

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        return f"{self.head_dim}, base={self.base}, layout={self.layout!r}"


class RotaryAttention(nn.Module):
    """Self-attention with rotated queries and keys, and a cache for decoding.

    Parameters
    ----------
    d_model : int
        Features of a token; ``d_model / num_heads`` must be an even integer.
    num_heads : int
        Attention heads.
    base, layout
        As in `RotaryEmbedding`.
    causal : bool, default True
        Whether each token attends only to itself and to those before it in memory.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        base: float = 10_000.0,
        layout: Layout = "interleaved",
        causal: bool = True,
    ) -> None:
        super().__init__()
        check_int("num_heads", num_heads, minimum=1)
        check_int("d_model", d_model, minimum=1)
        if d_model % num_heads:
            msg = f"d_model must be a multiple of num_heads={num_heads}, got {d_model}"
            raise ValueError(msg)
        self.num_heads, self.causal = num_heads, causal
        self.rotary = RotaryEmbedding(d_model // num_heads, base=base, layout=layout)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(
        self,
        x: Float[Tensor, "batch seq_len d_model"],
        *,
        positions: Int[Tensor, "..."] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        past: tuple[Tensor, Tensor] | None = None,
    ) -> tuple[Float[Tensor, "batch seq_len d_model"], tuple[Tensor, Tensor]]:
        """Attend to the tokens of `x` and of the cache.

        Parameters
        ----------
        x : tensor of shape (batch, seq_len, d_model)
            New tokens.
        positions : integer tensor of shape (batch, seq_len) or (seq_len,), optional
            Position of every *new* token. If not given they count on from the length
            of the cache. With left padding that count includes the padding: harmless,
            as only offsets matter, as long as *all* calls count in the same way.
        mask : bool tensor that broadcasts to (batch, num_heads, seq_len, k_len)
            True = may attend; for padding, and for packed sequences (which must not
            see each other). Applied on top of the causal one.
        past : pair of tensors (batch, num_heads, past_len, head_dim), optional
            Keys, already rotated, and values of earlier calls.

        Returns
        -------
        tensor of shape (batch, seq_len, d_model), and the pair to pass as `past` next
            A token that may attend to nothing gets zeros from the attention.
        """
        offset = 0 if past is None else past[0].shape[-2]
        heads = self.qkv(x).unflatten(-1, (3, self.num_heads, -1))
        q, k, v = heads.movedim(-3, 0).transpose(-3, -2)  # (B, H, L, D) each
        q, k = (self.rotary(t, positions=positions, offset=offset) for t in (q, k))
        if past is not None:
            k, v = torch.cat([past[0], k], dim=-2), torch.cat([past[1], v], dim=-2)
        mask = self._combine(mask, q, k, offset)
        mixed = scaled_dot_product_attention(q, k, v, mask=mask)
        return self.out(mixed.transpose(-3, -2).flatten(-2)), (k, v)

    def _combine(
        self, mask: Tensor | None, q: Tensor, k: Tensor, offset: int
    ) -> Tensor | None:
        """Mask given by the caller and, if wanted, the causal one."""
        if not self.causal:
            return mask
        causal: Tensor = causal_mask(
            q.shape[-2], k.shape[-2], q_offset=offset, xp=torch, device=q.device
        )
        return causal if mask is None else causal & mask

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        return f"{self.out.out_features}, {self.num_heads}, causal={self.causal}"
