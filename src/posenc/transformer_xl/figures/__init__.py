"""Figures of the chapter on Transformer-XL: memory, terms, shift, and their cost."""

from .scores import (
    DISTANCE_COLORS,
    MEMORY_LEN,
    STEPS,
    TERM_COLORS,
    TERMS,
    WORDS,
    data_flow,
    example_terms,
    four_terms,
    shift_cost,
    shift_line,
    shift_step,
    shift_steps,
    term_limit,
)
from .segments import (
    clamp_gains,
    evaluation,
    first_reached,
    opening,
    reach,
    slowdown_curves,
)

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
