"""Figures of the chapter on sinusoids: digits, dials, heat maps, tables, accuracy."""

from .curves import (
    AZIMUTH,
    CUBE_EDGES,
    CURVES,
    ELEVATION,
    closed_curve,
    curve_in_space,
    curve_points,
    distance_from_start,
    project,
)
from .digits_and_dials import dials, digit_table, same_sine
from .heat_maps import ENCODING_COLORS, heat_map, layouts
from .opening_picture import opening
from .precision import all_in_float32, float32_error
from .trained_table import BANDS, energy_by_period, hands, trained_rows, trained_table

__all__ = [
    "AZIMUTH",
    "BANDS",
    "CUBE_EDGES",
    "CURVES",
    "ELEVATION",
    "ENCODING_COLORS",
    "all_in_float32",
    "closed_curve",
    "curve_in_space",
    "curve_points",
    "dials",
    "digit_table",
    "distance_from_start",
    "energy_by_period",
    "float32_error",
    "hands",
    "heat_map",
    "layouts",
    "opening",
    "project",
    "same_sine",
    "trained_rows",
    "trained_table",
]
