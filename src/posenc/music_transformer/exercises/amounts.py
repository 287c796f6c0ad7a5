"""Exercises 8 and 9: memory by hand, and questions to the widgets."""

from functools import partial
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.tasks import ask_for_value

from . import oracle

#: L = 1,000, D = 128, H = 2, numbers of 4 bytes: no calculator is needed.
LENGTH, WIDTH, HEADS, ITEM = 1000, 128, 2, 4
_ASKED = (
    ("R of one head", LENGTH**2 * (WIDTH // HEADS) * ITEM / 1e6),
    ("R of the whole layer", LENGTH**2 * WIDTH * ITEM / 1e6),
    ("E of the whole layer", LENGTH * WIDTH * ITEM / 1e6),
    ("the scores of the whole layer", LENGTH**2 * HEADS * ITEM / 1e6),
)


_RIGHT = [right for _, right in _ASKED]

#: Factors that somebody may forget, or count twice, in any of the four.
_FACTORS = {
    1 / ITEM: "Each number has 4 bytes: you counted numbers.",
    1e6: "In megabytes, not bytes: divide by a million.",
    1e6 / 2**20: "1 MB is 1,000,000 bytes here, not 1,048,576 (that is 1 MiB).",
    1 / LENGTH: "You forgot a factor L.",
    LENGTH: "There is a factor L too many.",
}
_ONE_HEAD = "That is for one head. The layer has two."
_TWICE = "The heads are counted twice: 128 features are those of both heads together."


def _slips() -> list[tuple[int, float, str]]:
    by_heads = [
        (0, HEADS, "That is for all heads together; or d is 128 / 2, not 128."),
        (1, 1 / HEADS, _ONE_HEAD),
        (1, HEADS, _TWICE),
        (2, 1 / HEADS, _ONE_HEAD),
        (2, HEADS, _TWICE),
        (3, 1 / HEADS, _ONE_HEAD),
        (3, WIDTH / HEADS, "A score is one number, whatever d is: no factor d."),
    ]
    in_all = [(i, f, told) for f, told in _FACTORS.items() for i in range(len(_ASKED))]
    return [(i, f * _RIGHT[i], told) for i, f, told in [*by_heads, *in_all]]


@ask_for_value(
    "A head has d = 128 / 2 = 64 features. R has L · L · d numbers per head, E has "
    "L · d, the scores have L · L. Each number has 4 bytes.",
    "Start with the numbers of one head: R has 1,000 · 1,000 · 64 = 64 million.",
    "4 bytes each: 256 MB. The layer has two heads. E is 1,000 times smaller than R, "
    "since L = 1,000. The scores: 2 · 1 million numbers.",
    what="The list of megabytes",
    entry="a number",
    line=lambda i, number: f"{_ASKED[i][0]}: not {number:g} MB",
    mistakes=[
        (told, [factor * right for right in _RIGHT])
        for factor, told in _FACTORS.items()
    ],
    slips=_slips(),
    held=[what for what, _ in _ASKED],
    close=partial(np.isclose, rtol=0.005),
)
def memory_by_hand() -> list[float]:
    """Memory of a layer in megabytes, without a calculator."""
    return _RIGHT


def _answers() -> list[str]:
    """Answers to the four questions."""
    row, column = oracle.source(1, 4, 5)
    garbage = [oracle.source(i, j, 6)[1] for i in range(6) for j in range(i + 1, 6)]
    pads = sum(c < 0 for c in garbage)
    # Query 3, key 0: offset -3, and offset -3 is column 0 of 7.
    return [f"{'abcde'[row]}{column}", str(pads), "d0", "2048"]


#: Words for what is asked.
_QUESTIONS = (
    "the product in row b above key 4",
    "garbage cells that hold a zero of the pad",
    "the product in row d, key 0, both sides",
    "the largest length of the slider for which R fits",
)

#: Known wrong answers: the question, what it says, and what to tell.
_WRONG = (
    (0, "b4", "It stands in row b, but it is not a product of query b: look at the "
     "letter."),
    (1, "15", "That is all the garbage. How much of it is a pad?"),
    (1, "6", "The last row ends with its own key: there is no garbage in it."),
    (1, "10", "That is the garbage that is no pad. Count the others."),
    (2, "a3", "Row and column are swapped."),
    (2, "a0", "No product that counts leaves the row of its query: look at the "
     "letter."),
    (2, "d3", "Offset 0 is column 3: that is key 3."),
    (2, "d6", "Column 6 is offset 3: a key three tokens after the query. Key 0 comes "
     "before query 3."),
    (3, "3500", "There, R needs 25 GB."),
    (3, "2795", "R would still fit, but the slider has no such length."),
)  # fmt: skip


def _text(value: Any) -> Any:
    return str(value).strip().lower().replace(",", "").removesuffix(".0")


def _read(attempt: Attempt, answer: Any) -> Any:
    if not isinstance(answer, list) or len(answer) != len(_QUESTIONS):
        attempt.reject(f"The answer is a list of four, got {attempt.kind}.")
    return np.array([_text(value) for value in answer], dtype=object)


@ask_for_value(
    "First: causal, 5 queries, last step. Point at row b, column 4 of the matrix after "
    "the step.",
    "Second: 6 queries; the sentence with the exclamation mark counts the garbage. "
    "Third: both sides, 4 queries, last step, row d, column 0.",
    "Fourth: the second widget with the paper's width and heads, one layer, 4 bytes. "
    "Move the length until R does not fit any more, and go one back.",
    what="The answer",
    entry="an answer",
    line=lambda n, text: f"question {n + 1}: not {text} ({_QUESTIONS[n]})",
    slips=_WRONG,
    held=[f"the {n} answer" for n in ("first", "second", "third", "fourth")],
    close=np.equal,
    read=_read,
)
def ask_the_widgets() -> Any:
    """Four questions that the widgets answer."""
    return np.array(_answers(), dtype=object)
