"""Exercises 4 to 6: functions that see order, and code to mend."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function

Function = Callable[[Any], Any]


def _attend(x: Any, *, causal: bool = False) -> Any:
    scores = np.exp(x @ x.T)
    scores = np.tril(scores) if causal else scores
    return scores / scores.sum(1, keepdims=True) @ x


#: The functions on the page, in its order: words, function of X with shape (L, d).
FUNCTIONS: tuple[tuple[str, Function], ...] = (
    ("X^T X", lambda x: x.T @ x),
    ("first row", lambda x: x[0]),
    ("each row divided by the largest entries", lambda x: x / x.max(0)),
    ("each column sorted", lambda x: np.sort(x, 0)),
    ("running sum down the rows", lambda x: x.cumsum(0)),
    ("X minus the mean of its rows", lambda x: x - x.mean(0)),
    ("X X^T X", lambda x: x @ x.T @ x),
    ("rows in reverse order", lambda x: x[::-1]),
    ("attention with a causal mask", lambda x: _attend(x, causal=True)),
    ("largest entry of each column, after attention", lambda x: _attend(x).max(0)),
)
KINDS = ("equivariant", "invariant", "neither")

#: Meaning of each answer, for the message about a wrong one.
_WOULD = {
    "equivariant": "move with the rows of X, in whatever order they are put",
    "invariant": "stay as it is, in whatever order the rows of X are put",
    "neither": "neither stay as it is nor move with the rows of X, in some orders",
}


def symmetry_of(function: Function, rng: Any) -> str:
    """Return the kind of symmetry, tried on random rows in random orders."""
    kinds = set(KINDS[:2])
    for _ in range(6):
        x, order = rng.normal(size=(5, 3)), _other_order(rng, 5)
        before, after = function(x), function(x[order])
        if not np.allclose(after, before):
            kinds.discard("invariant")
        if len(before) != 5 or not np.allclose(after, before[order]):
            kinds.discard("equivariant")
    return min(kinds, default="neither")


def _other_order(rng: Any, length: int) -> Any:
    """Return a random order of that many things, other than their own."""
    while True:
        order = rng.permutation(length)
        if not np.array_equal(order, np.arange(length)):
            return order


#: Known mistakes: number of the function, the wrong answer, and the reason.
_TAKEN_FOR = (
    (1, "equivariant", "X^T X has a row for each feature, not one for each token: "
     "nothing can move with a token."),
    (2, "invariant", "The first row is another one as soon as the first token is."),
    (3, "invariant", "The largest entries are invariant, but the rows that they divide "
     "are not."),
    (4, "equivariant", "As many rows as X are not enough: a sorted column does not "
     "know which token an entry is from."),
    (5, "equivariant", "A running sum adds what comes before: swap two tokens, and the "
     "sums from the first of them to just before the second change."),
    (6, "invariant", "The mean that is subtracted is invariant, but X is not."),
    (7, "neither", "P X (P X)^T P X = P X X^T P^T P X, and P^T P is the identity."),
    (8, "equivariant", "Move the first token to the end: its row of the result goes to "
     "the front. Reversing looks at places."),
    (9, "equivariant", "Attention is equivariant without a mask. A causal mask looks "
     "at places: what a token sees depends on where it stands."),
    (10, "equivariant", "Attention is equivariant, but the maximum over its rows "
     "has no row for each token."),
)  # fmt: skip


def _right() -> list[str]:
    rng = np.random.default_rng(0)
    return [symmetry_of(function, rng) for _, function in FUNCTIONS]


def _known() -> Mistakes:
    """Yield each known mistake in an answer that is right otherwise."""
    right = _right()
    for number, kind, reason in _TAKEN_FOR:
        yield f"{number}: {reason}", [*right[: number - 1], kind, *right[number:]]


@exercise(
    "Try each with three different rows. Move the first one to the end: what does the "
    "result do? Two rows are not enough for every one of them.",
    "Equivariant: the result has a row for each token, and moving a token moves its "
    "row. Invariant: the result does not change. Some do neither.",
    "Sorting forgets the order (invariant), though the result has as many rows as X. "
    "Reversing does not: swap the first two rows, and the last two of the result swap.",
    asks_for="value",
    mistakes=[*_known()],
)
def symmetries(attempt: Attempt, rng: Any) -> None:
    """Which of ten functions are equivariant, which invariant, which neither."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != len(FUNCTIONS):
        attempt.reject(f"A list of {len(FUNCTIONS)} words is wanted.")
    if any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each with a word.")
    words = [str(word).strip().lower() for word in answer]
    unknown = [word for word in words if word not in KINDS]
    if unknown:
        attempt.reject(f"Each entry must be one of {', '.join(KINDS)}; got {unknown}.")
    wrong = []
    for number, (word, (name, function)) in enumerate(
        zip(words, FUNCTIONS, strict=True), start=1
    ):
        if word != symmetry_of(function, rng):
            wrong.append(
                f"{number}. {name}: not {word}. If it were, the result would "
                f"{_WOULD[word]}."
            )
    if wrong:
        verb = "is" if len(wrong) == 1 else "are"
        problem = f"{len(wrong)} of {len(FUNCTIONS)} {verb} not right."
        named = tuple(
            f"{number}: {reason}"
            for number, kind, reason in _TAKEN_FOR
            if words[number - 1] == kind
        )
        attempt.reject(problem, "\n".join(wrong), named)
    attempt.held.append("all ten functions")


