"""Figures of the laboratory: accuracy against length, and learning curves."""

from .apart_panels import apart_bars, sharper_curves
from .looks import LOOKS, common_seeds, shown, trained_tasks
from .panels import OPENING_ALT, against_length, learning_curves, opening
from .tables_of_results import (
    accuracy_table,
    learning_table,
    rules_table,
    spread,
    tuning_table,
)
from .widget_picture import overlay

__all__ = [
    "LOOKS",
    "OPENING_ALT",
    "accuracy_table",
    "against_length",
    "apart_bars",
    "common_seeds",
    "learning_curves",
    "learning_table",
    "opening",
    "overlay",
    "rules_table",
    "sharper_curves",
    "shown",
    "spread",
    "trained_tasks",
    "tuning_table",
]
