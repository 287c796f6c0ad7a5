"""Figures of the chapter on convolution: windows, groups, the leak at the borders."""

from .borders import border_distance, informed, leak, leaks, reach
from .marked_tokens import contrast, scores_by_offset
from .opening_picture import opening
from .padded_convolution import (
    MAX_CHANNELS,
    MAX_KERNEL,
    OUTPUT_COLORS,
    PADDINGS,
    convolve,
    example_taps,
    random_taps,
    window,
)
from .speech_front_end import front_end
from .uneven_frames import KINDS, read_errors, read_outs
from .widget_picture import overview
from .windows_and_groups import connections, lengths, windows

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
