"""Exercise 1: paths of CTC by hand."""

from typing import Any

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Mistakes, name_mistake
from posenc.kit.exercises.registry import exercise

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


_MISTAKES: Mistakes = [
    (
        "Only the blanks are gone. First each run of a symbol becomes one.",
        _runs_kept,
    ),
    (
        "The blanks were taken away before the runs were merged. It is the other way "
        "round: a blank keeps two equal symbols apart.",
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


def _same(received: Any, mistaken: Any) -> bool:
    return list(received) == list(mistaken)


@exercise(
    "Two steps, in this order: write each run of equal symbols once; then strike out "
    "the blanks.",
    "n–oo–on: the runs are n, –, oo, –, o, n. Which of the two o keep apart?",
    "no in 3 frames: a run of n, then a run of o, and blanks before, between or after. "
    "Write them down: nno, noo, then those with one blank.",
    asks_for="value",
    mistakes=_MISTAKES,
)
def collapse_by_hand(attempt: Attempt, rng: Any) -> None:
    """Readings of four paths and two numbers of paths, by hand."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != len(BY_HAND):
        attempt.reject(
            f"The answer is a list of four words and two numbers, got {attempt.kind}."
        )
    if any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each by its answer.")
    given = [_text(value) for value in answer]
    for value in given[:4]:
        if not isinstance(value, str):
            attempt.reject(
                f'The first four are words in quotes, such as "go"; got {value}.'
            )
    wrong = [i for i in range(len(BY_HAND)) if given[i] != BY_HAND[i]]
    if wrong:
        lines = [f"{_NAMES[i]} is not {given[i]!r}" for i in wrong]
        attempt.reject(
            f"{len(wrong)} of {len(BY_HAND)} are not right.",
            "\n".join(lines),
            name_mistake([((), given)], _MISTAKES, _same),
        )
    attempt.held += ["all four readings", "both numbers of paths"]
