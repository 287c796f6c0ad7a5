"""Exercise 5: a test of equivariance that cannot fail, to repair."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise


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


@exercise(
    "Give the test two outputs that it should tell apart: the right rows in the wrong "
    "order. What are their mean, sum and maximum?",
    "Compare whole arrays, row by row. Which row of `before` belongs to row n of "
    "`after`?",
    "Row n of `after` is the token order[n], so it must be near before[order[n]]. Near "
    "enough: np.allclose.",
)
def repair_equivariance_test(attempt: Attempt, rng: Any) -> None:
    """Repair a test of equivariance that passes for every order."""
    cases: list[tuple[str, Any, Any, Any]] = []
    for length in (2, 3, 5, 8):
        before, order = rng.normal(size=(length, 3)), _cycle(rng, length)
        right = before[order]
        noise = 1e-12 * rng.normal(size=right.shape)
        spoiled = right.copy()
        spoiled[-1, -1] += 0.01
        balanced = right.copy()  # same mean, sum and maximum
        balanced.flat[np.argsort(right, axis=None)[:2]] += (-0.01, 0.01)
        cases += [
            ("rows that moved as they should", before, right + noise, order),
            ("rows that moved, to the last digit", before, right, order),
            ("rows that did not move", before, before, order),
            ("rows in reverse order", before, right[::-1], order),
            ("one number that is 0.01 too large", before, spoiled, order),
            ("two numbers that are 0.01 off", before, balanced, order),
        ]
        if length > 2:
            back = before[np.argsort(order)]
            cases.append(("rows that moved the other way", before, back, order))
            mixed = right.copy()
            mixed[:, 0] = right[::-1, 0]
            cases.append(("a column that is reversed", before, mixed, order))
    attempt.choose_style(("numpy", "torch"), *cases[0][1:])
    seen = []
    for words, *arguments in cases:
        verdict = attempt.ask(*arguments)
        if np.shape(verdict) or np.asarray(verdict).dtype.kind != "b":
            attempt.reject(f"The test must return True or False, got {attempt.kind}.")
        seen.append((words, arguments, bool(verdict)))
    received = [(tuple(arguments), verdict) for _, arguments, verdict in seen]
    for words, (before, after, order), verdict in seen:
        if verdict != _moved(before, after, order):
            call = attempt.call_text(Shown("before"), Shown("after"), Shown("order"))
            lines = [
                f"before = {before.round(2).tolist()}",
                f"after = {after.round(2).tolist()}",
                f"order = {order.tolist()}",
                f"gives {verdict}, should be {not verdict}",
            ]
            attempt.reject(
                f"The verdict is wrong for {words}.",
                "\n".join([call, *lines]),
                name_mistake(received, _MISTAKES, lambda a, b: bool(a) == bool(b)),
            )
    attempt.held += [
        "it passes where each row moved with its token",
        "it fails for every other order",
        "it sees a single wrong number, and bears rounding",
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
