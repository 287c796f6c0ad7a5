r"""Swin's relative position bias in two dimensions. Companion of ``book/swin.md``.

An image is cut into windows of height h and width w; attention stays within a window.
Two of its N = h w cells can be -(h - 1) … h - 1 rows and -(w - 1) … w - 1 columns
apart. A table holds one learned scalar per head for each of these
(2h - 1)(2w - 1) offsets, and is added to the scores before the softmax.

Cells are numbered row by row. The offset counts *query minus key* here, as in the
authors' code, and in this module alone; all others of this package count key minus
query, which is the transposed index.

References
----------
Liu et al. (2021), Swin Transformer, https://arxiv.org/abs/2103.14030, sec. 3.2, eq. 4.
The order of the table is that of the authors' code, class ``WindowAttention``.
"""

from .bias import (
    relative_position_bias,
    relative_position_index,
    resize_table,
    score_mod,
)
from .windows import shift_regions, window_merge, window_partition

__all__ = [  # noqa: RUF022  in the order of the reference
    "relative_position_index",
    "relative_position_bias",
    "score_mod",
    "resize_table",
    "window_partition",
    "window_merge",
    "shift_regions",
]
