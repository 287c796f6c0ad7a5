"""Words of the examples, the rows of the table that they use, and their colors."""

from typing import Any

import matplotlib as mpl
import numpy as np
from jaxtyping import Float, Int

from posenc.shaw import relative_position_index

#: matplotlib's color table for the rows of a table: left of the query, itself, right.
INDEX_COLORS = "coolwarm"


#: The five words of listenviolet's post, whose two "I" only position tells apart.
FIVE_WORDS = ("I", "think", "therefore", "I", "am")


#: Twelve words for the widget; its shorter sentences are the beginnings of this one.
_SENTENCE = "one dog bites a man and the man never bites a dog"


TWELVE_WORDS = tuple(_SENTENCE.split())


def index_shades(
    index: Int[np.ndarray, "*shape"], num_vectors: int
) -> Float[np.ndarray, "*shape 4"]:
    """Color of each row of a table; those of no row (−1) have the middle color."""
    last = max(num_vectors - 1, 1)
    middle = (num_vectors - 1) / 2
    shown = np.where(np.asarray(index) < 0, middle, index)
    if num_vectors == 1:
        shown = np.full(np.shape(index), 0.5)
    return np.asarray(mpl.colormaps[INDEX_COLORS](shown / last))


def vector_name(offset: int) -> str:
    """Name of the vector of an offset, ``w₋₂`` … ``w₊₂``, in plain characters.

    Examples
    --------
    >>> vector_name(-12), vector_name(0), vector_name(3)
    ('w₋₁₂', 'w₀', 'w₊₃')
    """
    sign = "₋" if offset < 0 else "₊" if offset else ""
    digits = "".join(chr(ord("₀") + int(d)) for d in str(abs(offset)))
    return f"w{sign}{digits}"


def rows_of_query(length: int, query: int, clip: int) -> list[int]:
    """Row of the table for each key, seen from one query."""
    index = relative_position_index(1, length, clip, q_offset=query)
    rows: list[int] = index[0].tolist()
    return rows


def facts(length: int, clip: int) -> dict[str, Any]:
    """How a sentence of `length` tokens uses a table of 2 `clip` + 1 vectors.

    Returns
    -------
    dict
        ``vectors`` in the table, ``offsets`` in the sentence, ``unused`` rows, and the
        pairs of query and key that are ``clipped``: farther apart than `clip`.
    """
    index = relative_position_index(length, length, clip)
    distance = np.abs(np.arange(length) - np.arange(length)[:, None])
    return {
        "vectors": 2 * clip + 1,
        "offsets": 2 * length - 1,
        "unused": 2 * clip + 1 - len(np.unique(index)),
        "clipped": int((distance > clip).sum()),
    }
