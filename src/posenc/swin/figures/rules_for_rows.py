"""Rules that make a row of the table from an offset, and their errors."""

import numpy as np
from jaxtyping import Int

#: Longest side of a window in the widget.
MAX_SIDE = 8


#: matplotlib's color tables for rows of the table and for biases.
ROW_COLORS = "viridis"


#: Rules for the row of the table: by what the row offset is multiplied.
RULES = {
    "width": "2 · width − 1 (right)",
    "added": "1 (wrong)",
    "height": "2 · height − 1 (wrong)",
}


def stride(rule: str, height: int, width: int) -> int:
    """Factor of the row offset by one of the `RULES`."""
    return {"width": 2 * width - 1, "added": 1, "height": 2 * height - 1}[rule]


def rows_by_rule(
    rule: str, height: int, width: int
) -> Int[np.ndarray, "{2*height-1} {2*width-1}"]:
    """Row of the table that a rule gives to each offset, query minus key.

    Parameters
    ----------
    rule : {"width", "added", "height"}
        One of `RULES`.
    height, width : int
        Size of the window, in cells.

    Examples
    --------
    >>> rows_by_rule("added", 2, 2)
    array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]])
    """
    row, column = np.ogrid[: 2 * height - 1, : 2 * width - 1]
    return row * stride(rule, height, width) + column


def rule_errors(rule: str, height: int, width: int) -> tuple[int, int]:
    """Count what a rule does wrong.

    Returns
    -------
    shared : int
        Offsets that share their row with another offset.
    beyond : int
        Offsets whose row lies beyond the end of the table.

    Examples
    --------
    >>> rule_errors("added", 2, 2), rule_errors("width", 2, 3)
    ((7, 0), (0, 0))
    """
    rows = rows_by_rule(rule, height, width).ravel()
    _, which, counts = np.unique(rows, return_inverse=True, return_counts=True)
    return int((counts[which] > 1).sum()), int((rows >= rows.size).sum())
