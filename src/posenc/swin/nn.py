"""Torch module for attention within Swin's windows."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.attention import attend
from posenc.core.checks import (
    check_heads,
    check_int,
    check_pair,
    check_tensor,
    check_weights_dtype,
)

from . import relative_position_bias
from .windows import _check_key_window

__all__ = ["WindowAttention"]


class WindowAttention(nn.Module):
    """Attention within windows, with `posenc.swin.relative_position_bias`.

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
    key_window : (height, width), optional
        Size of the keys' window, if it is another one, for windows that overlap.

    Attributes
    ----------
    table : Parameter of shape ((2 * height - 1) * (2 * width - 1), num_heads)
        With `key_window`, it has the rows that `relative_position_bias` requires.
        Drawn from a truncated normal distribution with standard deviation 0.02, as in
        the authors' code.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        window: tuple[int, int],
        *,
        key_window: tuple[int, int] | None = None,
    ) -> None:
        super().__init__()
        num_heads = check_heads(num_heads)
        d_model = check_int("d_model", d_model, minimum=1)
        height, width = check_pair("window", window)
        height = check_int("window height", height, minimum=1)
        width = check_int("window width", width, minimum=1)
        if d_model % num_heads:
            msg = f"d_model must be a multiple of num_heads={num_heads}, got {d_model}"
            raise ValueError(msg)
        self.num_heads, self.window = num_heads, (height, width)
        self.key_window = _check_key_window(key_window, height, width)
        rows, columns = self.key_window
        num_offsets = (height + rows - 1) * (width + columns - 1)
        self.table = nn.Parameter(torch.empty(num_offsets, num_heads))
        nn.init.trunc_normal_(self.table, std=0.02)
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(
        self,
        x: Float[Tensor, "... cells d_model"],
        context: Float[Tensor, "... key_cells d_model"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "... cells d_model"]:
        """Mix the cells of each window, or those of `context` for its cells.

        Parameters
        ----------
        x : tensor of shape (..., height * width, d_model)
            Windows; they ask.
        context : tensor of shape (..., keys, d_model), optional
            Windows that are asked instead, of the size of `key_window`.
        mask : bool tensor that broadcasts to (..., num_heads, cells, keys), optional
            True = may attend.
        """
        height, width = self.window
        context = x if context is None else context
        for name, tokens, (rows, columns) in (
            ("x", x, self.window),
            ("context", context, self.key_window),
        ):
            shape = (rows * columns, self.out.out_features)
            check_tensor(name, tokens, shape, "one row per cell of a window")
            check_weights_dtype(name, tokens, self.qkv)
        q, k, v = self._heads(x)
        if context is not x:
            _, k, v = self._heads(context)
        bias = relative_position_bias(
            self.table, height, width, key_window=self.key_window
        )
        mixed = attend(q, k, v, bias=bias, mask=mask)
        return self.out(mixed.transpose(-3, -2).flatten(-2))

    def _heads(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return q, k and v: (..., num_heads, cells, head_dim) each."""
        heads = self.qkv(x).unflatten(-1, (3, self.num_heads, -1))
        q, k, v = heads.movedim(-3, 0).transpose(-3, -2)
        return q, k, v

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        shown = f"{self.out.out_features}, {self.num_heads}, window={self.window}"
        if self.key_window != self.window:
            shown += f", key_window={self.key_window}"
        return shown
