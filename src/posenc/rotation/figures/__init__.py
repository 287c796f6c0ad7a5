"""Figures of the chapter on rotation: turns, the block matrix, what it costs."""

from .similarities import (
    SIMILARITY_COLORS,
    extrapolation_sweep,
    four_terms,
    heat_map,
    learned_matrices,
    overview,
    previous_token,
    score_pair,
    similarity_curves,
    similarity_matrix,
)
from .turns import (
    TURN_COLORS,
    clock,
    opening,
    shift_cost,
    shift_matrix,
    turn_in_plane,
)

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
