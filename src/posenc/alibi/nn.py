"""Torch module for attention with linear biases."""

import math
from typing import Any

import array_api_compat.torch as xp
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.attention import attend_checked
from posenc.attention.nn import check_cache, extend_cache
from posenc.core.arrays import toeplitz
from posenc.core.checks import (
    check_attention,
    check_flag,
    check_floating,
    check_heads,
    check_offset,
    check_tensor,
)
from posenc.core.dtypes import (
    computing_dtype,
    is_plain,
    is_traced,
    is_wrapped,
    joint_dtype,
)

from .bias import diagonals

__all__ = ["AlibiAttention"]

#: Most diagonals to each side in a module's table; more are computed at each call.
_MOST_DIAGONALS = 1 << 17


class AlibiAttention(nn.Module):
    """Scaled dot-product attention with `posenc.alibi.alibi_bias`; nothing is learned.

    Parameters
    ----------
    num_heads : int
        Attention heads; at least 1.
    symmetric : bool, default False
        If False the attention is causal. If True every query sees all keys, and those
        after it are penalized like those before it.
    """

    def __init__(self, num_heads: int, *, symmetric: bool = False) -> None:
        super().__init__()
        num_heads = check_heads(num_heads)
        check_flag("symmetric", symmetric)
        self.num_heads, self.symmetric = num_heads, symmetric
        self._table: Tensor | None = None

    def forward(
        self,
        q: Float[Tensor, "... num_heads q_len head_dim"],
        k: Float[Tensor, "... num_heads k_len head_dim"],
        v: Float[Tensor, "... num_heads k_len value_dim"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        q_offset: int = 0,
        past: tuple[Tensor, Tensor] | None = None,
        use_cache: bool = False,
    ) -> (
        Float[Tensor, "... num_heads q_len value_dim"]
        | tuple[Float[Tensor, "... num_heads q_len value_dim"], tuple[Tensor, Tensor]]
    ):
        """Attend from the queries to the keys, and to those of earlier calls.

        Parameters
        ----------
        q, k, v : tensors of shape (..., num_heads, q_len or k_len, head_dim)
            Queries, keys and values. Flash-attention's order of axes, tokens before
            heads, is refused where their numbers differ.
        mask : bool tensor that broadcasts to (..., num_heads, q_len, k_len), optional
            True = may attend. The keys of `past` count.
        q_offset : int, default 0
            Place of the first query among the keys `k`.
        past, use_cache
            As in `MultiHeadAttention`; not with `symmetric`.

        Returns
        -------
        tensor (..., num_heads, q_len, value_dim), with `use_cache` and the pair
        """
        check_cache(not self.symmetric, past, use_cache, required="symmetric=False")
        check_tensor("q", q, (self.num_heads, "q_len", "head_dim"))
        check_floating("v", v)
        check_attention(q, k, v)
        q_offset, new = check_offset("q_offset", q_offset), k.shape[-2]
        k, v = extend_cache(past, k, v)
        q_offset += k.shape[-2] - new
        check_attention(q, k, v, mask=mask)
        out = self._attend(q, k, v, mask, q_offset)
        return (out, (k, v)) if use_cache else out

    def _attend(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, q_offset: int
    ) -> Any:
        """Attend by the fused kernel, with a bias of -inf on later keys."""
        q_len, k_len = q.shape[-2], k.shape[-2]
        values = self._diagonals(q, q_offset + q_len - 1, q_len + k_len - 1)
        dtype = joint_dtype(q, k, v)
        if mask is None and q.is_cpu and not is_traced(q) and q_len > 1 and k_len > 0:
            # Row i of the bias is the window of K values that begins at Q - 1 - i. From
            # the last query to the first, the windows are a view: no matrix is written.
            windows = values.unfold(-1, k_len, 1)
            out = attend_checked(q.flip(-2), k, v, bias=windows, dtype=dtype)
            return out.flip(-2)
        bias = toeplitz(values, q_len, k_len)
        return attend_checked(q, k, v, bias=bias, mask=mask, dtype=dtype)

    def _diagonals(self, like: Tensor, first: int, count: int) -> Tensor:
        """Return the bias at `first`, `first` - 1, …; float32 beside half precision.

        The rows of all calls are cut out of one table, with a row for each head.
        """
        count, dtype = max(count, 0), computing_dtype(xp, like.dtype)
        table, half = self._table, max(first, count - first)
        if is_traced(like) or not is_plain(like) or half > _MOST_DIAGONALS:
            return self._made(first, count, like)
        if (
            table is None
            or table.shape[-1] < 2 * half
            or (table.dtype, table.device) != (dtype, like.device)
        ):
            half = 1 << max(half - 1, 63).bit_length()  # the next power of two
            with torch.inference_mode(False), torch.no_grad():
                table = self._made(half, 2 * half, like)
            if not is_wrapped(table):  # what a transform wraps ends with it
                self._table = table
        start = table.shape[-1] // 2 - first
        return table[:, start : start + count]

    def _made(self, first: int, count: int, like: Tensor) -> Tensor:
        values = diagonals(
            self.num_heads, first, count, self.symmetric, xp, like.device
        )
        if not self.symmetric:  # keys after the query are hidden
            later = torch.arange(count, device=like.device) > first
            values = values.masked_fill(later, -math.inf)
        return values.to(computing_dtype(xp, like.dtype))

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        return f"{self.num_heads}, symmetric={self.symmetric}"
