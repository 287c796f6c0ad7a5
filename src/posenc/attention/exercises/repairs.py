"""Exercise 5: a test of equivariance that does not see order, to repair."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function


def _sums(before: Any, after: Any, order: Any) -> bool:
    """Compare what no order can change."""
    return all(
        np.allclose(measure(before), measure(after))
        for measure in (np.mean, np.sum, np.max)
    )


_MISTAKES: Mistakes = [
    (
        "Mean, sum and maximum do not see the order of the rows: the test passes for "
        "any order. Compare whole arrays.",
        _sums,
    ),
    (
        "The order is used backwards: row n of the second output must be row order[n] "
        "of the first. (You find out only with an order that is not its own inverse.)",
        lambda a, b, order: np.allclose(b[order], a),
    ),
    (
        "The numbers are compared exactly. Sums over the keys run in another order "
        "after the shuffle, and rounding differs: allow for it.",
        lambda a, b, order: np.array_equal(b, a[order]),
    ),
    (
        "This tests invariance: the same rows at the same places.",
        lambda a, b, order: np.allclose(a, b),
    ),
    (
        "Sorted numbers are compared: rows may be in any order, and numbers may even "
        "change rows.",
        lambda a, b, order: np.allclose(np.sort(a, 0), np.sort(b, 0)),
    ),
    ("It says yes to everything.", lambda a, b, order: True),
    ("It says no to everything.", lambda a, b, order: False),
]


def _moved(before: Any, after: Any, order: Any) -> bool:
    return all(
        abs(after[n, c] - before[order[n], c]) < 1e-6
        for n, c in np.ndindex(*before.shape)
    )


def _cycle(rng: Any, length: int) -> Any:
    """Order in which each thing follows another in one circle: no pair just swaps."""
    circle = rng.permutation(length)
    order = np.empty(length, dtype=np.int64)
    order[circle] = np.roll(circle, 1)
    return order


def _show(failure: Failure) -> str:
    before, after, order = failure.args
    return (
        f"{failure.call}\n"
        f"before = {before.round(2).tolist()}\n"
        f"after = {after.round(2).tolist()}\n"
        f"order = {order.tolist()}\n"
        f"{failure.gives}"
    )


@ask_for_function(
    "Give the test two outputs that it should tell apart: the right rows in the wrong "
    "order. What are their mean, sum and maximum?",
    "Compare whole arrays, row by row. Which row of `before` belongs to row n of "
    "`after`?",
    "Row n of `after` is the token order[n], so it must be near before[order[n]]. Near "
    "enough: np.allclose.",
    right=_moved,
    what="The verdict",
    problem="The verdict is wrong for {note}.",
    example=_show,
    shown=["before", "after", "order"],
    mistakes=_MISTAKES,
    held=[
        "it passes where each row moved with its token",
        "it fails for every other order",
        "it sees a single wrong number, and bears rounding",
    ],
)
def repair_equivariance_test(rng: Any) -> list[Case]:
    """Repair a test of equivariance that passes for every order."""
    cases = []
    for length in (2, 3, 5, 8, 600):
        before, order = rng.normal(size=(length, 3)), _cycle(rng, length)
        right = before[order]
        noise = 1e-12 * rng.normal(size=right.shape)
        spoiled = right.copy()
        spoiled[-1, -1] += 0.01
        balanced = right.copy()  # same mean, sum and maximum
        balanced.flat[np.argsort(right, axis=None)[:2]] += (-0.01, 0.01)
        outputs = {
            "rows that moved as they should": right + noise,
            "rows that moved, to the last digit": right,
            "rows that did not move": before,
            "rows in reverse order": right[::-1],
            "one number that is 0.01 too large": spoiled,
            "two numbers that are 0.01 off": balanced,
        }
        if length > 2:
            outputs["rows that moved the other way"] = before[np.argsort(order)]
            mixed = right.copy()
            mixed[:, 0] = right[::-1, 0]
            outputs["a column that is reversed"] = mixed
        cases += [
            Case((before, after, order), note=note) for note, after in outputs.items()
        ]
    return cases
