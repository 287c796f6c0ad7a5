"""Figures of the chapter on linear attention: states, chunks, quality."""

from .causal_state import ORDER, WORDS, state_overview, state_step, tokens
from .distance_from_softmax import SHARPNESS, quality, quality_curves
from .lift import ellipse, flat_plane, lift_overview, lifted_cone
from .lifted_points import cloud, ellipse_plane, project
from .matrices import chunk_map, circulant, states
from .measured_cost import METHODS, cost_overview
from .opening_picture import opening
from .remembered_pairs import PAIRS, recall, recall_curve
from .rotated_features import denominator, last_weight, negative_share
from .two_orders import (
    multiplications,
    numbers_between,
    order_bars,
    order_shapes,
    orders_overview,
)

__all__ = [
    "METHODS",
    "ORDER",
    "PAIRS",
    "SHARPNESS",
    "WORDS",
    "chunk_map",
    "circulant",
    "cloud",
    "cost_overview",
    "denominator",
    "ellipse",
    "ellipse_plane",
    "flat_plane",
    "last_weight",
    "lift_overview",
    "lifted_cone",
    "multiplications",
    "negative_share",
    "numbers_between",
    "opening",
    "order_bars",
    "order_shapes",
    "orders_overview",
    "project",
    "quality",
    "quality_curves",
    "recall",
    "recall_curve",
    "state_overview",
    "state_step",
    "states",
    "tokens",
]
