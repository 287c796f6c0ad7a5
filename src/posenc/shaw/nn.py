"""Torch module for Shaw's relative attention."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.attention.nn import extend_cache
from posenc.core.checks import (
    check_attention,
    check_flag,
    check_heads,
    check_int,
    check_offset,
)

from . import relative_attention

__all__ = ["ShawAttention"]


class ShawAttention(nn.Module):
    """`posenc.shaw.relative_attention` with learned vectors on keys and values.

    Parameters
    ----------
    num_heads, head_dim : int
        Attention heads, and features of each; at least 1.
    max_distance : int
        Clipping distance, in tokens: all keys this far or farther to one side share a
        vector. The paper finds no clear gain beyond 2, and uses 16 (base model) and 8
        (big model).
    share_heads : bool, default True
        True for two tables that all heads share, False for two of each head.

    Attributes
    ----------
    key_table, value_table : Parameter of shape (2 * max_distance + 1, head_dim)
        Vectors of the offsets; with a first axis of num_heads if not shared. Drawn
        from a normal distribution with standard deviation ``head_dim ** -0.5``.
    """

    def __init__(
        self,
        num_heads: int,
        head_dim: int,
        max_distance: int,
        *,
        share_heads: bool = True,
    ) -> None:
        super().__init__()
        num_heads = check_heads(num_heads)
        head_dim = check_int("head_dim", head_dim, minimum=1)
        remedy = "0 gives a single vector"
        max_distance = check_int("max_distance", max_distance, remedy=remedy)
        check_flag("share_heads", share_heads)
        self.num_heads, self.max_distance = num_heads, max_distance
        heads = () if share_heads else (num_heads,)
        shape = (*heads, 2 * max_distance + 1, head_dim)
        self.key_table = nn.Parameter(torch.randn(shape) * head_dim**-0.5)
        self.value_table = nn.Parameter(torch.randn(shape) * head_dim**-0.5)

    def forward(
        self,
        q: Float[Tensor, "... num_heads q_len head_dim"],
        k: Float[Tensor, "... num_heads k_len head_dim"],
        v: Float[Tensor, "... num_heads k_len head_dim"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        q_offset: int = 0,
        past: tuple[Tensor, Tensor] | None = None,
        use_cache: bool = False,
    ) -> (
        Float[Tensor, "... num_heads q_len head_dim"]
        | tuple[Float[Tensor, "... num_heads q_len head_dim"], tuple[Tensor, Tensor]]
    ):
        """Attend from the queries to the keys, and to those of earlier calls.

        Parameters
        ----------
        q, k, v, mask, q_offset, past, use_cache
            As in `AlibiAttention`.

        Returns
        -------
        tensor of shape (..., num_heads, q_len, head_dim), with `use_cache` and the pair
        """
        check_flag("use_cache", use_cache)
        check_attention(q, k, v)
        q_offset, new = check_offset("q_offset", q_offset), k.shape[-2]
        k, v = extend_cache(past, k, v)
        q_offset += k.shape[-2] - new
        tables = (self.key_table, self.value_table)
        out = relative_attention(q, k, v, *tables, mask=mask, q_offset=q_offset)
        return (out, (k, v)) if use_cache else out

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        shared, head_dim = self.key_table.ndim == 2, self.key_table.shape[-1]
        return (
            f"{self.num_heads}, {head_dim}, max_distance={self.max_distance}, "
            f"share_heads={shared}"
        )
