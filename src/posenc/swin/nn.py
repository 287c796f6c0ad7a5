"""Torch module for attention within Swin's windows."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.attention import attend
from posenc.core.checks import check_int, check_pair, check_tensor, check_weights_dtype

from . import relative_position_bias

__all__ = ["WindowAttention"]


class WindowAttention(nn.Module):
    """Self-attention within windows, with `posenc.swin.relative_position_bias`.

    Cut the image first (`posenc.swin.window_partition`), and put it together afterwards
    (`posenc.swin.window_merge`).

    Parameters
    ----------
    d_model : int
        Features of a cell; a multiple of `num_heads`.
    num_heads : int
        Attention heads; each has a scalar of its own for every offset.
    window : (height, width)
        Size of the window, in cells.

    Attributes
    ----------
    table : Parameter of shape ((2 * height - 1) * (2 * width - 1), num_heads)
        Drawn from a truncated normal distribution with standard deviation 0.02, as in
        the authors' code.
    """

    def __init__(self, d_model: int, num_heads: int, window: tuple[int, int]) -> None:
        super().__init__()
        num_heads = check_int("num_heads", num_heads, minimum=1)
        d_model = check_int("d_model", d_model, minimum=1)
        height, width = check_pair("window", window)
        height = check_int("window height", height, minimum=1)
        width = check_int("window width", width, minimum=1)
        if d_model % num_heads:
            msg = f"d_model must be a multiple of num_heads={num_heads}, got {d_model}"
            raise ValueError(msg)
        self.num_heads, self.window = num_heads, (height, width)
        num_offsets = (2 * height - 1) * (2 * width - 1)
        self.table = nn.Parameter(torch.empty(num_offsets, num_heads))
        nn.init.trunc_normal_(self.table, std=0.02)
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(
        self,
        x: Float[Tensor, "... cells d_model"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "... cells d_model"]:
        """Mix the cells of each window; `mask` (..., num_heads or 1, cells, cells)."""
        height, width = self.window
        shape = (height * width, self.out.out_features)
        check_tensor("x", x, shape, "one row per cell of a window")
        check_weights_dtype("x", x, self.qkv)
        heads = self.qkv(x).unflatten(-1, (3, self.num_heads, -1))
        q, k, v = heads.movedim(-3, 0).transpose(-3, -2)  # (..., H, N, D) each
        bias = relative_position_bias(self.table, height, width)
        mixed = attend(q, k, v, bias=bias, mask=mask)
        return self.out(mixed.transpose(-3, -2).flatten(-2))

    def extra_repr(self) -> str:
        """Arguments shown by ``print(module)``."""
        return f"{self.out.out_features}, {self.num_heads}, window={self.window}"
