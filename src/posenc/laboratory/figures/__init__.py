"""Figures of the laboratory: accuracy against length, and learning curves."""

from .overviews import overlay
from .panels import against_length, learning_curves
from .tables import accuracy_table, training_table
from .trained_results import LOOKS, TASKS, Tested, lengths, results, trained_tasks

__all__ = [
    "LOOKS",
    "TASKS",
    "Tested",
    "accuracy_table",
    "against_length",
    "learning_curves",
    "lengths",
    "overlay",
    "results",
    "trained_tasks",
    "training_table",
]
