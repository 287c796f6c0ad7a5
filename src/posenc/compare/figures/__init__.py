"""Figures of the comparison: the matrices of all methods side by side."""

from .cover import COVER_ALT, cover
from .examples import EXAMPLES, SENTENCE, drawn
from .matrices_of_methods import (
    SCORE_COLORS,
    WEIGHT_COLORS,
    alt_text,
    color_range,
    colors_of,
    matrices,
    matrix,
)
from .scores import SCORES, TITLES, all_scores, shown
from .shifted_sentence import (
    KINDS,
    LARGEST_SHIFT,
    LAST_POSITION,
    bias_of_offsets,
    sentence,
    shifted,
    shifted_limit,
    shifted_scores,
)

__all__ = [
    "COVER_ALT",
    "EXAMPLES",
    "KINDS",
    "LARGEST_SHIFT",
    "LAST_POSITION",
    "SCORES",
    "SCORE_COLORS",
    "SENTENCE",
    "TITLES",
    "WEIGHT_COLORS",
    "all_scores",
    "alt_text",
    "bias_of_offsets",
    "color_range",
    "colors_of",
    "cover",
    "drawn",
    "matrices",
    "matrix",
    "sentence",
    "shifted",
    "shifted_limit",
    "shifted_scores",
    "shown",
]
