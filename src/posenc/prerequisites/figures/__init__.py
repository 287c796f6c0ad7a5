"""Drawings for the pages around the chapters: prerequisites and notation."""

from .boxes import (
    memory_line,
    relative_position_grid,
    sliding_window,
    where_position_enters,
)
from .opening_picture import OPENING_ALT, opening
from .planes_and_curves import (
    dot_products,
    log_scale,
    rotation,
    sine,
    softmax_temperatures,
)

__all__ = [
    "OPENING_ALT",
    "dot_products",
    "log_scale",
    "memory_line",
    "opening",
    "relative_position_grid",
    "rotation",
    "sine",
    "sliding_window",
    "softmax_temperatures",
    "where_position_enters",
]
