"""Torch module for linear attention, with optional rotation and decay."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from posenc.attention.nn import MultiHeadAttention
from posenc.core.checks import check_choice, check_even, check_int, check_positive
from posenc.rope import Layout, rotary_angles

from . import FeatureMap, elu_plus_one, linear_attention
from .checks import check_decay

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
        chunk_size: int = 128,
    ) -> None:
        super().__init__()
        self.heads = MultiHeadAttention(d_model, num_heads)
        self.head_dim = d_model // num_heads
        check_int("chunk_size", chunk_size, minimum=1)
        check_choice("layout", layout, ("interleaved", "half"))
        if base is not None:
            check_positive("base", base)
            check_even("head_dim", self.head_dim, remedy="features turn in pairs")
        if decay is not None:
            check_decay(self._as_tensor(decay), causal=causal, batch=(num_heads,))
        self.causal, self.feature_map = causal, feature_map
        self.base, self.layout, self.decay = base, layout, decay
        self.rotate_denominator, self.chunk_size = rotate_denominator, chunk_size

    def forward(
        self, x: Float[Tensor, "... seq_len d_model"]
    ) -> Float[Tensor, "... seq_len d_model"]:
        """Attend from the tokens of `x` to each other."""
        out = linear_attention(
            *self.heads.project(x),
            causal=self.causal,
            feature_map=self.feature_map,
            angles=self._angles(x),
            layout=self.layout,
            rotate_denominator=self.rotate_denominator,
            decay=self._as_tensor(self.decay, device=x.device),
            chunk_size=self.chunk_size,
        )
        return self.heads.merge(out)

    def _angles(self, x: Tensor) -> Tensor | None:
        """Angles of positions 0, 1, … for the tokens of `x`, or None."""
        if self.base is None:
            return None
        dtype = torch.promote_types(x.dtype, torch.float32)
        positions = torch.arange(x.shape[-2], dtype=dtype, device=x.device)
        angles: Tensor = rotary_angles(positions, self.head_dim, base=self.base)
        return angles

    @staticmethod
    def _as_tensor(
        decay: Sequence[float] | None, device: torch.device | str = "cpu"
    ) -> Tensor | None:
        """The factors in float64: no cast of the module may round them towards 1."""
        if decay is None:
            return None
        return torch.as_tensor(decay, dtype=torch.float64, device=device)

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        return (
            f"causal={self.causal}, base={self.base}, layout={self.layout!r}, "
            f"decay={self.decay}, chunk_size={self.chunk_size}"
        )
