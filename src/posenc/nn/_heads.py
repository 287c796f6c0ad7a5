"""Cut features into heads and join them again."""

from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(..., seq_len, num_heads * head_dim) -> (..., num_heads, seq_len, head_dim)."""
    shape = (*x.shape[:-1], num_heads, x.shape[-1] // num_heads)
    return x.reshape(shape).transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    """(..., num_heads, seq_len, head_dim) -> (..., seq_len, num_heads * head_dim)."""
    return x.transpose(-3, -2).flatten(-2)
