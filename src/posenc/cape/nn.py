"""Torch module for sinusoids at augmented positions."""

from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.core.checks import check_tensor
from posenc.core.dtypes import wide_dtype
from posenc.sinusoidal import sinusoidal_encoding

from . import augmented_positions

__all__ = ["CapeEncoding"]


class CapeEncoding(nn.Module):
    """Sinusoids at `posenc.cape.augmented_positions`, added to the input.

    In training mode each sequence is shifted, jittered and scaled at random; in
    evaluation mode its positions are only centered.

    Parameters
    ----------
    d_model : int
        Features per token. Even.
    max_global_shift, max_local_shift, max_scale, center
        As in `posenc.cape.augmented_positions`.
    base : float, default 10_000
        As in `posenc.sinusoidal.sinusoidal_encoding`.
    rng : torch.Generator or numpy.random.Generator, optional
        Source of the randomness. Leave it out where activation checkpointing runs the
        module twice: it restores torch's own generator, which ``torch.manual_seed``
        sets, and no other. ``torch.compile`` breaks its graph at the draws of another.
    """

    def __init__(
        self,
        d_model: int,
        *,
        max_global_shift: int | float,
        max_local_shift: int | float,
        max_scale: int | float,
        center: bool = True,
        base: float = 10_000.0,
        rng: torch.Generator | np.random.Generator | None = None,
    ) -> None:
        super().__init__()
        self.d_model, self.base, self.center = d_model, base, center
        self.maxima: dict[str, Any] = {
            "max_global_shift": max_global_shift,
            "max_local_shift": max_local_shift,
            "max_scale": max_scale,
        }
        self.rng = rng
        # refuse an impossible setting now, not in the first forward
        nothing = torch.zeros(0, 0, device="cpu")  # no sequence, so nothing is drawn
        augmented_positions(nothing, rng=rng, center=center, **self.maxima)
        sinusoidal_encoding(nothing, d_model, base=base)

    def forward(
        self,
        x: Float[Tensor, "... seq_len d_model"],
        positions: Float[Tensor, "..."] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "... seq_len d_model"]:
        """Add the encodings of `positions` (default 0, 1, 2, …) to `x`.

        `positions` broadcasts to (..., seq_len); `mask` is True where there is a token.
        """
        check_tensor("x", x, ("seq_len", self.d_model))
        if positions is None:
            wide = wide_dtype(torch, x.device)
            positions = torch.arange(x.shape[-2], dtype=wide, device=x.device)
        check_tensor("positions", positions, ())
        positions = positions.broadcast_to(x.shape[:-1])
        maxima = self.maxima if self.training else _OFF
        moved = augmented_positions(
            positions, mask=mask, center=self.center, rng=self.rng, **maxima
        )
        return x + sinusoidal_encoding(moved, self.d_model, base=self.base).to(x.dtype)

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        maxima = ", ".join(f"{name}={value}" for name, value in self.maxima.items())
        return f"{self.d_model}, {maxima}, center={self.center}, base={self.base}"


_OFF: dict[str, Any] = {
    "max_global_shift": 0.0,
    "max_local_shift": 0.0,
    "max_scale": 1.0,
}
