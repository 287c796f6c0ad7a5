"""The page of the laboratory: its results, hypotheses, pictures and a widget.

The program that trains is `posenc.training`.
"""

from .apart import Apart, apart
from .claims import CLAIMS, Numbers, shown
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
    "CLAIMS",
    "FOLDER",
    "HYPOTHESES",
    "SOLVED",
    "TASKS",
    "TUNING_SEED",
    "Apart",
    "Hypothesis",
    "Numbers",
    "Part",
    "Tested",
    "apart",
    "expected",
    "first_solved",
    "lengths",
    "results",
    "shown",
    "text_losses",
    "tuning",
    "verdicts",
]
