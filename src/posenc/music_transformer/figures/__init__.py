"""Figures of the chapter on the skew: the big tensor, the steps, the tape, the cost."""

from .cells import OFFSET_COLORS
from .local_attention import local_map, local_windows, visible_part
from .memory_sizes import bytes_in_words, memory, memory_bytes
from .music import ENCODING_NAMES, melody, motif_accuracy, piano_roll
from .opening_picture import opening
from .skew_matrices import STEPS, skew_frames
from .skew_steps import steps, tape, view
from .vectors_of_pairs import big_tensor

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
