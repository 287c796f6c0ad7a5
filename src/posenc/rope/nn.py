"""Torch modules for rotary position embedding."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from posenc.attention import causal_mask
from posenc.attention.nn import OLD_END, extend_cache
from posenc.core.checks import (
    TURNING,
    check_choice,
    check_even,
    check_flag,
    check_heads,
    check_int,
    check_integral,
    check_mask,
    check_namespace,
    check_number,
    check_numbers,
    check_offset,
    check_positive,
    check_shape,
    check_tensor,
    check_weights_dtype,
)
from posenc.core.dtypes import is_plain, is_traced, is_wrapped, wide_device

from . import Layout, rotary_angles, rotary_factors
from .turns import _rotate_real, rotate_table, turning_table

__all__ = ["RotaryAttention", "RotaryEmbedding"]


class RotaryEmbedding(nn.Module):
    """`posenc.rope.apply_rotary` at explicit or consecutive positions.

    Cosines and sines of consecutive positions are kept in a table, which grows with the
    sequences, follows `x` to its device and dtype, and is in no ``state_dict``. Layers
    that hold the same module share it.

    Parameters
    ----------
    head_dim : int
        Features per attention head. Even.
    base, layout
        As in `posenc.rope.rotary_angles` and `posenc.rope.apply_rotary`.
    frequencies : sequence or array of floats, optional
        Radians per token of each pair, instead of those of `base`: from
        `posenc.rope.llama3_frequencies` or another rule.
    rotary_dim : int, optional
        Number of features, from the first on, to rotate; all of them by default. In
        configurations it is ``int(head_dim * partial_rotary_factor)``.
    attention_factor : float, default 1.0
        Multiplies what is rotated: `posenc.rope.yarn_attention_factor`. Its size is
        below 2**64.
    table_len : int, default 16,384
        Positions that the table may hold; those beyond are computed at each call.
    """

    def __init__(
        self,
        head_dim: int,
        *,
        base: float = 10_000.0,
        layout: Layout = "interleaved",
        frequencies: Sequence[float] | Any | None = None,
        rotary_dim: int | None = None,
        attention_factor: float = 1.0,
        table_len: int = 16_384,
    ) -> None:
        super().__init__()
        head_dim = check_even(
            "head_dim", head_dim, remedy="features are rotated in pairs"
        )
        check_positive("base", base)
        check_choice("layout", layout, ("interleaved", "half"))
        attention_factor = check_number(
            "attention_factor",
            attention_factor,
            below=2.0**64,  # the root of what float32 holds, as for scores
            remedy="yarn_attention_factor gives YaRN's",
        )
        table_len = check_int("table_len", table_len)
        self.head_dim, self.base, self.layout = head_dim, base, layout
        self.rotary_dim = _check_rotary_dim(rotary_dim, self.head_dim)
        # Numbers, which no cast of the module's parameters rounds.
        given = (
            None if frequencies is None else check_numbers("frequencies", frequencies)
        )
        self.frequencies = given
        self.attention_factor, self.table_len = float(attention_factor), table_len
        self._table: tuple[Tensor, ...] = ()
        self._kind: tuple[torch.dtype, torch.device] | None = None  # of the table
        self._angles(torch.arange(1))  # the first error is raised here, not in training

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
            Queries or keys. Transpose flash-attention's order of axes, (batch, seq_len,
            num_heads, head_dim). No check notices it, and heads would be turned by
            their number.
        positions : integer tensor of shape (batch, seq_len) or (seq_len,), optional
            Position of every token, for left padding or packed sequences.
        offset : int, default 0
            Position of the first token if `positions` is not given; those of the others
            follow. For decoding with a cache it is the number of keys in the cache.
        """
        check_tensor("x", x, ("batch", "num_heads", "seq_len", self.head_dim))
        table = self._rows(x, positions, offset)
        return self._turn(x, table)

    def rotate(
        self,
        q: Float[Tensor, "batch num_heads seq_len head_dim"],
        k: Float[Tensor, "batch num_kv_heads seq_len head_dim"],
        *,
        positions: Int[Tensor, "..."] | None = None,
        offset: int = 0,
    ) -> tuple[
        Float[Tensor, "batch num_heads seq_len head_dim"],
        Float[Tensor, "batch num_kv_heads seq_len head_dim"],
    ]:
        """Rotate queries and keys of the same tokens, with angles made once.

        Parameters
        ----------
        q, k : tensors of shape (batch, num_heads, seq_len, head_dim)
            Queries and keys; keys may have fewer heads.
        positions, offset
            As in `forward`.
        """
        check_shape("q", q, ("batch", "num_heads", "seq_len", self.head_dim))
        check_shape("k", k, (q.shape[0], "num_kv_heads", q.shape[-2], self.head_dim))
        table = self._rows(q, positions, offset)
        return self._turn(q, table), self._turn(k, table)

    def _rows(
        self, x: Tensor, positions: Tensor | None, offset: int
    ) -> tuple[Tensor, ...]:
        """Return rows of the table for the tokens of `x`, or new rows."""
        length = x.shape[-2]
        if positions is None:
            if not is_traced(x):  # reading a size that torch keeps open would fix it
                offset = check_offset("offset", offset, far=TURNING)
                if offset + length <= self.table_len and is_plain(x):
                    table = self._table_for(x, offset + length)
                    return tuple(rows[offset : offset + length] for rows in table)
            positions = torch.arange(offset, offset + length, device=x.device)
        else:
            check_integral("positions", positions)
            check_namespace(x=x, positions=positions)
            if positions.ndim == 2:
                check_shape("positions", positions, (x.shape[0], length))
                positions = positions[:, None, :]  # one axis for the heads
            else:
                check_shape("positions", positions, (length,))
        dtype = torch.promote_types(x.dtype, torch.float32)
        return self._made(positions, dtype)

    def _table_for(self, x: Tensor, length: int) -> tuple[Tensor, ...]:
        """Return rows for the positions 0 to `length` at least; make missing ones."""
        wide = torch.float64 if x.dtype == torch.float64 else torch.float32
        table, kind = self._table, (wide, x.device)
        if self._kind != kind or table[0].shape[0] < length:
            longer = min(self.table_len, 1 << max(length - 1, 63).bit_length())
            with torch.inference_mode(False), torch.no_grad():
                table = self._made(torch.arange(longer, device=x.device), wide)
            if not is_wrapped(*table):  # what a transform wraps ends with it
                self._table, self._kind = table, kind
        return table

    def _made(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, ...]:
        angles = self._angles(positions, dtype)
        if is_traced(angles):
            return (angles,)
        scale = torch.full_like(angles, self.attention_factor)
        return turning_table(rotary_factors(angles, pair_scale=scale), self.layout)

    def _angles(self, positions: Tensor, dtype: torch.dtype | None = None) -> Tensor:
        theta = None
        if self.frequencies is not None:
            theta = positions.new_tensor(
                self.frequencies,
                dtype=torch.float64,
                device=wide_device(torch, positions.device),
            )
        angles: Tensor = rotary_angles(
            positions, self.rotary_dim, base=self.base, frequencies=theta, dtype=dtype
        )
        return angles

    def _turn(self, x: Tensor, table: tuple[Tensor, ...]) -> Tensor:
        """Turn the first features of `x`; under torch.compile by the real form."""
        first = x if self.rotary_dim == self.head_dim else x[..., : self.rotary_dim]
        if is_traced(x):
            turned = _rotate_real(first, table[0], self.layout, self.attention_factor)
        else:
            turned = rotate_table(first, table, self.layout)
        if first is x:
            return turned
        return torch.cat([turned, x[..., self.rotary_dim :]], dim=-1)

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        shown = f"{self.head_dim}, base={self.base}, layout={self.layout!r}"
        if self.frequencies is not None:
            shown += f", {len(self.frequencies)} frequencies"
        if self.rotary_dim != self.head_dim:
            shown += f", rotary_dim={self.rotary_dim}"
        return shown


