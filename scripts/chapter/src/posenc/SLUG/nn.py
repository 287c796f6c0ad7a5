"""Torch module of the chapter TITLE."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from posenc.core.checks import check_floating, check_int, check_shape

from . import scaled_position

__all__ = ["CLASSEncoding"]


class CLASSEncoding(nn.Module):
    """Scaled positions along a learned direction, added to the input.

    Parameters
    ----------
    d_model : int
        Features per token; at least 1.
    scale : int or float, default 1
        Units per token.

    Attributes
    ----------
    direction : Parameter of shape (d_model,)
        Drawn from a normal distribution with standard deviation 0.02.
    """

    def __init__(self, d_model: int, *, scale: int | float = 1.0) -> None:
        super().__init__()
        check_int("d_model", d_model, minimum=1)
        self.scale = scale
        self.direction = nn.Parameter(torch.randn(d_model) * 0.02)

    def forward(
        self, x: Float[Tensor, "... seq_len d_model"]
    ) -> Float[Tensor, "... seq_len d_model"]:
        """Add the positions 0, 1, … to `x`."""
        check_floating("x", x)
        check_shape("x", x, ("seq_len", len(self.direction)))
        positions = torch.arange(x.shape[-2], dtype=x.dtype, device=x.device)
        scaled = scaled_position(positions, scale=self.scale)
        return x + scaled[:, None] * self.direction
