"""Figures of the first chapter: attention as products, before and after a shuffle."""

from .matrices import (
    MAX_LENGTH,
    OUTPUT_COLORS,
    OUTPUT_LIMIT,
    SENTENCES,
    WEIGHT_COLORS,
    WORDS,
    Attended,
    attend,
    numbered,
    outputs,
    products,
    same_outputs,
    score_tables,
    weights,
)
from .overviews import DOORS, encoder_block, encodings_map, paths
from .sentences import moved_masks, opening, shuffle

__all__ = [
    "DOORS",
    "MAX_LENGTH",
    "OUTPUT_COLORS",
    "OUTPUT_LIMIT",
    "SENTENCES",
    "WEIGHT_COLORS",
    "WORDS",
    "Attended",
    "attend",
    "encoder_block",
    "encodings_map",
    "moved_masks",
    "numbered",
    "opening",
    "outputs",
    "paths",
    "products",
    "same_outputs",
    "score_tables",
    "shuffle",
    "weights",
]
