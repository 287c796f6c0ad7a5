"""A table of biases, made up."""

import numpy as np
from jaxtyping import Float

from .rules_for_rows import MAX_SIDE, rows_by_rule

BIAS_COLORS = "coolwarm"


def example_table(
    height: int, width: int
) -> Float[np.ndarray, "{2*height-1} {2*width-1}"]:
    """Biases of one head by offset, made up: they only look like learned ones.

    High for near cells, higher for keys to the left than to the right, a little uneven.
    An offset has the same bias in every window, so smaller windows show the center of
    the same picture.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells; at most `MAX_SIDE`.
    """
    reach = MAX_SIDE - 1
    row, column = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    near = 3.2 * np.exp(-(row**2) / 6 - (column - 0.6) ** 2 / 10)
    table = near - 0.25 * np.hypot(row, column) - 0.4
    noise = np.random.default_rng(8).normal(scale=0.15, size=table.shape)
    cut = (
        slice(MAX_SIDE - height, reach + height),
        slice(MAX_SIDE - width, reach + width),
    )
    return np.round(table + noise, 2)[cut]


def biases_by_rule(
    rule: str, height: int, width: int
) -> Float[np.ndarray, "{2*height-1} {2*width-1}"]:
    """Bias that each offset gets from `example_table` by a rule, right or wrong.

    Offsets that share a row get the same; nan where the row is beyond the table.

    Parameters
    ----------
    rule : {"width", "added", "height"}
        How an offset becomes a row.
    height, width : int
        Size of the window, in cells; at most `MAX_SIDE`.
    """
    stored = example_table(height, width).ravel()
    rows = rows_by_rule(rule, height, width)
    inside = rows < rows.size
    return np.where(inside, stored[np.where(inside, rows, 0)], np.nan)
