"""Torch modules that add an absolute position to the input: learned or sinusoidal."""

import array_api_compat.torch as xp
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from posenc.core.checks import (
    TURNING,
    as_int64,
    check_batch,
    check_int,
    check_integral,
    check_namespace,
    check_offset,
    check_positions,
    check_range,
    check_shape,
    check_tensor,
)

from . import Frequencies, Layout, sinusoidal_encoding, sinusoidal_table

__all__ = ["LearnedEncoding", "SinusoidalEncoding"]


class LearnedEncoding(nn.Module):
    """One learned vector per position, added to the input, as in BERT.

    The table has rows for the positions 0 … max_len - 1 and no others.

    Parameters
    ----------
    max_len : int
        Rows of the table, in tokens; at least 1. BERT has 512.
    d_model : int
        Features per token; at least 1.

    Attributes
    ----------
    table : Parameter of shape (max_len, d_model)
        Drawn from a normal distribution with standard deviation 0.02, as in BERT.

    References
    ----------
    Gehring et al. (2017), https://arxiv.org/abs/1705.03122, sec. 3.1; Devlin et al.
    (2019), BERT, https://arxiv.org/abs/1810.04805, sec. 3.
    """

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        max_len = check_int("max_len", max_len, minimum=1)
        d_model = check_int("d_model", d_model, minimum=1)
        self.table = nn.Parameter(torch.randn(max_len, d_model) * 0.02)

    def forward(
        self,
        x: Float[Tensor, "... seq_len d_model"],
        *,
        positions: Int[Tensor, "..."] | None = None,
        offset: int = 0,
    ) -> Float[Tensor, "... seq_len d_model"]:
        """Add the vectors of the positions ``offset, offset + 1, ...`` to `x`.

        Parameters
        ----------
        x : tensor of shape (..., seq_len, d_model)
            Tokens.
        positions : integer tensor of shape (..., seq_len), optional
            Position of every token, from 0 to max_len - 1, for left padding or packed
            sequences; its leading axes broadcast to those of `x`.
        offset : int, default 0
            Position of the first token if `positions` is not given.
        """
        offset = check_offset("offset", offset)
        check_tensor("x", x, ("seq_len", self.table.shape[1]))
        max_len = self.table.shape[0]
        if positions is not None:
            _check_positions(positions, x)
            check_positions("positions", positions)
            remedy = "a learned table has no vector for other positions"
            check_range("positions", positions, 0, max_len - 1, remedy=remedy)
            return x + self.table[as_int64("positions", positions)].to(x.dtype)
        end = offset + x.shape[-2]
        if end > max_len:
            msg = (
                f"offset + seq_len must be at most max_len = {max_len}, got {end}: "
                "a learned table has no vector for later positions; shorten the "
                "sequence, or train a longer table"
            )
            raise ValueError(msg)
        return x + self.table[offset:end].to(x.dtype)

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        max_len, d_model = self.table.shape
        return f"{max_len}, {d_model}"


def _check_positions(positions: Tensor, x: Tensor) -> None:
    """Raise unless `positions` has an integer for each token of `x`."""
    check_integral("positions", positions)
    check_namespace(x=x, positions=positions)
    check_shape("positions", positions, (x.shape[-2],), "one per token")
    check_batch("positions", positions, tuple(x.shape[:-2]), axes=1)


#: Most rows of a module's table; later positions are computed at each call.
_MOST_ROWS = 1 << 17


class SinusoidalEncoding(nn.Module):
    """`posenc.sinusoidal.sinusoidal_table`, added to the input; nothing is learned.

    The table is kept between calls, for decoding token by token; it is not part of the
    module's state.

    Parameters
    ----------
    d_model : int
        Features per token. Even.
    base, layout, frequencies
        As in `posenc.sinusoidal.sinusoidal_encoding`.
    """

    def __init__(
        self,
        d_model: int,
        *,
        base: float = 10_000.0,
        layout: Layout = "interleaved",
        frequencies: Frequencies = "paper",
    ) -> None:
        super().__init__()
        self.d_model, self.base = d_model, base
        self.layout: Layout = layout
        self.frequencies: Frequencies = frequencies
        self._cache: Tensor | None = None
        self._table(0, 0)  # refuse an impossible setting now, not in the first forward

    def forward(
        self,
        x: Float[Tensor, "... seq_len d_model"],
        *,
        positions: Int[Tensor, "..."] | None = None,
        offset: int = 0,
    ) -> Float[Tensor, "... seq_len d_model"]:
        """Add the encodings of the positions ``offset, offset + 1, ...`` to `x`.

        Parameters
        ----------
        x, positions, offset
            As in `LearnedEncoding.forward`; here positions have no bounds.
        """
        check_tensor("x", x, ("seq_len", self.d_model))
        offset = check_offset("offset", offset, far=TURNING)
        if positions is not None:
            _check_positions(positions, x)
            return x + self._encoding(positions, x.dtype)
        return x + self._rows(offset, offset + x.shape[-2], x)

    def _encoding(self, positions: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the encodings of any positions, in `dtype` also for integers."""
        exact = positions.double() if dtype == torch.float64 else positions
        encoding: Tensor = sinusoidal_encoding(
            exact,
            self.d_model,
            base=self.base,
            layout=self.layout,
            frequencies=self.frequencies,
        )
        return encoding.to(dtype)

    def _rows(self, start: int, stop: int, like: Tensor) -> Tensor:
        """Return rows of the cached table, which grows; compiled code has no cache."""
        if torch.compiler.is_compiling() or like.is_meta:
            return self._table(stop - start, start, like.dtype, like.device)
        table = self._cache
        fits = table is not None and (table.dtype, table.device) == (
            like.dtype,
            like.device,
        )
        if table is None or not fits or stop > table.shape[0]:
            if stop > _MOST_ROWS:
                return self._table(stop - start, start, like.dtype, like.device)
            length = 1 << max(stop - 1, 0).bit_length()  # the next power of two
            table = self._cache = self._table(length, 0, like.dtype, like.device)
        return table[start:stop]

    def _table(
        self,
        seq_len: int,
        offset: int,
        dtype: torch.dtype | None = None,
        device: torch.device | None = None,
    ) -> Tensor:
        return sinusoidal_table(
            seq_len,
            self.d_model,
            base=self.base,
            layout=self.layout,
            frequencies=self.frequencies,
            offset=offset,
            xp=xp,
            dtype=dtype,
            device=device,
        )

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        return (
            f"{self.d_model}, base={self.base}, layout={self.layout!r}, "
            f"frequencies={self.frequencies!r}"
        )
