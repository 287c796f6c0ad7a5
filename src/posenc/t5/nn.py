"""Torch module for T5's relative position bias."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from posenc.core.checks import check_heads

from . import bucket_starts, relative_position_bias

__all__ = ["RelativePositionBias"]


class RelativePositionBias(nn.Module):
    """`posenc.t5.relative_position_bias` with a learned table, shared by all layers.

    Parameters
    ----------
    num_heads : int
        Attention heads; each has a scalar of its own in every bucket.
    bidirectional, num_buckets, max_distance
        As in `posenc.t5.bucket_starts`. T5 uses True in its encoder and False in its
        decoder.

    Attributes
    ----------
    table : Parameter of shape (num_buckets, num_heads)
        Drawn from a normal distribution with standard deviation
        ``(64 * num_heads) ** -0.5``: T5's own, since its heads have 64 features.
    """

    def __init__(
        self,
        num_heads: int,
        *,
        bidirectional: bool = True,
        num_buckets: int = 32,
        max_distance: int = 128,
    ) -> None:
        super().__init__()
        num_heads = check_heads(num_heads)
        self.bidirectional, self.max_distance = bidirectional, max_distance
        bucket_starts(  # refuse an impossible setting now, not in the first forward
            bidirectional=bidirectional,
            num_buckets=num_buckets,
            max_distance=max_distance,
        )
        std = (64 * num_heads) ** -0.5
        self.table = nn.Parameter(torch.randn(int(num_buckets), num_heads) * std)

    def forward(
        self, q_len: int, k_len: int, *, q_offset: int = 0
    ) -> Float[Tensor, "num_heads {q_len} {k_len}"]:
        """Return the bias to add to the scores before the softmax, without scaling.

        `MultiHeadAttention` takes it as it is; torch's fused attention is fast with
        ``bias[None]`` only.
        """
        return relative_position_bias(
            self.table,
            q_len,
            k_len,
            bidirectional=self.bidirectional,
            max_distance=self.max_distance,
            q_offset=q_offset,
        )

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        num_buckets, num_heads = self.table.shape
        return (
            f"{num_heads}, bidirectional={self.bidirectional}, "
            f"num_buckets={num_buckets}, max_distance={self.max_distance}"
        )
