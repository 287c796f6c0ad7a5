"""The page of the laboratory: its results, what was expected, pictures and a widget.

The program that trains is `posenc.lab`.
"""

from .hypotheses import HYPOTHESES, Hypothesis, Part, expected, verdicts
from .trained import (
    FOLDER,
    SOLVED,
    TASKS,
    TUNING_SEED,
    Tested,
    first_solved,
    lengths,
    results,
    text_losses,
    tuning,
)

__all__ = [
    "FOLDER",
    "HYPOTHESES",
    "SOLVED",
    "TASKS",
    "TUNING_SEED",
    "Hypothesis",
    "Part",
    "Tested",
    "expected",
    "first_solved",
    "lengths",
    "results",
    "text_losses",
    "tuning",
    "verdicts",
]
