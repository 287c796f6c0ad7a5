"""Figures of the chapter on rotary embedding: planes, clocks, layouts, decay."""

from posenc.kit.figures.cost import cost_curve

from .clock_hands import METHODS, clocks, clocks_overview, planes, wavelengths
from .complex_numbers import helix, multiply
from .decay_with_distance import (
    CONTENTS,
    chain,
    content_scores,
    contents,
    decay,
    decay_curves,
    spread,
)
from .feature_layouts import layout_lanes, layout_scores, layouts_overview
from .one_plane import (
    FURTHER,
    KEY,
    QUERY,
    SHARES,
    lengths,
    plane,
    plane_overview,
    rotated_query,
    score_curve,
)
from .opening_picture import opening

__all__ = [
    "CONTENTS",
    "FURTHER",
    "KEY",
    "METHODS",
    "QUERY",
    "SHARES",
    "chain",
    "clocks",
    "clocks_overview",
    "content_scores",
    "contents",
    "cost_curve",
    "decay",
    "decay_curves",
    "helix",
    "layout_lanes",
    "layout_scores",
    "layouts_overview",
    "lengths",
    "multiply",
    "opening",
    "plane",
    "plane_overview",
    "planes",
    "rotated_query",
    "score_curve",
    "spread",
    "wavelengths",
]
