"""Figures of the comparison: the matrices of all methods side by side."""

from .examples import EXAMPLES, SENTENCE, drawn
from .heat_maps import (
    SCORE_COLORS,
    WEIGHT_COLORS,
    alt_text,
    color_range,
    colors_of,
    matrices,
    matrix,
)
from .scores import SCORES, TITLES, all_scores, shown

__all__ = [
    "EXAMPLES",
    "SCORES",
    "SCORE_COLORS",
    "SENTENCE",
    "TITLES",
    "WEIGHT_COLORS",
    "all_scores",
    "alt_text",
    "color_range",
    "colors_of",
    "drawn",
    "matrices",
    "matrix",
    "shown",
]
