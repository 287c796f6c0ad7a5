"""Exercise 1: paths of CTC by hand."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_value

#: Readings of four paths, then two numbers of paths.
BY_HAND = ("go", "o", "noon", "", 6, 5)
_PATHS = ("gg–oo–", "–ooo", "n–oo–on", "–––")
_NAMES = (
    *(f"the reading of {path}" for path in _PATHS),
    "the number of paths of o in 3 frames",
    "the number of paths of oo in 4 frames",
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
        lambda: (*BY_HAND[:5], 15),
    ),
    (
        "The numbers count paths without any blank. A frame may also name nothing.",
        lambda: (*BY_HAND[:4], 1, 0),
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
    (4, 1, "This is the path without a blank, ooo. A frame may also name nothing."),
    (4, 3, "These are the paths in which o sounds at one frame. It may last for two or "
     "three, too."),
    (4, 7, "o–o is no path of o: the blank keeps its two o's apart, and it reads oo."),
    (5, 0, "A blank may stand between the two o's."),
    (5, 1, "This is the number for three frames. Here there are four."),
    (5, 2, "These are the paths with one blank. There are some with two, too."),
    (5, 3, "These are the paths with two blanks. A run of o may also last for two "
     "frames."),
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
    for value in given[4:]:
        if np.ndim(value):
            attempt.reject(f"The last two are numbers of paths; got {value!r}.")
    return np.array(given, dtype=object)


@ask_for_value(
    "Two steps, in this order: write each run of equal symbols once; then strike out "
    "the blanks.",
    "n–oo–on: the runs are n, –, oo, –, o, n. What keeps the two o's apart?",
    "o in 3 frames: one run of one, two or three o's, blanks before or after it. oo "
    "in 4 frames: two runs of o, and a blank or two between them.",
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
    """Read four paths and count the paths of two words, by hand."""
    return np.array(BY_HAND, dtype=object)
