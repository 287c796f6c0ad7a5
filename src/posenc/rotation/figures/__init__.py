"""Figures of the chapter on rotation: turns, the block matrix, what it costs."""

from .curves import previous_token, similarity_curves
from .dial import clock
from .heat_maps import (
    SIMILARITY_COLORS,
    four_terms,
    heat_map,
    score_pair,
    similarity_matrix,
)
from .opening_picture import opening
from .overviews import overview
from .shift_by_matrix import TURN_COLORS, shift_cost, shift_matrix
from .turns import sine_alone, turn_in_plane

__all__ = [
    "SIMILARITY_COLORS",
    "TURN_COLORS",
    "clock",
    "four_terms",
    "heat_map",
    "opening",
    "overview",
    "previous_token",
    "score_pair",
    "shift_cost",
    "shift_matrix",
    "similarity_curves",
    "similarity_matrix",
    "sine_alone",
    "turn_in_plane",
]
