"""Torch module for linear attention, with optional rotation and decay."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from posenc.attention.nn import MultiHeadAttention, check_cache
from posenc.core.checks import (
    check_callable,
    check_choice,
    check_even,
    check_flag,
    check_int,
    check_integral,
    check_namespace,
    check_numbers,
    check_positive,
    check_shape,
)
from posenc.core.dtypes import wide_dtype
from posenc.rope import Layout, rotary_angles

from . import (
    FeatureMap,
    State,
    elu_plus_one,
    linear_attention,
    linear_attention_with_state,
)
from .checks import check_decay
from .state import CHUNK_SIZE

__all__ = ["LinearAttention"]


class LinearAttention(nn.Module):
    """`posenc.linear_attention.linear_attention` between four projections.

    Parameters
    ----------
    d_model, num_heads
        As in `MultiHeadAttention`.
    causal, feature_map, layout, rotate_denominator, chunk_size
        As in `posenc.linear_attention.linear_attention`.
    base : float, optional
        If given, features are rotated by ``posenc.rope.rotary_angles(..., base=base)``.
        The feature map must keep the head dimension then, as the default does.
    decay : sequence of num_heads floats in (0, 1], optional
        Factor of each head's state per token, not learned; ``exp(-slope)`` for the
        slopes of ALiBi. Needs `causal`.

    Attributes
    ----------
    heads : MultiHeadAttention
        The projections, and how features are laid out in heads.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        causal: bool = False,
        feature_map: FeatureMap = elu_plus_one,
        base: float | None = None,
        layout: Layout = "interleaved",
        rotate_denominator: bool = False,
        decay: Sequence[float] | None = None,
        chunk_size: int = CHUNK_SIZE,
    ) -> None:
        super().__init__()
        self.heads = MultiHeadAttention(d_model, num_heads)
        self.head_dim = d_model // num_heads
        check_flag("causal", causal)
        check_flag("rotate_denominator", rotate_denominator)
        check_choice("layout", layout, ("interleaved", "half"))
        if base is not None:
            check_positive("base", base)
            check_even("head_dim", self.head_dim, remedy="features turn in pairs")
        if decay is not None:
            check_decay(self._as_tensor(decay), causal=causal, batch=(num_heads,))
        check_callable("feature_map", feature_map, "such as elu_plus_one")
        self.causal, self.feature_map = causal, feature_map
        self.base, self.layout, self.decay = base, layout, decay
        self.rotate_denominator = rotate_denominator
        self.chunk_size = check_int("chunk_size", chunk_size, minimum=1)

    def forward(
        self,
        x: Float[Tensor, "... seq_len d_model"],
        *,
        positions: Int[Tensor, "..."] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        past: State | None = None,
        use_cache: bool = False,
    ) -> (
        Float[Tensor, "... seq_len d_model"]
        | tuple[Float[Tensor, "... seq_len d_model"], State]
    ):
        """Attend from the tokens of `x` to each other, and to those of earlier calls.

        Parameters
        ----------
        x : tensor of shape (..., seq_len, d_model)
            New tokens.
        positions : integer tensor of shape (batch, seq_len) or (seq_len,), optional
            Position of every new token, where features are rotated. If not given they
            count on from the number of tokens that `past` has read.
        mask : bool tensor that broadcasts to (..., num_heads, 1, seq_len), optional
            True = may be attended, for all tokens alike. Padding of shape (batch,
            seq_len) is ``mask[:, None, None, :]``. It is for new tokens; `past` is
            without those that were hidden before.
        past : State, optional
            Result of an earlier call, to read a prompt and then decode token by
            token gives what the whole sequence gives. Needs `causal`.
        use_cache : bool, default False
            True to return the state too. Needs `causal`.

        Returns
        -------
        tensor of shape (..., seq_len, d_model), with `use_cache` and the State to pass
        as `past` next
        """
        check_cache(self.causal, past, use_cache)
        given: Any = past
        if past is not None and not isinstance(given, State):
            msg = f"past must be a State, got {past!r}: pass what this module returned"
            raise TypeError(msg)
        q, k, v = self.heads.project(x)
        options: dict[str, Any] = {
            "feature_map": self.feature_map,
            "angles": self._angles(x, positions, past),
            "layout": self.layout,
            "mask": mask,
            "rotate_denominator": self.rotate_denominator,
            "chunk_size": self.chunk_size,
        }
        if not self.causal:
            return self.heads.merge(linear_attention(q, k, v, **options))
        decay = self._as_tensor(self.decay, device=x.device)
        out, state = linear_attention_with_state(q, k, v, past, decay=decay, **options)
        return (self.heads.merge(out), state) if use_cache else self.heads.merge(out)

    def _angles(
        self, x: Tensor, positions: Tensor | None, past: State | None
    ) -> Tensor | None:
        """Return the angles of the tokens of `x`, or None if nothing is rotated."""
        if self.base is None:
            return None
        if positions is None:
            positions = torch.arange(x.shape[-2], device=x.device)
            if past is not None:
                positions = positions + past.length
        else:
            check_integral("positions", positions)
            check_namespace(x=x, positions=positions)
            check_shape("positions", positions, (x.shape[-2],))
            if positions.ndim > 1:
                positions = positions[..., None, :]  # one axis for the heads
        dtype = torch.promote_types(x.dtype, torch.float32)
        return rotary_angles(positions, self.head_dim, base=self.base, dtype=dtype)

    @staticmethod
    def _as_tensor(
        decay: Sequence[float] | None, device: torch.device | str = "cpu"
    ) -> Tensor | None:
        """Return the factors in a wide dtype that no cast of the module rounds to 1."""
        if decay is None:
            return None
        numbers = check_numbers("decay", decay)
        return torch.tensor(numbers, dtype=wide_dtype(torch, device), device=device)

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        return (
            f"causal={self.causal}, base={self.base}, layout={self.layout!r}, "
            f"decay={self.decay}, chunk_size={self.chunk_size}"
        )
