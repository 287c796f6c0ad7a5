"""Torch modules for the relative attention of the Music Transformer."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.core.checks import check_flag, check_int

from . import local_attention, relative_attention

__all__ = ["MusicGlobalAttention", "MusicLocalAttention"]


class MusicGlobalAttention(nn.Module):
    """`posenc.music_transformer.relative_attention` with a learned table per head.

    Parameters
    ----------
    num_heads, head_dim : int
        Attention heads, and features of each; at least 1.
    max_len : int
        Longest sequence, in tokens; at least 1.
    causal : bool, default True
        Whether a query sees only the keys up to itself, as in the paper.

    Attributes
    ----------
    table : Parameter of shape (num_heads, max_len, head_dim)
        A vector for each offset from -(max_len - 1) to 0; if not causal 2 * max_len - 1
        of them, up to max_len - 1. Drawn from a normal distribution with standard
        deviation ``head_dim ** -0.5``.
    """

    def __init__(
        self, num_heads: int, head_dim: int, max_len: int, *, causal: bool = True
    ) -> None:
        super().__init__()
        max_len = check_int("max_len", max_len, minimum=1)
        check_flag("causal", causal)
        self.causal = causal
        rows = max_len if causal else 2 * max_len - 1
        self.table = _normal_table(num_heads, rows, head_dim)

    def forward(
        self,
        q: Float[Tensor, "... num_heads seq_len head_dim"],
        k: Float[Tensor, "... num_heads seq_len head_dim"],
        v: Float[Tensor, "... num_heads seq_len value_dim"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "... num_heads seq_len value_dim"]:
        """Attend; `mask` True = may attend, in addition to the causal mask if any."""
        return relative_attention(q, k, v, self.table, causal=self.causal, mask=mask)

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        num_heads, rows, head_dim = self.table.shape
        max_len = rows if self.causal else (rows + 1) // 2
        return f"{num_heads}, {head_dim}, max_len={max_len}, causal={self.causal}"


class MusicLocalAttention(nn.Module):
    """`posenc.music_transformer.local_attention` with a learned table per head.

    Parameters
    ----------
    num_heads, head_dim : int
        Attention heads, and features of each; at least 1.
    block : int
        Tokens per block; at least 1. Sequences must be a multiple of it.

    Attributes
    ----------
    table : Parameter of shape (num_heads, 2 * block, head_dim)
        A vector for each offset from -(2 * block - 1) to 0, drawn as in
        `MusicGlobalAttention`.
    """

    def __init__(self, num_heads: int, head_dim: int, block: int) -> None:
        super().__init__()
        block = check_int("block", block, minimum=1)
        self.block = block
        self.table = _normal_table(num_heads, 2 * block, head_dim)

    def forward(
        self,
        q: Float[Tensor, "... num_heads seq_len head_dim"],
        k: Float[Tensor, "... num_heads seq_len head_dim"],
        v: Float[Tensor, "... num_heads seq_len value_dim"],
    ) -> Float[Tensor, "... num_heads seq_len value_dim"]:
        """Attend to the own block, up to the query itself, and to the block before."""
        return local_attention(q, k, v, self.table, self.block)

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        num_heads, _, head_dim = self.table.shape
        return f"{num_heads}, {head_dim}, block={self.block}"


def _normal_table(num_heads: int, rows: int, head_dim: int) -> nn.Parameter:
    num_heads = check_int("num_heads", num_heads, minimum=1)
    head_dim = check_int("head_dim", head_dim, minimum=1)
    return nn.Parameter(torch.randn(num_heads, rows, head_dim) * head_dim**-0.5)
