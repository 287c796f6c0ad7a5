"""Exercises 5 to 9: code to mend, local attention, and amounts of memory."""

import contextlib
import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown, WrongError
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from . import oracle

_SCORE_MISTAKES: Mistakes = [
    (
        "The table is upside down. Its last row is the query's own position, and so "
        "the last column of the products: do not turn it over.",
        lambda q, table: oracle.position_scores(q, table, flip=True),
    ),
    (
        "Of a table made for longer sequences you take the first rows, those of the "
        "farthest keys. Take the last ones, those nearest to offset 0.",
        lambda q, table: oracle.position_scores(q, table, first=True),
    ),
    (
        "2 mistakes at once. One of them: of a longer table you take the first rows.",
        lambda q, table: oracle.position_scores(q, table, first=True, flip=True),
    ),
    (oracle.PADDED_RIGHT, lambda q, table: _scores_by_skew(q, table, right=True)),
    (
        "2 mistakes at once. One of them: the table is upside down. Its last row is "
        "the query's own position.",
        lambda q, table: _scores_by_skew(q, table, flip=True, right=True),
    ),
    (
        oracle.DROPPED_LAST,
        lambda q, table: _scores_by_skew(q, table, drop_last=True),
    ),
]


def _scores_by_skew(q: Any, table: Any, *, flip: bool = False, **mistake: bool) -> Any:
    rows = table[len(table) - len(q) :]
    return oracle.skewed(q @ (rows[::-1] if flip else rows).T, **mistake)


def _example(failure: Failure) -> str:
    i, j = failure.entry
    got, right = failure.received[i, j], failure.right[i, j]
    return (
        f"{failure.call}\nquery {i}, key {j} (offset {j - i}): gives {got:g}, should "
        f"be {right:g}"
    )


@ask_for_function(
    "Take one query and a table of one row: is it right? Then two queries, and a table "
    "whose two rows you can tell apart.",
    "Two lines are wrong. One turns something over that is in the right order already; "
    "the other puts the zeros where they do no good.",
    "The last row is offset 0 already: use the table as it is. np.pad takes "
    "(before, after) for each axis: the zeros go before.",
    right=oracle.position_scores,
    what="The scores",
    problem="A score of the causal part is wrong.",
    mistakes=_SCORE_MISTAKES,
    held=["every cell with key <= query", "a table made for longer sequences"],
    example=_example,
    close=oracle.agree,
    first=lambda rng: case(*rng.normal(size=(2, 2, 3))),
)
def repair_scores(rng: Any) -> Any:
    """Find and repair two mistakes in the position scores."""
    return [
        [rng.integers(-3, 4, size=(n, 3)).astype(float) for n in (seq_len, rows)]
        for seq_len, rows in [(1, 1), (2, 2), (3, 3), (4, 4), (3, 5), (6, 9)]
    ]


#: Functions with a wrong result, by the exercise's name for the mistake.
_FALSE_RESULTS: dict[str, Callable[[Any], Any]] = {
    "padded on the wrong side": lambda p: oracle.skewed(p, right=True),
    "the score of the farthest key changed": lambda p: _changed(p, -1, 0),
    "one score on the diagonal changed": lambda p: _changed(p, 1, 1),
    "two scores of a row swapped: sum and maximum stay the same": lambda p: _swapped(p),
    "nothing moved at all": lambda p: p.copy(),
    "turned around": lambda p: oracle.lower_part(p[:, ::-1]),
}


