"""Drawings for the pages around the chapters: prerequisites and notation."""

from .boxes import (
    memory_line,
    relative_position_grid,
    sliding_window,
    where_position_enters,
)
from .planes_and_curves import (
    dot_products,
    log_scale,
    rotation,
    sine,
    softmax_temperatures,
)

__all__ = [
    "dot_products",
    "log_scale",
    "memory_line",
    "relative_position_grid",
    "rotation",
    "sine",
    "sliding_window",
    "softmax_temperatures",
    "where_position_enters",
]
