"""What the figures of the chapter on Transformer-XL and its widgets share."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from posenc.sinusoidal import sinusoidal_encoding
from posenc.transformer_xl import ScoreTerms, score_terms

#: matplotlib's color tables for distances and for terms of a score.
DISTANCE_COLORS = "viridis"
TERM_COLORS = "coolwarm"

#: Names of the four terms and what each multiplies.
TERMS = {
    "a": "query · key",
    "b": "query · distance",
    "c": "u · key",
    "d": "v · distance",
}

#: A memory of four tokens, then a segment of six.
WORDS = ("the", "cat", "sat", "on", "the", "mat", "and", "the", "cat", "ran")
MEMORY_LEN = 4
_HEAD_DIM = 8


def first_reached(
    position: int, *, segment_len: int, memory_len: int, num_layers: int
) -> int:
    """First token of the text that can change the output at `position`.

    Each layer leads from a position to the beginning of its segment, and from there
    back by one memory.

    Parameters
    ----------
    position : int
        Position of the output in the whole text, from 0.
    segment_len, memory_len : int
        Tokens of a segment and of each layer's memory.
    num_layers : int
        Layers.

    Examples
    --------
    >>> first_reached(11, segment_len=4, memory_len=4, num_layers=2)
    0
    """
    for _ in range(num_layers):
        position = max(position // segment_len * segment_len - memory_len, 0)
    return position


def term_limit(terms: ScoreTerms) -> float:
    """Largest size of a term or a sum that is seen, with u and v or without them."""
    a, b, c, d = (np.asarray(term) for term in terms)
    sums = [a + b, a + b + c, a + b + d, a + b + c + d]
    q_len, k_len = a.shape
    past = np.tril(np.ones((q_len, k_len), dtype=bool), k_len - q_len)
    return max(float(np.abs(x[past]).max()) for x in [a, b, c, d, *sums])


class Cell(NamedTuple):
    """One cell of a step of the shift; the pad has no row and no distance."""

    row: int  # of the query, -1 for the pad
    distance: int
    valid: bool  # in its right place, or still to be moved there


#: The steps by padding and reshaping, and those of the strided view.
STEPS = {
    "pad": ("products", "pad", "read anew", "drop the first row", "read anew"),
    "view": ("products", "skip", "windows"),
}


def shift_step(method: str, step: int, q_len: int, k_len: int) -> list[list[Cell]]:
    """Cells of one step of the shift, row by row.

    Parameters
    ----------
    method : {"pad", "view"}
        By padding and reshaping, or as a view with other strides.
    step : int
        Index into ``STEPS[method]``. Step 1 of the view has a single row: all numbers
        as they lie in memory, without the q_len - 1 that are skipped.
    q_len, k_len : int
        Shape of the products; k_len >= q_len.

    Examples
    --------
    >>> [[cell.distance for cell in row] for row in shift_step("pad", 4, 2, 3)]
    [[1, 0, -1], [2, 1, 0]]
    """
    products = [
        [Cell(i, k_len - 1 - c, True) for c in range(k_len)] for i in range(q_len)
    ]
    if step == 0:
        return products
    if method == "pad":
        pad = Cell(-1, -1, False)
        flat = [cell for row in products for cell in (pad, *row)]
        width = k_len + 1 if step == 1 else q_len
        flat = flat[q_len:] if step >= 3 else flat
        width = k_len if step == 4 else width
        rows = [flat[start : start + width] for start in range(0, len(flat), width)]
        last = 4
    else:
        flat = [cell for row in products for cell in row][q_len - 1 :]
        rows = [flat]
        if step == 2:
            rows = [flat[i * (k_len - 1) :][:k_len] for i in range(q_len)]
        last = 2
    if step < last:
        return rows
    return [
        [cell._replace(valid=j <= i + k_len - q_len) for j, cell in enumerate(row)]
        for i, row in enumerate(rows)
    ]


def example_terms() -> ScoreTerms:
    """The four terms of six queries and ten keys, made up, divided by sqrt(d).

    Equal words have equal vectors; u likes the word "cat", v likes near keys.

    Returns
    -------
    ScoreTerms
        Arrays of shape (6, 10), rounded to two decimals.
    """
    rng = np.random.default_rng(3)
    vectors = {w: 0.8 * rng.normal(size=_HEAD_DIM) for w in dict.fromkeys(WORDS)}
    k: Float[np.ndarray, "10 8"] = np.stack([vectors[word] for word in WORDS])
    distances = np.arange(len(WORDS) - 1, -1, -1.0)
    r = sinusoidal_encoding(distances, _HEAD_DIM, base=100.0, layout="half")
    u = 0.5 * vectors["cat"]
    v = np.repeat([0.0, 2.2], _HEAD_DIM // 2)  # sines away, cosines on
    terms: Any = score_terms(k[MEMORY_LEN:], k, r, u, v)
    scaled = [np.round(term / np.sqrt(_HEAD_DIM), 2) for term in terms]
    return ScoreTerms(*scaled)