@exercise(
    "The skew is right. Ask what the test demands of the cells above the diagonal, and "
    "whether anybody has promised that.",
    "A mask hides these cells, so a test must not look at them. np.tril keeps the "
    "others; but it must be applied to both sides.",
    "np.array_equal(np.tril(result), expected) works even for infinite garbage; "
    "result * mask does not, since infinity times 0 is not 0.",
)
def repair_test(attempt: Attempt, rng: Any) -> None:
    """Repair a test that calls a right skew wrong."""
    shapes = (3, 2, 5)  # two tokens leave no garbage but a zero
    products = [np.round(rng.normal(size=(n, n)), 2) + 10.0 for n in shapes]
    first = products[0], oracle.skewed(products[0])
    with _assertions_named():
        attempt.choose_style(("numpy", "torch"), *first)
    for matrix in products:
        for what, above in (
            ("the garbage that pad, reshape and drop leave", oracle.skewed(matrix)),
            ("zeros", np.zeros_like(matrix)),
            ("other garbage", rng.normal(size=matrix.shape)),
            ("minus infinity, of a mask", np.full_like(matrix, -np.inf)),
        ):
            result = np.where(
                np.tri(len(matrix), dtype=bool), oracle.lower_part(matrix), above
            )
            if not _verdict(attempt, matrix, result):
                attempt.reject(
                    f"It calls a right result wrong. Above the diagonal it has {what}.",
                    _call(attempt, result),
                    _cause(what),
                )
    attempt.held.append("right results pass, whatever lies above the diagonal")
    for matrix in products:
        for what, falsify in _FALSE_RESULTS.items():
            result = falsify(matrix)
            if oracle.agree(result, oracle.lower_part(matrix)).all():
                continue  # for two tokens some mistakes change nothing
            if _verdict(attempt, matrix, result):
                attempt.reject(
                    f"It lets a wrong result pass: {what}.",
                    _call(attempt, result),
                    ("It compares nothing, or only a few cells.",)
                    if what == "padded on the wrong side"
                    else (),
                )
    attempt.held.append("wrong results do not, one changed number included")


def _cause(what: str) -> tuple[str, ...]:
    if what == "minus infinity, of a mask":
        return (
            "Infinity times 0 is not 0, and infinity minus infinity is no number: "
            "leave the cells out instead of multiplying them by 0.",
        )
    if what.startswith("the garbage"):
        return (
            "It demands zeros above the diagonal. The skew never promised them: a mask "
            "hides these cells.",
        )
    return ("It asks for one kind of garbage. Any kind is right.",)


@contextlib.contextmanager
def _assertions_named() -> Iterator[None]:
    try:
        yield
    except WrongError as wrong:
        if "It raises AssertionError" in wrong.problem:
            wrong.mistakes = (
                "Return True or False: a failed assertion tells neither.",
            )
        raise


def _verdict(attempt: Attempt, products: Any, result: Any) -> bool:
    with _assertions_named():
        answer = attempt.ask(products, result)
    value = (
        answer.item() if isinstance(answer, np.ndarray) and answer.ndim == 0 else answer
    )
    if not isinstance(value, bool):
        attempt.reject(f"It must return True or False, got {attempt.kind}.")
    return value


def _call(attempt: Attempt, result: Any) -> str:
    return attempt.call_text(Shown("products"), result)


def _changed(products: Any, row: int, column: int) -> Any:
    result = oracle.skewed(products)
    result[row, column] += 1.0
    return result


def _swapped(products: Any) -> Any:
    result = oracle.skewed(products)
    result[-1, [0, -1]] = result[-1, [-1, 0]]
    return result


