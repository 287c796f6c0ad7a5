"""Figures of the chapter on Transformer-XL: memory, terms, shift, and their cost."""

from .clamping import clamp_gains
from .flow_of_data import data_flow
from .opening_picture import opening
from .relative_shift import (
    DISTANCE_COLORS,
    STEPS,
    shift_cost,
    shift_line,
    shift_step,
    shift_steps,
)
from .score_terms import (
    MEMORY_LEN,
    TERM_COLORS,
    TERMS,
    WORDS,
    example_terms,
    four_terms,
    term_limit,
)
from .segments import evaluation, first_reached, reach
from .slowdown import slowdown_curves

__all__ = [
    "DISTANCE_COLORS",
    "MEMORY_LEN",
    "STEPS",
    "TERMS",
    "TERM_COLORS",
    "WORDS",
    "clamp_gains",
    "data_flow",
    "evaluation",
    "example_terms",
    "first_reached",
    "four_terms",
    "opening",
    "reach",
    "shift_cost",
    "shift_line",
    "shift_step",
    "shift_steps",
    "slowdown_curves",
    "term_limit",
]
