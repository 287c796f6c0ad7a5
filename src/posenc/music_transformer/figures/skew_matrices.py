"""The matrices of a skew: where each of their entries is from."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Int

#: What happens between one matrix and the next, by whether the skew is the causal one.
STEPS = {
    True: ("pad a column on the left", "reshape", "drop the first row"),
    False: (
        "pad a column on the right",
        "add L − 1 zeros and reshape",
        "keep L rows and the last L columns",
    ),
}


class Frames(NamedTuple):
    """The four matrices of a skew, as numbers that tell where each entry is from.

    A number n at or above 0 is the product of query ``n // columns`` and offset
    ``n % columns - (seq_len - 1)``; one below 0 is a zero that was put in.
    """

    seq_len: int
    columns: int
    matrices: tuple[Int[np.ndarray, "rows columns"], ...]

    @property
    def wanted(self) -> set[int]:
        """Numbers of the products that a query needs: those the mask leaves."""
        result = self.matrices[-1]
        causal = self.columns == self.seq_len
        kept = result[np.tril_indices(self.seq_len)] if causal else result.ravel()
        return {int(number) for number in kept}

    def label(self, number: int) -> str:
        """Letter of the query and column of the product: ``b2``; zeros are ``0``."""
        if number < 0:
            return "0"
        row, column = divmod(number, self.columns)
        return f"{'abcdefghij'[row]}{column}"


def skew_frames(seq_len: int, *, masked: bool = True) -> Frames:
    """Matrices before, between and after the three steps of a skew.

    Parameters
    ----------
    seq_len : int
        Queries, L.
    masked : bool, default True
        Whether it is `posenc.music_transformer.skew` or `skew_unmasked`.

    Examples
    --------
    >>> skew_frames(3).matrices[2]
    array([[-1,  0,  1],
           [ 2, -2,  3],
           [ 4,  5, -3],
           [ 6,  7,  8]])
    """
    columns = seq_len if masked else 2 * seq_len - 1
    products = np.arange(seq_len * columns).reshape(seq_len, columns)
    zeros = -1 - np.arange(2 * seq_len - 1)
    column = zeros[:seq_len, None]
    if masked:
        padded = np.concatenate([column, products], axis=1)
        reshaped = padded.reshape(seq_len + 1, seq_len)
        result = reshaped[1:]
    else:
        padded = np.concatenate([products, column], axis=1)
        filled = np.concatenate([padded.ravel(), zeros[seq_len:]])
        reshaped = filled.reshape(seq_len + 1, columns)
        result = reshaped[:seq_len, seq_len - 1 :]
    return Frames(seq_len, columns, (products, padded, reshaped, result))