_MISTAKES: Mistakes = [
    (
        "That is a window that slides with the query. Here blocks stand still: "
        "the view begins where the block before begins.",
        lambda i, b: list(range(max(0, i - b), i + 1)),
    ),
    (
        "That is a window of B that slides with the query. Here blocks stand still: "
        "the view begins where the block before begins.",
        lambda i, b: list(range(max(0, i - b + 1), i + 1)),
    ),
    (
        "That is a window of 2B - 1 back for every query. Only the last query of a "
        "block sees that far.",
        lambda i, b: list(range(max(0, i - 2 * b + 1), i + 1)),
    ),
    (
        "That is the query's own block alone. The block before it is seen as well, "
        "whole.",
        lambda i, b: list(range(i // b * b, i + 1)),
    ),
    (
        "Keys after the query are in it. Even in its own block, no query sees them.",
        lambda i, b: list(range(max(0, (i // b - 1) * b), (i // b + 1) * b)),
    ),
    (
        "The first block has no block before it: keys below 0 do not exist.",
        lambda i, b: list(range((i // b - 1) * b, i + 1)),
    ),
    (
        "The query itself is missing: a query sees its own key.",
        lambda i, b: list(range(max(0, (i // b - 1) * b), i)),
    ),
]


def _read_keys(attempt: Attempt, answer: Any, right: list[int]) -> list[int]:
    """Return the keys in their order; an empty list has no dtype."""
    if not isinstance(answer, list | np.ndarray) or np.ndim(answer) != 1:
        attempt.reject(f"A list of keys is asked, got {attempt.kind}.")
    if len(answer) == 0:
        return []
    keys = attempt.whole_numbers(answer, (len(answer),), "The list").tolist()
    return sorted(keys)


def _problem(failure: Failure) -> str:
    i, block = failure.args
    return f"Query {i} sees other keys with blocks of {block}."


@ask_for_function(
    "In which block is query i? Where does the block before it begin?",
    "Query i is in block i // block; block n begins at key n * block. The view ends "
    "with the query itself.",
    "range(max(0, (i // block - 1) * block), i + 1)",
    right=oracle.visible,
    what="The list",
    problem=_problem,
    mistakes=_MISTAKES,
    held=[
        "no key after the query",
        "the whole block before",
        "the first block, which has none before it",
    ],
    example=lambda f: f"{f.call}\ngives {f.received}, should be {f.right}",
    read=_read_keys,
    close=operator.eq,
)
def visible_keys(rng: Any) -> Any:
    """Keys that a query of local attention sees."""
    cases = [(i, block) for block in range(1, 5) for i in range(4 * block)]
    return (
        cases
        + [(int(i), 64) for i in rng.integers(1000, size=6)]
        + [
            (1500, 700),
            (40_000, 64),
        ]
    )


#: L = 1,000, D = 128, H = 2, numbers of 4 bytes: no calculator is needed.
LENGTH, WIDTH, HEADS, ITEM = 1000, 128, 2, 4
_ASKED = (
    ("R of one head", LENGTH**2 * (WIDTH // HEADS) * ITEM / 1e6),
    ("R of the whole layer", LENGTH**2 * WIDTH * ITEM / 1e6),
    ("E of the whole layer", LENGTH * WIDTH * ITEM / 1e6),
    ("the scores of the whole layer", LENGTH**2 * HEADS * ITEM / 1e6),
)


_RIGHT = [right for _, right in _ASKED]

#: Factors that an answer may lack, or have twice, in any of the four.
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
    in_all = [(i, f, text) for f, text in _FACTORS.items() for i in range(len(_ASKED))]
    return [(i, f * _RIGHT[i], text) for i, f, text in [*by_heads, *in_all]]


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
        (reason, [factor * right for right in _RIGHT])
        for factor, reason in _FACTORS.items()
    ],
    slips=_slips(),
    held=[what for what, _ in _ASKED],
    close=partial(np.isclose, rtol=0.005),
)
def memory_by_hand() -> list[float]:
    """Memory of a layer in megabytes, without a calculator."""
    return _RIGHT


def _answers() -> list[str]:
    """Return the answers to the four questions."""
    row, column = oracle.source(1, 4, 5)
    garbage = [oracle.source(i, j, 6)[1] for i in range(6) for j in range(i + 1, 6)]
    pads = sum(c < 0 for c in garbage)
    # Query 3, key 0: offset -3, and offset -3 is column 0 of 7.
    return [f"{'abcde'[row]}{column}", str(pads), "d0", "2048"]


#: Words for the questions.
_QUESTIONS = (
    "the product in row b above key 4",
    "garbage cells that hold a zero of the pad",
    "the product in row d, key 0, both sides",
    "the largest length of the slider for which R fits",
)

#: Known wrong answers: question, answer, and reason.
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


def _read_amounts(attempt: Attempt, answer: Any) -> Any:
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
    read=_read_amounts,
)
def ask_the_widgets() -> Any:
    """Four questions that the widgets answer."""
    return np.array(_answers(), dtype=object)
