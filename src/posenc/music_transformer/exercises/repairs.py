"""Exercises 5 and 6: position scores to repair, and a test to repair."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown, WrongError
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function

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


#: What can be wrong about a result, and how the exercise names it.
_FALSE_RESULTS: dict[str, Callable[[Any], Any]] = {
    "padded on the wrong side": lambda p: oracle.skewed(p, right=True),
    "the score of the farthest key changed": lambda p: _changed(p, -1, 0),
    "one score on the diagonal changed": lambda p: _changed(p, 1, 1),
    "two scores of a row swapped: sum and maximum stay the same": lambda p: _swapped(p),
    "nothing moved at all": lambda p: p.copy(),
    "turned around": lambda p: oracle.wanted(p[:, ::-1]),
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
                np.tri(len(matrix), dtype=bool), oracle.wanted(matrix), above
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
            if oracle.agree(result, oracle.wanted(matrix)).all():
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
