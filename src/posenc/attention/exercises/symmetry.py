"""Exercise 4: which functions of a sentence see the order of its words."""

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


#: What the page asks about, in its order: words, function of X with shape (L, d).
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

#: What each answer would mean, told to one who gave it wrongly.
_WOULD = {
    "equivariant": "move with the rows of X, in whatever order they are put",
    "invariant": "stay as it is, in whatever order the rows of X are put",
    "neither": "neither stay as it is nor move with the rows of X, in some orders",
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
    for number, kind, told in _TAKEN_FOR:
        yield f"{number}: {told}", [*right[: number - 1], kind, *right[number:]]


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
            f"{number}: {told}"
            for number, kind, told in _TAKEN_FOR
            if words[number - 1] == kind
        )
        attempt.reject(problem, "\n".join(wrong), named)
    attempt.held.append("all ten functions")
