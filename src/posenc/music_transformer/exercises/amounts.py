"""Exercises 7 and 8: memory by hand, and questions to the widgets."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, flat, is_blank
from posenc.kit.exercises.registry import exercise

from . import oracle

#: L = 1,000, D = 128, H = 2, numbers of 4 bytes: no calculator is needed.
LENGTH, WIDTH, HEADS, ITEM = 1000, 128, 2, 4
_ASKED = (
    ("R of one head", LENGTH**2 * (WIDTH // HEADS) * ITEM / 1e6),
    ("R of the whole layer", LENGTH**2 * WIDTH * ITEM / 1e6),
    ("E of the whole layer", LENGTH * WIDTH * ITEM / 1e6),
    ("the scores of the whole layer", LENGTH**2 * HEADS * ITEM / 1e6),
)


#: Factors that somebody may forget, or count twice.
_FACTORS = {
    1 / ITEM: "Each number has 4 bytes: you counted numbers.",
    HEADS: "That is for all heads together; or d is 128 / 2, not 128.",
    1 / HEADS: "That is for one head. The layer has two.",
    1e6: "In megabytes, not bytes: divide by a million.",
    1e6 / 2**20: "1 MB is 1,000,000 bytes here, not 1,048,576 (that is 1 MiB).",
    1 / LENGTH: "You forgot a factor L.",
    LENGTH: "There is a factor L too many.",
}


@exercise(
    "A head has d = 128 / 2 = 64 features. R has L · L · d numbers per head, E has "
    "L · d, the scores have L · L. Each number has 4 bytes.",
    "Start with the numbers of one head: R has 1,000 · 1,000 · 64 = 64 million.",
    "4 bytes each: 256 MB. The layer has two heads. E is 1,000 times smaller than R, "
    "since L = 1,000. The scores: 2 · 1 million numbers.",
    asks_for="value",
    mistakes=[
        (told, [factor * right for _, right in _ASKED])
        for factor, told in _FACTORS.items()
    ],
)
def memory_by_hand(attempt: Attempt, rng: Any) -> None:
    """Memory of a layer in megabytes, without a calculator."""
    answer = attempt.ask_for_list()
    if any(map(is_blank, flat(answer))):
        attempt.reject("Some entries are still dots: replace each by a number.")
    numbers = attempt.real_numbers(answer, (len(_ASKED),), "The list of megabytes")
    for (what, right), number in zip(_ASKED, numbers.tolist(), strict=True):
        if not _near(number / right, 1):
            told = [
                t for factor, t in _FACTORS.items() if _near(number / right, factor)
            ]
            attempt.reject(
                f"Not so: {what}.", f"you have {number:g} MB", tuple(told[:1])
            )
        attempt.held.append(what)


def _near(ratio: float, factor: float) -> bool:
    return bool(np.isclose(ratio, factor, rtol=0.005))


def _answers() -> list[str]:
    """Answers to the four questions."""
    row, column = oracle.source(1, 4, 5)
    garbage = [oracle.source(i, j, 6)[1] for i in range(6) for j in range(i + 1, 6)]
    pads = sum(c < 0 for c in garbage)
    # Query 3, key 0: offset -3, and offset -3 is column 0 of 7.
    return [f"{'abcde'[row]}{column}", str(pads), "d0", "2048"]


#: Known wrong answers: the question, what it says, and what to tell.
_WRONG = (
    (0, "b4", "It stands in row b, but it is not a product of query b: look at the "
     "letter."),
    (1, "15", "That is all the garbage. How much of it is a pad?"),
    (2, "a3", "Row and column are swapped."),
    (2, "d3", "Offset 0 is column 3: that is key 3."),
    (3, "3500", "There, R needs 25 GB."),
)  # fmt: skip


@exercise(
    "First: causal, 5 queries, last step. Point at row b, column 4 of the matrix after "
    "the step.",
    "Second: 6 queries; the sentence with the exclamation mark counts the garbage. "
    "Third: both sides, 4 queries, last step, row d, column 0.",
    "Fourth: the second widget with the paper's width and heads, one layer, 4 bytes. "
    "Move the length until R does not fit any more, and go one back.",
    asks_for="value",
    mistakes=[
        (told, [*_answers()[:n], wrong, *_answers()[n + 1 :]])
        for n, wrong, told in _WRONG
    ],
)
def ask_the_widgets(attempt: Attempt, rng: Any) -> None:
    """Four questions that the widgets answer."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 4:
        attempt.reject(f"The answer is a list of four, got {attempt.kind}.")
    if any(map(is_blank, answer)):
        attempt.reject("Some answers are still dots.")
    for n, right in enumerate(_answers()):
        which = ("first", "second", "third", "fourth")[n]
        text = str(answer[n]).strip().lower().replace(",", "").removesuffix(".0")
        if text != right:
            attempt.reject(
                f"The {which} answer is not right.",
                f"it says {answer[n]}",
                tuple(told for m, wrong, told in _WRONG if (m, wrong) == (n, text)),
            )
        attempt.held.append(f"the {which} answer")
