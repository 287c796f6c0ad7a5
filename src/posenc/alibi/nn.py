"""Torch module for attention with linear biases."""

from typing import Any

import array_api_compat.torch as xp
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.attention import attend, causal_mask
from posenc.attention.nn import check_cache, extend_cache
from posenc.core.checks import (
    check_attention,
    check_flag,
    check_floating,
    check_int,
    check_tensor,
)

from . import alibi_bias

__all__ = ["AlibiAttention"]


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
        num_heads = check_int("num_heads", num_heads, minimum=1)
        check_flag("symmetric", symmetric)
        self.num_heads, self.symmetric = num_heads, symmetric

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
            Queries, keys and values.
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
        check_cache(not self.symmetric, past, use_cache, wanted="symmetric=False")
        check_tensor("q", q, (self.num_heads, "q_len", "head_dim"))
        check_floating("v", v)
        check_attention(q, k, v)
        q_offset, new = check_int("q_offset", q_offset), k.shape[-2]
        k, v = extend_cache(past, k, v)
        q_offset += k.shape[-2] - new
        check_attention(q, k, v, mask=mask)
        q_len, k_len = q.shape[-2], k.shape[-2]
        options: dict[str, Any] = {"q_offset": q_offset, "xp": xp, "device": q.device}
        bias = alibi_bias(
            self.num_heads,
            q_len,
            k_len,
            symmetric=self.symmetric,
            dtype=q.dtype,
            **options,
        )
        if not self.symmetric:
            causal = causal_mask(q_len, k_len, **options)
            mask = causal if mask is None else causal & mask
        out = attend(q, k, v, bias=bias, mask=mask)
        return (out, (k, v)) if use_cache else out

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        return f"{self.num_heads}, symmetric={self.symmetric}"
