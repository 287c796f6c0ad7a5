"""Exercise 3: which functions of a sentence see the order of its words."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.registry import exercise

Function = Callable[[Any], Any]


def _attend(x: Any, *, causal: bool = False) -> Any:
    scores = np.exp(x @ x.T)
    scores = np.tril(scores) if causal else scores
    return scores / scores.sum(1, keepdims=True) @ x


def _layer_norm(x: Any) -> Any:
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


#: What the page asks about, in its order: words, function of X with shape (L, d).
FUNCTIONS: tuple[tuple[str, Function], ...] = (
    ("mean of all rows", lambda x: x.mean(0)),
    ("first row", lambda x: x[0]),
    ("layer norm of each row", _layer_norm),
    ("each column sorted", lambda x: np.sort(x, 0)),
    ("running sum down the rows", lambda x: x.cumsum(0)),
    ("X minus the mean of its rows", lambda x: x - x.mean(0)),
    ("X X^T X", lambda x: x @ x.T @ x),
    ("rows in reverse order", lambda x: x[::-1]),
    ("attention with a causal mask", lambda x: _attend(x, causal=True)),
    ("largest entry of each column, after attention", lambda x: _attend(x).max(0)),
)
KINDS = ("equivariant", "invariant", "neither")

_WHY = {
    "equivariant": "Move a row of X: the same row of the result moves with it.",
    "invariant": "Put the rows in any order: the result stays as it is.",
    "neither": "Swap two rows: the result is neither the same as before, nor the same "
    "with these two rows swapped.",
}


def symmetry_of(function: Function, rng: Any) -> str:
    """Kind of symmetry, tried on random rows in random orders."""
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
    """Random order of that many things, other than their own."""
    while True:
        order = rng.permutation(length)
        if not np.array_equal(order, np.arange(length)):
            return order


#: Known mistakes: number of the function, what it is taken for, and what to tell.
_TAKEN_FOR = (
    (1, "equivariant", "The mean has one row, not one for each token: nothing can move "
     "with a token."),
    (2, "invariant", "The first row is another one as soon as the first token is."),
    (3, "invariant", "Each row is normalized for itself, and goes where its token "
     "goes."),
    (4, "equivariant", "As many rows as X are not enough: a sorted column does not "
     "know which token an entry is from."),
    (5, "equivariant", "A running sum adds what comes before: swap two tokens, and the "
     "sums between them change."),
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
    for number, kind, told in _TAKEN_FOR:
        yield f"{number}: {told}", [*right[: number - 1], kind, *right[number:]]


@exercise(
    "Try each with two rows, (1, 0) and (0, 2), and then with the two swapped.",
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
            wrong.append(f"{number}. {name}: not {word}. {_WHY[word]} Is that so?")
    if wrong:
        problem = f"{len(wrong)} of {len(FUNCTIONS)} are not right."
        named = tuple(
            f"{number}: {told}"
            for number, kind, told in _TAKEN_FOR
            if words[number - 1] == kind
        )
        attempt.reject(problem, "\n".join(wrong), named)
    attempt.held.append("all ten functions")
