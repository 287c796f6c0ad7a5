"""Torch modules for the relative attention of the Music Transformer."""

from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.attention.nn import OLD_END, check_cache, extend_cache
from posenc.core.checks import (
    check_attention,
    check_flag,
    check_heads,
    check_int,
    check_shape,
)

from . import local_attention, relative_attention
from .scores import check_keys

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
        True if a query sees only the keys up to itself, as in the paper.

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
        past: tuple[Tensor, Tensor] | None = None,
        use_cache: bool = False,
    ) -> (
        Float[Tensor, "... num_heads seq_len value_dim"]
        | tuple[Float[Tensor, "... num_heads seq_len value_dim"], tuple[Tensor, Tensor]]
    ):
        """Attend from the tokens to each other, and to those of earlier calls.

        Parameters
        ----------
        q, k, v : tensors of shape (..., num_heads, seq_len, head_dim)
            Queries, keys and values of the same tokens.
        mask : bool tensor that broadcasts to (..., num_heads, seq_len, k_len), optional
            True = may attend, in addition to the causal mask if any. The keys of `past`
            count.
        past, use_cache
            As in `MultiHeadAttention`. They need `causal`, and max_len tokens at most.

        Returns
        -------
        tensor (..., num_heads, seq_len, value_dim), with `use_cache` and the pair
        """
        check_cache(self.causal, past, use_cache)
        check_attention(q, k, v)
        k, v = extend_cache(past, k, v)
        out = relative_attention(q, k, v, self.table, causal=self.causal, mask=mask)
        return (out, (k, v)) if use_cache else out

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
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
        Tokens per block; at least 1. Sequences must be a multiple of it: an exported
        length is ``block * torch.export.Dim("blocks", min=2)``.

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
        *,
        past: tuple[Tensor, ...] | None = None,
        use_cache: bool = False,
    ) -> (
        Float[Tensor, "... num_heads seq_len value_dim"]
        | tuple[Float[Tensor, "... num_heads seq_len value_dim"], tuple[Tensor, ...]]
    ):
        """Attend to the own block, up to the query itself, and to the block before.

        Parameters
        ----------
        q, k, v : tensors of shape (..., num_heads, seq_len, head_dim)
            Queries, keys and values of the same tokens. With `past` or `use_cache` any
            number of them; else a multiple of `block`.
        past : three tensors, optional
            Result of an earlier call: keys and values, of shape (..., num_heads,
            past_len, head_dim), and ones of shape (..., 1, 1, n), for the n tokens of
            the unfinished block. Drop old keys as you like, ``part[..., -window:, :]``:
            that leaves the third as it is. Do not drop the newest, since no check
            notices that. Keys and values alone do not show where blocks begin, and are
            enough only if `block` is 1.
        use_cache : bool, default False
            True to return the three to pass as `past` next, too. They hold less than
            two blocks, however long the sequence.

        Returns
        -------
        tensor (..., num_heads, seq_len, value_dim), with `use_cache` and the three
        """
        check_flag("use_cache", use_cache)
        if past is None and not use_cache:
            return local_attention(q, k, v, self.table, self.block)
        check_keys(q, k)
        check_attention(q, k, v)
        new, block, batch = q.shape[-2], self.block, q.shape[:-3]
        unfinished = _unfinished(past, block, batch)
        k, v = extend_cache(None if past is None else (past[0], past[1]), k, v)
        # The count starts where a block begins, though the cache may begin in it.
        dropped = (unfinished - (k.shape[-2] - new)) % block
        length = dropped + k.shape[-2]
        first, pieces = length - new, list[Tensor]()
        while first < length or not pieces:  # a block of queries at a time
            own = first // block * block
            last = min(own + block, length)
            seen = slice(max(own - block - dropped, 0), last - dropped)
            queries = q[..., first - length + new : last - length + new, :]
            window = k[..., seen, :], v[..., seen, :]
            pieces.append(relative_attention(queries, *window, self.table))
            first = last
        out = torch.cat(pieces, dim=-2)
        start = max((length // block - 1) * block - dropped, 0)  # the next may see them
        third = k.new_ones((*batch, 1, 1, length % block))
        cache = k[..., start:, :], v[..., start:, :], third
        return (out, cache) if use_cache else out

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        num_heads, _, head_dim = self.table.shape
        return f"{num_heads}, {head_dim}, block={self.block}"


def _unfinished(past: Any, block: int, batch: tuple[int, ...]) -> int:
    """Return the number of tokens in the unfinished block; raise if `past` is wrong."""
    if past is None:
        return 0
    remedy = "pass what this module returned"
    if not isinstance(past, tuple | list) or len(past) not in (2, 3):
        rule = "past must be three tensors: keys, values and the unfinished block"
        msg = f"{rule}, got a {type(past).__name__}: {remedy}"
        raise TypeError(msg)
    if len(past) == 2:
        if block == 1:
            return 0
        msg = (
            "past must end with the unfinished block, got keys and values alone, which "
            f"may have been cropped: {remedy}"
        )
        raise ValueError(msg)
    check_shape("past[2]", past[2], (*batch, 1, 1, "tokens"), f"{remedy}; {OLD_END}")
    count: int = past[2].shape[-1]
    if count >= block:
        rule = f"past[2] must have less than block = {block} columns"
        msg = f"{rule}, got {count}: {remedy}"
        raise ValueError(msg)
    return count


def _normal_table(num_heads: int, rows: int, head_dim: int) -> nn.Parameter:
    num_heads = check_heads(num_heads)
    head_dim = check_int("head_dim", head_dim, minimum=1)
    return nn.Parameter(torch.randn(num_heads, rows, head_dim) * head_dim**-0.5)