def _sums(before: Any, after: Any, order: Any) -> bool:
    """Compare what no order can change."""
    return all(
        np.allclose(measure(before), measure(after))
        for measure in (np.mean, np.sum, np.max)
    )


_TEST_MISTAKES: Mistakes = [
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
    """Return an order that is one circle, so that no pair just swaps."""
    circle = rng.permutation(length)
    order = np.empty(length, dtype=np.int64)
    order[circle] = np.roll(circle, 1)
    return order


def _show_test(failure: Failure) -> str:
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
    example=_show_test,
    shown=["before", "after", "order"],
    mistakes=_TEST_MISTAKES,
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


def _aligned(values: Any, key_order: Any, value_order: Any) -> Any:
    rows = []
    for token in key_order:
        (at,) = (n for n, other in enumerate(value_order) if other == token)
        rows.append(values[at])
    return np.asarray(rows)


_CROSS_MISTAKES: Mistakes = [
    (
        "The values stand as they stood. Each has to stand where the key of the same "
        "token stands.",
        lambda values, key_order, value_order: values,
    ),
    (
        "This takes the values as if they stood in the order of the sentence. Where is "
        "the value of a token now? Look for its number in value_order.",
        lambda values, key_order, value_order: values[key_order],
    ),
    (
        "The values are back in the order of the sentence. But the keys are not: bring "
        "the values to theirs.",
        lambda values, key_order, value_order: values[np.argsort(value_order)],
    ),
    (
        "The shuffle of the values is done once more, not undone.",
        lambda values, key_order, value_order: values[value_order],
    ),
    (
        "value_order is used forward: value_order[n] is the token whose value stands "
        "at n. You need the place where a token's value stands, its inverse.",
        lambda values, key_order, value_order: values[value_order[key_order]],
    ),
    (
        "Both steps are right, but they come in the wrong order: first undo "
        "value_order, then apply key_order.",
        lambda values, key_order, value_order: values[key_order][
            np.argsort(value_order)
        ],
    ),
    (
        "The two orders are exchanged.",
        lambda values, key_order, value_order: values[
            np.argsort(key_order)[value_order]
        ],
    ),
]


def _show_cross(failure: Failure) -> str:
    values, key_order, value_order = failure.args
    return (
        f"{failure.call}\n"
        f"values = {values.tolist()}\n"
        f"key_order = {key_order.tolist()}\n"
        f"value_order = {value_order.tolist()}\n"
        f"gives {np.asarray(failure.received).tolist()}, "
        f"should be {np.asarray(failure.right).tolist()}"
    )


@ask_for_function(
    "Take three tokens. The keys stand in the order 2, 0, 1, the values in the order "
    "1, 2, 0. Which row of the values belongs to the first key?",
    "First bring the values back to the order of the sentence. Which order undoes "
    "value_order? np.argsort(value_order).",
    "Then put them into the order of the keys: values[inverse][key_order].",
    right=_aligned,
    what="The matrix of values",
    axes="(tokens, value_dim)",
    problem="A value does not stand where its key stands.",
    example=_show_cross,
    shown=["values", "key_order", "value_order"],
    mistakes=_CROSS_MISTAKES,
    held=["each value stands where its key stands", "sentences of any length"],
)
def align_values(rng: Any) -> list[Case]:
    """Put values into the order in which the keys of a source sentence stand."""
    cases = []
    for length, width in [(3, 1), (4, 2), (6, 3), (9, 2), (700, 2)]:
        values = 10.0 * np.arange(length)[:, None] + np.arange(width)
        if length > 9:
            values = rng.normal(scale=1e5, size=values.shape).round(2)
        key_order, value_order = rng.permutation(length), rng.permutation(length)
        cases.append(case(values[value_order], key_order, value_order))
    return cases
