"""Exercises 1 to 4: the skew by hand and in code, and where its numbers land."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, WrongError
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from . import oracle

#: The cells have numbers in the order of memory, to show where each is from.
BY_HAND = np.arange(1.0, 17.0).reshape(4, 4)

_HAND_MISTAKES: Mistakes = [
    (oracle.PADDED_RIGHT, lambda: oracle.skewed(BY_HAND, right=True)),
    (oracle.DROPPED_LAST, lambda: oracle.skewed(BY_HAND, drop_last=True)),
    (
        "2 mistakes at once. The zeros stand behind the rows, not before them, and the "
        "last row is dropped, not the first.",
        lambda: oracle.skewed(BY_HAND, right=True, drop_last=True),
    ),
    (
        "Below and on the diagonal all is right. Above it, the skew does not put "
        "zeros: write what the three steps leave there.",
        lambda: oracle.lower_part(BY_HAND),
    ),
    (
        "That is the view without a pad. Here, write what pad, reshape and drop leave "
        "above the diagonal.",
        lambda: np.stack([BY_HAND.ravel()[3 * n : 3 * n + 4] for n in range(1, 5)]),
    ),
    (oracle.UNTOUCHED, lambda: BY_HAND),
    (
        oracle.ROLLED,
        lambda: np.stack([np.roll(row, i) for i, row in enumerate(BY_HAND)]),
    ),
    (
        oracle.ROLLED_RIGHT,
        lambda: np.stack([np.roll(row, 3 - i) for i, row in enumerate(BY_HAND)]),
    ),
    (
        "Below and on the diagonal all is right. Above it, each row was continued with "
        "its own beginning; but the line goes on with the pad and the next row.",
        lambda: np.stack([np.roll(row, i + 1) for i, row in enumerate(BY_HAND)]),
    ),
]


@ask_for_value(
    "Write the pad, 0, before each row, and then all twenty numbers in one line.",
    "The line is 0 1 2 3 4 0 5 6 7 8 0 9 … Cut it into rows of four.",
    "The first row of four is 0 1 2 3: drop it. The next one is 4 0 5 6.",
    what="The matrix",
    entry="a number",
    line=lambda cell, value: f"row {cell[0]}, column {cell[1]} is not {value:g}",
    mistakes=_HAND_MISTAKES,
    held=["every product in its place", "the garbage above the diagonal"],
)
def skew_by_hand() -> Any:
    """Skew a matrix of four rows with pencil and paper, garbage included."""
    return oracle.skewed(BY_HAND)


_SKEW_MISTAKES: Mistakes = [
    (oracle.PADDED_RIGHT, lambda products: oracle.skewed(products, right=True)),
    (oracle.DROPPED_LAST, lambda products: oracle.skewed(products, drop_last=True)),
    (oracle.UNTOUCHED, lambda products: products),
    (oracle.REVERSED, lambda products: oracle.lower_part(products[:, ::-1])),
    (oracle.TRANSPOSED, lambda products: oracle.skewed(products).T),
    (
        oracle.ROLLED,
        lambda products: np.stack([np.roll(row, i) for i, row in enumerate(products)]),
    ),
    (
        oracle.ROLLED_RIGHT,
        lambda products: np.stack(
            [np.roll(row, len(products) - 1 - i) for i, row in enumerate(products)]
        ),
    ),
]


def _example(failure: Failure) -> str:
    i, j = failure.entry
    return (
        f"{failure.call}\nrow {i}, column {j}: gives {failure.received[i, j]:g}, "
        f"should be {failure.right[i, j]:g}, the product of query {i} with offset "
        f"{j - i}"
    )


def _judge_batch(attempt: Attempt, rng: Any) -> None:
    batch = np.round(rng.normal(size=(2, 3, 4, 4)), 2)
    right = np.zeros(batch.shape)
    for b, h in np.ndindex(2, 3):
        right[b, h] = oracle.lower_part(batch[b, h])
    what = "For a batch with several heads, the result"
    try:
        out = attempt.read_like(attempt.ask(batch), right, what)
    except WrongError as wrong:
        wrong.example = "scores of shape (2, 3, 4, 4): batch, heads, rows, columns"
        wrong.mistakes = wrong.mistakes or (
            "It works for a single matrix. Count axes from the end: rows and columns "
            "are the last two, however many there are in front.",
        )
        raise
    for b, h in np.ndindex(2, 3):
        if not oracle.agree(out[b, h], right[b, h]).all():
            attempt.reject(
                "With axes for batch and heads in front, the matrices get mixed up.",
                f"scores of shape (2, 3, 4, 4): matrix [{b}, {h}] is not the skew of "
                "that matrix alone",
            )
    attempt.held.append("axes of batch and heads in front")
    if np.allclose(out, right):  # tidier than the skew, and as right
        attempt.notes.append(
            "Above the diagonal you put zeros. That is fine, but it is no mask: a "
            "score of 0 still gets a weight."
        )


@ask_for_function(
    "Three steps: a column of zeros on the left, another shape for the same numbers, "
    "and without the first row.",
    "np.concatenate with zeros of shape (..., L, 1) along the last axis; then reshape "
    "from (..., L, L + 1) to (..., L + 1, L).",
    "Batch axes: *batch, seq_len, _ = scores.shape. Then padded.reshape(*batch, "
    "seq_len + 1, seq_len)[..., 1:, :].",
    right=oracle.lower_part,
    what="The skewed scores",
    problem="A product of the causal part is not in its place.",
    mistakes=_SKEW_MISTAKES,
    held=["every cell with key <= query", "a single query"],
    example=_example,
    close=oracle.agree,
    first=lambda rng: case(rng.normal(size=(3, 3))),
    then=_judge_batch,
)
def skew(rng: Any) -> Any:
    """Move each product from the column of its offset to the column of its key."""
    return [(np.round(rng.normal(size=(n, n)), 2),) for n in (1, 2, 3, 4, 7)]


def _padded_left(products: Any) -> Any:
    """Skew for both sides, but with the pad of the causal recipe."""
    seq_len, width = products.shape
    line = np.pad(products, ((0, 0), (1, 0))).ravel()
    rows = np.pad(line, (0, seq_len - 1)).reshape(seq_len + 1, width)
    return rows[:seq_len, seq_len - 1 :]


def _first_columns(products: Any) -> Any:
    """Skew, but keep the wrong columns in the last step."""
    seq_len, width = products.shape
    line = np.pad(products, ((0, 0), (0, 1))).ravel()
    rows = np.pad(line, (0, seq_len - 1)).reshape(seq_len + 1, width)
    return rows[:seq_len, :seq_len]


def _causal_recipe(products: Any) -> Any:
    """Pad on the left, rows of L and the first of them dropped, as for one side."""
    seq_len, width = products.shape
    padded = np.pad(products, ((0, 0), (1, 0)))
    return padded.reshape(width + 1, seq_len)[1 : seq_len + 1]


_BOTH_MISTAKES: Mistakes = [
    (
        "That is the recipe for one side, which cuts the line into rows of L. Here the "
        "padded rows are 2L long: cut it into rows one shorter, 2L - 1.",
        _causal_recipe,
    ),
    (
        "The column of zeros is on the left, so every product lands one column too far "
        "to the right. For both sides it belongs on the right.",
        _padded_left,
    ),
    (
        "You keep the first L columns. The row of query 0 begins with offsets of keys "
        "before it, and there are none: keep the last L.",
        _first_columns,
    ),
    (
        "You took offset i - j. Column c belongs to key minus query, c - (L - 1).",
        lambda products: oracle.both_sides(products[:, ::-1]),
    ),
    (oracle.TRANSPOSED, lambda products: oracle.both_sides(products).T),
    (
        "Every row is cut at the same column: only the first row is right.",
        lambda products: products[:, len(products) - 1 :],
    ),
    (
        "Below and on the diagonal all is right. Here the keys after a query count, "
        "too: no mask hides them.",
        lambda products: np.tril(oracle.both_sides(products)),
    ),
]


@ask_for_function(
    "Row i begins with column L - 1 - i of the products, the offset of key 0. So every "
    "row begins one column before the row above.",
    "Put one zero behind each row, and lay them end to end. Row i of the result begins "
    "at number 2L i + L - 1 - i. Which length of row makes it begin in one column?",
    "It is number (2L - 1) i + L - 1: column L - 1 of a matrix whose rows are 2L - 1 "
    "long. Keep the first L (2L - 1) numbers, as L rows, and their last L columns.",
    right=oracle.both_sides,
    what="The skewed scores",
    problem="A product is not in the column of its key.",
    mistakes=_BOTH_MISTAKES,
    held=["every key, before the query and after it", "a single query"],
    example=_example,
    first=lambda rng: case(np.round(rng.normal(size=(3, 5)), 2)),
)
def skew_both_sides(rng: Any) -> Any:
    """Move each product to the column of its key, for keys on both sides."""
    lengths = (1, 2, 3, 4, 7, 140)
    return [(np.round(rng.normal(size=(n, 2 * n - 1)), 2),) for n in lengths]


_MISTAKES: Mistakes = [
    (
        "You forgot the row that is dropped: all other rows move up by one.",
        lambda i, c, n: divmod(i * (n + 1) + c + 1, n),
    ),
    (
        "The pad stands before the products of its row: column c of the products is "
        "column c + 1 of the padded matrix.",
        lambda i, c, n: ((i * (n + 1) + c) // n - 1, (i * (n + 1) + c) % n),
    ),
    (
        "You forgot the pad: in the line, each row is L + 1 long, and its first entry "
        "is a zero.",
        lambda i, c, n: (i - 1, c),
    ),
    (
        "Rows of the line are L + 1 long before the reshape, and L after it. You "
        "divided by L + 1.",
        lambda i, c, n: (i - 1, c + 1),
    ),
    (
        "That is the answer for products that count. The others leave their row.",
        lambda i, c, n: (i, i + c + 1 - n),
    ),
    (
        "Below the diagonal you are right; above it you answer as if the row went "
        "round and began again. Such a product lands one row higher.",
        lambda i, c, n: (i, (i + c + 1) % n),
    ),
    (
        "Row and column are swapped in your answer: (row, column) is asked.",
        lambda i, c, n: oracle.landing(i, c, n)[::-1],
    ),
    ("That is where the product was. It moves.", lambda i, c, n: (i, c)),
]


def _read_place(attempt: Attempt, answer: Any, right: tuple[int, int]) -> Any:
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"A pair (row, column) is asked, got {attempt.kind}.")
    return attempt.whole_numbers(answer, (2,), "The pair")


def _agree(received: Any, right: Any) -> Any:
    """Compare two pairs; in the row that is dropped, any column agrees."""
    both = np.array([received, right])
    return (both[0] == both[1]) | (both[:, 0] == -1).all()


def _kind(i: int, c: int, seq_len: int) -> str:
    """Return the words on the fate of a product."""
    if i + c + 1 >= seq_len:
        return "that counts"
    return "that becomes garbage" if i else "that is dropped"


def _problem(failure: Failure) -> str:
    return f"A product {_kind(*failure.args)} lands elsewhere."


def _garbage_example(failure: Failure) -> str:
    got, right = tuple(failure.received.tolist()), failure.right
    place = "row -1" if right[0] < 0 else right
    kind = _kind(*failure.args)
    return f"{failure.call}\ngives {got}, should be {place}, of a product {kind}"


@ask_for_function(
    "Number the entries of the padded matrix in the order of memory. Which number has "
    "the product in row i, column c of the matrix without the pad?",
    "It is in row i, column c + 1 of the padded matrix, whose rows are L + 1 long: its "
    "number is p = i (L + 1) + c + 1. Which row and column is that in rows of L?",
    "Row p // L, column p % L. The first row is dropped, so all rows move up by one: "
    "(p // L - 1, p % L).",
    right=oracle.landing,
    what="The pair",
    problem=_problem,
    mistakes=_MISTAKES,
    held=["products that count", "those that become garbage", "those that are dropped"],
    example=_garbage_example,
    read=_read_place,
    close=_agree,
)
def source_of(rng: Any) -> Any:
    """Row and column of the cell in which a product lands after the skew."""
    cases = [(i, c, n) for n in range(1, 6) for i in range(n) for c in range(n)]
    for n in (9, 40):
        cases += [(*rng.integers(n, size=2).tolist(), n) for _ in range(12)]
    cases += [(260, 270, 300), (270, 3, 300)]
    return cases
