"""Torch module for attention with linear biases."""

from typing import Any

import array_api_compat.torch as xp
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.attention import attend, causal_mask
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
    ) -> Float[Tensor, "... num_heads q_len value_dim"]:
        """Attend; `mask` True = may attend, `q_offset` = place of the first query."""
        check_tensor("q", q, (self.num_heads, "q_len", "head_dim"))
        check_floating("v", v)
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
        return attend(q, k, v, bias=bias, mask=mask)

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        return f"{self.num_heads}, symmetric={self.symmetric}"
