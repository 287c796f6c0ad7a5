"""Figures of the chapter on rotation: turns, the block matrix, what it costs."""

from .curves import previous_token, similarity_curves
from .dial import clock
from .learned import extrapolation_sweep, learned_matrices
from .opening_picture import opening
from .shift_by_matrix import TURN_COLORS, shift_cost, shift_matrix
from .similarity_and_scores import (
    SIMILARITY_COLORS,
    four_terms,
    heat_map,
    score_pair,
    similarity_matrix,
)
from .turns import turn_in_plane
from .widget_picture import overview

__all__ = [
    "SIMILARITY_COLORS",
    "TURN_COLORS",
    "clock",
    "extrapolation_sweep",
    "four_terms",
    "heat_map",
    "learned_matrices",
    "opening",
    "overview",
    "previous_token",
    "score_pair",
    "shift_cost",
    "shift_matrix",
    "similarity_curves",
    "similarity_matrix",
    "turn_in_plane",
]
