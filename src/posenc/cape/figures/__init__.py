"""Figures of the chapter on CAPE: moved positions, counting, and reading speech."""

from .ctc import (
    BLANK,
    alignments,
    collapse,
    ctc_probability,
    forward_sums,
    lattice,
    reading,
)
from .drawn_moves import UnitDraws, moved, unit_draws
from .opening_picture import opening
from .order_swaps import crossings, swap_chance, swaps
from .similarity import averages, similarities
from .trained_runs import (
    counting,
    counting_curves,
    speech,
    speech_curves,
    speech_errors,
)
from .widget_picture import overview

__all__ = [
    "BLANK",
    "UnitDraws",
    "alignments",
    "averages",
    "collapse",
    "counting",
    "counting_curves",
    "crossings",
    "ctc_probability",
    "forward_sums",
    "lattice",
    "moved",
    "opening",
    "overview",
    "reading",
    "similarities",
    "speech",
    "speech_curves",
    "speech_errors",
    "swap_chance",
    "swaps",
    "unit_draws",
]
