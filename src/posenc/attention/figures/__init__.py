"""Figures of the first chapter: attention as products, before and after a shuffle."""

from .attended import (
    MAX_LENGTH,
    OUTPUT_COLORS,
    OUTPUT_LIMIT,
    SENTENCES,
    WEIGHT_COLORS,
    WORDS,
    Attended,
    attend,
    numbered,
    same_outputs,
    score_tables,
)
from .encoder_block import encoder_block
from .heat_maps import outputs, weights
from .map_of_encodings import DOORS, encodings_map
from .masks_moved import moved_masks
from .matrix_products import products
from .opening_picture import opening
from .paths_of_words import paths
from .shuffled import shuffle

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
