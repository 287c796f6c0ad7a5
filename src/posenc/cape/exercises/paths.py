"""Exercise 1: paths of CTC by hand."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_value

#: Readings of four paths, then two numbers of paths.
BY_HAND = ("go", "o", "noon", "", 5, 1)
_PATHS = ("gg–oo–", "–ooo", "n–oo–on", "–––")
_NAMES = (
    *(f"the reading of {path}" for path in _PATHS),
    "the number of paths of no in 3 frames",
    "the number of paths of oo in 3 frames",
)


def _runs_kept() -> tuple[Any, ...]:
    return (*(path.replace("–", "") for path in _PATHS), *BY_HAND[4:])


def _blanks_first() -> tuple[Any, ...]:
    return ("go", "o", "non", "", *BY_HAND[4:])


def _text(value: Any) -> Any:
    return value.strip().strip("\"'") if isinstance(value, str) else value


_MERGED = (
    "The blanks were taken away before the runs were merged. It is the other way "
    "round: a blank keeps two equal symbols apart."
)

_MISTAKES: Mistakes = [
    (
        "Only the blanks are gone. First each run of a symbol becomes one.",
        _runs_kept,
    ),
    (
        _MERGED,
        _blanks_first,
    ),
    (
        "The second number counts oo without a blank between the two: that reads o. "
        "At least one blank must part them.",
        lambda: (*BY_HAND[:5], 5),
    ),
    (
        "The numbers count paths without any blank. A frame may also name nothing.",
        lambda: (*BY_HAND[:4], 2, 0),
    ),
]


_RUNS = "A run of the same symbol is written once."
_NO_DASH = "A blank is not read: strike it out."

_SLIPS = (
    (0, "ggoo", _RUNS),
    (0, "g–o–", _NO_DASH),
    (1, "ooo", _RUNS),
    (1, "–o", _NO_DASH),
    (2, "nooon", _RUNS),
    (2, "non", _MERGED),
    (2, "no", "The path goes on after its blanks: the last symbols are read, too."),
    (3, "–", _NO_DASH),
    (4, 2, "These are the paths without a blank, nno and noo. A frame may also name "
     "nothing."),
    (4, 3, "These are the paths with one blank. There are some without, too."),
    (4, 1, "There are three frames for two symbols: a symbol may last for two, or a "
     "frame may be blank."),
    (5, 0, "A blank may stand between the two o."),
    (5, 3, "The blank cannot stand anywhere: without it between them, the two o are "
     "one run."),
)  # fmt: skip


def _read(attempt: Attempt, answer: Any) -> Any:
    if not isinstance(answer, list) or len(answer) != len(BY_HAND):
        attempt.reject(
            f"The answer is a list of four words and two numbers, got {attempt.kind}."
        )
    given = [_text(value) for value in answer]
    for value in given[:4]:
        if not isinstance(value, str):
            attempt.reject(
                f'The first four are words in quotes, such as "go"; got {value}.'
            )
    return np.array(given, dtype=object)


@ask_for_value(
    "Two steps, in this order: write each run of equal symbols once; then strike out "
    "the blanks.",
    "n–oo–on: the runs are n, –, oo, –, o, n. Which of the two o keep apart?",
    "no in 3 frames: a run of n, then a run of o, and blanks before, between or after. "
    "Write them down: nno, noo, then those with one blank.",
    what="The answer",
    entry="its answer",
    line=lambda i, value: f"{_NAMES[i]} is not {value!r}",
    mistakes=_MISTAKES,
    slips=_SLIPS,
    held=["all four readings", "both numbers of paths"],
    close=np.equal,
    read=_read,
)
def collapse_by_hand() -> Any:
    """Readings of four paths and two numbers of paths, by hand."""
    return np.array(BY_HAND, dtype=object)
