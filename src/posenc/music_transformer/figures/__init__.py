"""Figures of the chapter on the skew: the big tensor, the steps, the tape, the cost."""

from .memory import (
    bytes_in_words,
    local_map,
    local_windows,
    memory,
    memory_bytes,
    visible_part,
)
from .music import ENCODING_NAMES, melody, motif_accuracy, piano_roll
from .skew import (
    OFFSET_COLORS,
    STEPS,
    big_tensor,
    opening,
    skew_frames,
    steps,
    tape,
    view,
)

__all__ = [
    "ENCODING_NAMES",
    "OFFSET_COLORS",
    "STEPS",
    "big_tensor",
    "bytes_in_words",
    "local_map",
    "local_windows",
    "melody",
    "memory",
    "memory_bytes",
    "motif_accuracy",
    "opening",
    "piano_roll",
    "skew_frames",
    "steps",
    "tape",
    "view",
    "visible_part",
]