def _check_rotary_dim(rotary_dim: int | None, head_dim: int) -> int:
    """Return the number of features to rotate: `rotary_dim`, by default `head_dim`."""
    if rotary_dim is None:
        return head_dim
    rotary_dim = check_even(
        "rotary_dim", rotary_dim, remedy="features are rotated in pairs"
    )
    if rotary_dim > head_dim:
        msg = f"rotary_dim must be at most head_dim={head_dim}, got {rotary_dim}"
        raise ValueError(msg)
    return rotary_dim


class RotaryAttention(nn.Module):
    """Self-attention with rotated queries and keys, and a cache for decoding.

    PyTorch's fused attention does the rest.

    Parameters
    ----------
    d_model : int
        Features of a token; ``d_model / num_heads`` must be an even integer.
    num_heads : int
        Attention heads.
    base, layout
        As in `RotaryEmbedding`.
    causal : bool, default True
        True if each token attends only to itself and to those before it in memory.
    rotary : RotaryEmbedding, optional
        The embedding to use, instead of one with `base` and `layout`: for frequencies
        of a checkpoint, and for one table that all layers share.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        base: float = 10_000.0,
        layout: Layout = "interleaved",
        causal: bool = True,
        rotary: RotaryEmbedding | None = None,
    ) -> None:
        super().__init__()
        num_heads = check_heads(num_heads)
        d_model = check_int("d_model", d_model, minimum=1)
        check_flag("causal", causal)
        if d_model % num_heads:
            msg = f"d_model must be a multiple of num_heads={num_heads}, got {d_model}"
            raise ValueError(msg)
        self.num_heads, self.causal = num_heads, causal
        head_dim = d_model // num_heads
        if rotary is None:
            rotary = RotaryEmbedding(head_dim, base=base, layout=layout)
        have = getattr(rotary, "head_dim", None)
        if have != head_dim:
            msg = (
                f"rotary must be for heads of {head_dim} features, "
                f"got {rotary!r}: give a RotaryEmbedding"
            )
            raise ValueError(msg)
        self.rotary = rotary
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(
        self,
        x: Float[Tensor, "batch seq_len d_model"],
        *,
        positions: Int[Tensor, "..."] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        past: tuple[Tensor, ...] | None = None,
    ) -> tuple[Float[Tensor, "batch seq_len d_model"], tuple[Tensor, Tensor, Tensor]]:
        """Attend to the tokens of `x` and of the cache.

        Parameters
        ----------
        x : tensor of shape (batch, seq_len, d_model)
            New tokens.
        positions : integer tensor of shape (batch, seq_len) or (seq_len,), optional
            Position of every *new* token. If not given they count on from the last ones
            of the call that returned `past`, or from 0. Only offsets matter, as long as
            all calls count alike: with or without the padding on the left.
        mask : bool tensor that broadcasts to (batch, num_heads, seq_len, k_len)
            True = may attend; for padding, and for packed sequences (which must not
            see each other). Applied on top of the causal one. One of shape (batch,
            seq_len) goes in as ``mask[:, None, None, :]``: bare, with as many
            sequences as tokens, it is taken for one of queries and keys.
        past : three tensors, optional
            Result of an earlier call: keys, already rotated, and values, of shape
            (batch, num_heads, past_len, head_dim), and the position that comes next, of
            shape (batch, 1, 1, 1), on the CPU if no `positions` were given. Drop old
            keys as you like, ``part[..., -window:, :]``: that leaves the third as it
            is. To take back the newest n tokens, drop their keys and values and
            subtract n from the third. Keys and values alone need `positions`.

        Returns
        -------
        tensor of shape (batch, seq_len, d_model), and the three to pass as `past` next
            A token that may attend to nothing gets zeros from the attention.
        """
        check_tensor("x", x, ("batch", "seq_len", self.out.in_features))
        check_weights_dtype("x", x, self.qkv)
        offset, first, cached = 0, 0, None
        if past is not None:  # before anything is rotated by its length
            shape = (x.shape[0], self.num_heads, "past_len", self.rotary.head_dim)
            _check_past(past, shape, positions)
            cached, offset = (past[0], past[1]), past[0].shape[-2]
            if positions is None:
                positions, first = _count_on(past[2], x)
        heads = self.qkv(x).unflatten(-1, (3, self.num_heads, -1))
        q, k, v = heads.movedim(-3, 0).transpose(-3, -2)  # (B, H, L, D) each
        q, k = self.rotary.rotate(q, k, positions=positions, offset=first)
        k, v = extend_cache(cached, k, v)
        mixed = self._attend(q, k, v, mask, offset)
        out = self.out(mixed.transpose(-3, -2).flatten(-2))
        return out, (k, v, _following(positions, first, x))

    def _attend(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, offset: int
    ) -> Tensor:
        """Attend by the fused kernel, with a mask only where no option replaces it."""
        if mask is not None:
            check_mask(mask, (*q.shape[:-1], k.shape[-2]))
            mask = mask.expand(k.shape[-2]) if mask.ndim == 0 else mask
            mask = mask[None] if mask.ndim == 1 else mask  # the kernel needs two axes
        if not self.causal:
            return scaled_dot_product_attention(q, k, v, attn_mask=mask)
        if mask is None and offset == 0:
            return scaled_dot_product_attention(q, k, v, is_causal=True)
        if q.shape[-2] != 1:  # the last token sees all that are in the cache
            causal: Tensor = causal_mask(
                q.shape[-2], k.shape[-2], q_offset=offset, xp=torch, device=q.device
            )
            mask = causal if mask is None else causal & mask
        return scaled_dot_product_attention(q, k, v, attn_mask=mask)

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        return f"{self.out.out_features}, {self.num_heads}, causal={self.causal}"


def _check_past(past: Any, shape: tuple[Any, ...], positions: Tensor | None) -> None:
    """Raise unless `past` has keys, values and, without `positions`, the next one."""
    remedy = "pass what this module returned"
    if not isinstance(past, tuple | list) or len(past) not in (2, 3):
        rule = "past must be three tensors: keys, values and the next position"
        msg = f"{rule}, got a {type(past).__name__}: {remedy}"
        raise TypeError(msg)
    for part in past[:2]:
        check_tensor("past", part, shape)
    if len(past) == 3:
        check_integral("past[2]", past[2])
        check_shape("past[2]", past[2], (shape[0], 1, 1, 1), f"{remedy}; {OLD_END}")
    elif positions is None:
        msg = (
            "past must end with the next position, got keys and values alone, which "
            f"may have been cropped: {remedy}, or give positions"
        )
        raise ValueError(msg)


def _count_on(start: Tensor, x: Tensor) -> tuple[Tensor | None, int]:
    """Return positions for `x`, or None and the first one if all sequences share it.

    It is read from the CPU's memory alone, since other devices would have to wait.
    """
    unknown = is_traced(x) or is_wrapped(start) or not is_plain(start)
    if start.device.type == "cpu" and not unknown:
        numbers = set(start.flatten().tolist())
        if len(numbers) == 1:
            return None, numbers.pop()
    steps = torch.arange(x.shape[-2], device=x.device)
    return start[..., 0, 0].to(x.device) + steps, 0


def _following(positions: Tensor | None, first: int, x: Tensor) -> Tensor:
    """Return the position after each sequence's last one: int64 (batch, 1, 1, 1)."""
    batch, length = x.shape[:2]
    if positions is None:
        return torch.full((batch, 1, 1, 1), first + length, dtype=torch.int64)
    last = positions[..., -1:].to(torch.int64)
    return (last + 1).expand(batch, last.shape[-1])[..., None, None]
