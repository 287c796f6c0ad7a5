"""Figures of the chapter on Transformer-XL: the shift, four terms, the data flow."""

from .flow_of_data import data_flow
from .opening_picture import opening
from .relative_shift import (
    DISTANCE_COLORS,
    STEPS,
    shift_cells,
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

__all__ = [
    "DISTANCE_COLORS",
    "MEMORY_LEN",
    "STEPS",
    "TERMS",
    "TERM_COLORS",
    "WORDS",
    "data_flow",
    "evaluation",
    "example_terms",
    "first_reached",
    "four_terms",
    "opening",
    "reach",
    "shift_cells",
    "shift_cost",
    "shift_line",
    "shift_step",
    "shift_steps",
    "term_limit",
]
