"""Figures of the chapter on convolution: windows, groups, the leak at the borders."""

from .borders import border_distance, informed, leak, leaks, opening, overview, reach
from .readouts import KINDS, contrast, read_errors, read_outs, scores_by_offset
from .windows import (
    MAX_CHANNELS,
    MAX_KERNEL,
    OUTPUT_COLORS,
    PADDINGS,
    connections,
    convolve,
    example_taps,
    front_end,
    lengths,
    random_taps,
    window,
    windows,
)

__all__ = [
    "KINDS",
    "MAX_CHANNELS",
    "MAX_KERNEL",
    "OUTPUT_COLORS",
    "PADDINGS",
    "border_distance",
    "connections",
    "contrast",
    "convolve",
    "example_taps",
    "front_end",
    "informed",
    "leak",
    "leaks",
    "lengths",
    "opening",
    "overview",
    "random_taps",
    "reach",
    "read_errors",
    "read_outs",
    "scores_by_offset",
    "window",
    "windows",
]
