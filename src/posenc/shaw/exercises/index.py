"""Exercises 1 to 5: rows of all pairs, position scores, what is clipped."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, WrongError
from posenc.kit.exercises.mistakes import Case, Mistakes, Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value, close

from . import oracle

#: Query and key of each question, in six words with k = 2.
PAIRS = ((0, 0), (0, 1), (0, 2), (0, 5), (3, 2), (3, 0), (3, 5), (5, 4), (5, 0))


def _by_hand(mistakes: tuple[str, ...] = ()) -> list[int]:
    return [oracle.row(i, j, 2, mistakes=mistakes) for i, j in PAIRS]


_BY_HAND_MISTAKES: Mistakes = [
    *(
        (oracle.MISTAKES[name], _by_hand((name,)))
        for name in ("swapped", "unshifted", "unclipped", "added_first", "narrow")
    ),
    (oracle.MISTAKES["sideless"], _by_hand(("sideless",))),
    (oracle.MISTAKES["sideless"], _by_hand(("sideless", "unshifted"))),
    (
        "Everything farther to the right gets row k here. Row k is the token itself; "
        "the rightmost vector has row 2k.",
        [2 if j - i >= 2 else oracle.row(i, j, 2) for i, j in PAIRS],
    ),
    (
        "These are places in a table for all relative positions of six words, without "
        "clipping: the token itself has row 5 there.",
        [j - i + 5 for i, j in PAIRS],
    ),
    ("Rows begin at 0, not at 1.", [row + 1 for row in _by_hand()]),
]


def _line(place: int, row: int) -> str:
    i, j = PAIRS[place]
    return f"query {i}, key {j}: not row {row}"


@ask_for_value(
    "Take the relative position first, key - query: for query 3 and key 2 it is -1.",
    "Clip it: what is below -2 becomes -2, what is above 2 becomes 2.",
    "Then add k = 2, so that the smallest possible row is 0: -2, -1, 0, 1, 2 become "
    "0, 1, 2, 3, 4.",
    what="The list of rows",
    entry="a row",
    line=_line,
    mistakes=_BY_HAND_MISTAKES,
    held=["all nine rows"],
)
def index_by_hand() -> list[int]:
    """Row of the vector for nine pairs of query and key, by hand."""
    return _by_hand()


_ROW_SWITCHES = {
    name: oracle.MISTAKES[name]
    for name in (
        *("swapped", "sideless", "unshifted", "unclipped", "added_first", "narrow"),
        *("lost_row", "off_query", "wrong_offset", "bottom_right"),
    )
}


def _show_row(failure: Failure) -> str:
    (i, j), q_offset = failure.entry, failure.case.kwargs["q_offset"]
    return (
        f"{failure.call}[{i}, {j}]\n{failure.gives}\n"
        f"(query at position {q_offset + i}, key at {j}: relative position "
        f"{j - q_offset - i})"
    )


@ask_for_function(
    "Make a row of key positions 0 ... k_len - 1 and a column of query positions "
    "q_offset ... q_offset + q_len - 1. Their difference broadcasts to a table.",
    "Key minus query, then clip to -k ... k: np.clip does it for a whole array.",
    "Add k = max_distance at the end, after clipping, so that the smallest row is 0.",
    right=oracle.index,
    what="The table",
    axes="(q_len, k_len)",
    problem="A row is not right.",
    example=_show_row,
    mistakes=[
        (
            "Queries go down, keys across: here they are exchanged.",
            lambda *args, **options: oracle.index(*args, **options).T,
        ),
        *Switches(oracle.index, _ROW_SWITCHES),
    ],
    held=[
        "rows from 0 to 2k, the token itself in row k",
        "everything beyond k shares the outermost vector",
        "queries that begin at q_offset",
    ],
)
def relative_position_index(rng: Any) -> list[Case]:
    """Row of the vector for all queries and keys, for any clipping distance."""
    cases = [(1, 1, 1, 0), (1, 2, 1, 0), (2, 1, 1, 0), (2, 3, 1, 0), (3, 3, 0, 0)]
    cases += [(1, 4, 1, 3), (5, 5, 2, 0), (3, 7, 2, 4), (10, 10, 3, 0), (4, 4, 9, 0)]
    cases += rng.integers((1, 1, 1, 0), (13, 13, 13, 12), size=(5, 4)).tolist()
    cases += [
        (1, 1400, 700, 700),
        (700, 1, 600, 0),
        (2, 3, 50_000, 0),
        (1, 3, 50_000, 40_000),
    ]
    return [case(*lengths, k, q_offset=offset) for *lengths, k, offset in cases]


_TOO_LARGE = (
    "An array with one vector for every pair in every head and sequence: B H L L d "
    "numbers. The vectors are the same for all of them, so L L d are enough."
)

_TOO_MANY = (
    "2k + 1 products for each query, most of which no pair needs here. Multiply the "
    "queries at a position with the k_len vectors of that position alone."
)


def _unturned(q: Any, table: Any, k_len: int) -> Any:
    """Exchange the first axes by a reshape, which does not move a number."""
    *batch, q_len, head_dim = q.shape
    turned = q.reshape(q_len, -1, head_dim)
    return np.moveaxis(_products(turned, table, k_len), 0, 1).reshape(
        *batch, q_len, k_len
    )


def _not_turned_back(q: Any, table: Any, k_len: int) -> Any:
    """Exchange the axes properly, but go back by a reshape."""
    turned = np.moveaxis(q.reshape(-1, *q.shape[-2:]), 1, 0)
    return _products(turned, table, k_len).reshape(*q.shape[:-1], k_len)


def _products(turned: Any, table: Any, k_len: int) -> Any:
    index = oracle.index(len(turned), k_len, len(table) // 2)
    return np.stack([x @ table[index[i]].T for i, x in enumerate(turned)])


_SCORE_MISTAKES: Mistakes = [
    (
        "The axes are exchanged by reshape alone. It does not move a number: first "
        "transpose, then reshape.",
        _unturned,
    ),
    (
        "The way back is a reshape alone: the products have the query in front. "
        "Transpose it to where it was.",
        _not_turned_back,
    ),
    *(
        (
            oracle.MISTAKES[name],
            lambda q, table, k_len, name=name: oracle.scores(
                q, table, k_len, mistakes=[name]
            ),
        )
        for name in ("swapped", "unshifted", "unclipped", "narrow")
    ),
    (
        "The scores are divided by sqrt(d) here. The task leaves that to the softmax.",
        lambda q, table, k_len: oracle.scores(q, table, k_len, mistakes=["scaled"]),
    ),
]


def _try_many(attempt: Attempt, rng: Any) -> None:
    """Try 32 heads of 176 tokens, where superfluous arrays would take 5 GB.

    First the vectors are so wide that one for each pair of every head is too much. Then
    the table is so long that a product of each query with each row is.
    """
    _try_large_scores(attempt, rng, 640, 2, _TOO_LARGE)
    _try_large_scores(attempt, rng, 4, 60_000, _TOO_MANY)


def _try_large_scores(
    attempt: Attempt, rng: Any, width: int, k: int, mistake: str
) -> None:
    q, table = _draw_scores(rng, (4, 8, 176, width), k)
    size = f"32 heads with 176 tokens, d = {width} and k = {k:,}"
    try:
        answer = attempt.ask(q, table, 176)
    except WrongError as wrong:
        if "alloc" in wrong.problem or "Memory" in wrong.problem:
            wrong.mistakes = (mistake,)
        attempt.reject(f"It needs too much for {size}.", wrong.problem, wrong.mistakes)
    out = attempt.real_numbers(answer, (4, 8, 176, 176), "The large array of scores")
    few = oracle.scores(q[:, :, :2], table, 176)
    if not close(out[:, :, :2], few).all():
        attempt.reject(f"The scores of {size} are not right.")
    attempt.held.append(f"{size}: fits into memory")


def _draw_scores(rng: Any, shape: tuple[int, ...], k: int) -> tuple[Any, Any]:
    return rng.normal(size=shape), rng.normal(size=(2 * k + 1, shape[-1]))


def _show_score(failure: Failure) -> str:
    q, key_table, _ = failure.args
    return (
        f"{failure.call}, with q of shape {q.shape} and key_table of shape "
        f"{key_table.shape}\nentry {failure.entry}: {failure.gives}"
    )


@ask_for_function(
    "vectors = key_table[index] has the shape (L, k_len, d): for each query position i "
    "a matrix of k_len vectors. All B H queries at position i meet the same matrix.",
    "So bring the query position to the front: (B, H, L, d) -> (L, B, H, d) by a "
    "transpose, then -> (L, B H, d) by a reshape.",
    "(L, B H, d) @ (L, d, k_len) gives (L, B H, k_len). Reshape to "
    "(L, B, H, k_len) and transpose the first axis to the third place.",
    right=oracle.scores,
    what="The array of scores",
    problem="A score is not the product of its query and its vector.",
    example=_show_score,
    shown=["q", "key_table"],
    mistakes=_SCORE_MISTAKES,
    held=["every score of every head and sequence"],
    first=lambda rng: case(*_draw_scores(rng, (1, 1, 2, 3), 1), 2),
    then=_try_many,
    uses=("shaw.relative_position_index",),
)
def position_scores(rng: Any) -> Any:
    """Position part of the scores, by one matrix product for each query position."""
    shapes = [
        ((1, 1, 1, 1), 0, 1),
        ((1, 1, 1, 2), 1, 3),
        ((1, 1, 3, 2), 1, 3),
        ((2, 3, 4, 5), 2, 4),
        ((3, 2, 6, 4), 2, 5),
        ((2, 2, 5, 3), 7, 9),
        ((1, 1, 2, 2), 650, 700),
    ]
    return [(*_draw_scores(rng, shape, k), k_len) for shape, k, k_len in shapes]


def _pairs(seq_len: int, k: int) -> int:
    """Count the pairs at distance k or more, offset by offset."""
    return sum(seq_len - abs(r) for r in range(1 - seq_len, seq_len) if abs(r) >= k)


_PAIR_MISTAKES: Mistakes = [
    (
        "That counts the pairs farther apart than k. The pairs at distance k use the "
        "outermost vectors as well.",
        lambda n, k: _pairs(n, k + 1),
    ),
    (
        "That counts one side only: keys before the query and keys after it.",
        lambda n, k: _pairs(n, k) // 2,
    ),
    (
        "That counts the pairs with a vector of their own.",
        lambda n, k: n * n - _pairs(n, k),
    ),
    (
        "That counts relative positions, not pairs: relative position r occurs "
        "seq_len - |r| times.",
        lambda n, k: 2 * max(n - k, 0),
    ),
    (
        "That takes seq_len pairs for every relative position. Near the ends of the "
        "sentence there are fewer: relative position r occurs seq_len - |r| times.",
        lambda n, k: 2 * max(n - k, 0) * n,
    ),
    (
        "That counts the pairs farther apart than k: those at distance k use the "
        "outermost vectors as well. And if k > seq_len there are none.",
        lambda n, k: (n - k) * (n - k - 1),
    ),
    (
        "A triangle with legs of m cells has m (m + 1) / 2 cells, not m^2 / 2: the "
        "diagonal counts in full.",
        lambda n, k: max(n - k, 0) ** 2,
    ),
    (
        "The formula without its lower limit: if k > seq_len there are none.",
        lambda n, k: (n - k) * (n - k + 1),
    ),
]


def _try_large_text(attempt: Attempt, rng: Any) -> None:
    k = 5  # seq_len - k is 64 n + 1: half of the product fits no 64-bit float
    large = 10**9 + 64 * int(rng.integers(1000)) + 1 + k
    answer = attempt.ask(large, k)
    number = int(attempt.whole_numbers(answer, (), "The number of pairs"))
    if number != (large - k) * (large - k + 1):
        attempt.reject(
            "Right for short sentences, but not for a very long one.",
            attempt.call_text(large, k),
            ("Floating point rounds such numbers: divide with //.",),
        )
    attempt.held.append("a sentence of a billion tokens")


@ask_for_function(
    "How many pairs of a query and a key have the relative position r? Draw the table: "
    "it is the length of a diagonal.",
    "A diagonal has seq_len - |r| cells. Add them up for r = k, k + 1, ..., "
    "seq_len - 1, and double it for the other side.",
    "1 + 2 + ... + m = m (m + 1) / 2, with m = seq_len - k. If k > seq_len, there are "
    "no such pairs.",
    right=_pairs,
    what="The number of pairs",
    problem="The number of pairs is not right.",
    mistakes=_PAIR_MISTAKES,
    held=["the number of pairs, counted one by one"],
    then=_try_large_text,
)
def outermost_pairs(rng: Any) -> Any:
    """Count the pairs that use one of the two outermost vectors."""
    small = [(n, k) for n in range(1, 8) for k in range(1, 9)]
    drawn = rng.integers(8, 60, size=(10, 2)).tolist()
    return [*small, *map(tuple, drawn), (700, 600)]


def _layers(distance: int, k: int) -> int:
    """Return the smallest number of steps up to k - 1 that add up to the distance."""
    steps = 0
    while distance > 0:
        distance -= k - 1
        steps += 1
    return steps


_LAYER_MISTAKES: Mistakes = [
    (
        "You let a step have length k. But the vector of distance k serves everything "
        "beyond as well: it does not say how far.",
        lambda n, k: -(-n // k),
    ),
    (
        "The division is rounded down. What is left over needs a layer of its own.",
        lambda n, k: n // (k - 1),
    ),
    (
        "That is one layer too many where the steps fit exactly.",
        lambda n, k: n // (k - 1) + 1,
    ),
    (
        "You let a step have length 2k + 1. A step goes to one side.",
        lambda n, k: -(-n // (2 * k + 1)),
    ),
]


@ask_for_function(
    "Which distances have a vector that no other distance of a long sentence uses?",
    "Distances 0 to k - 1. So a step of known length is at most k - 1 long, and each "
    "layer makes one step.",
    "Divide the distance by k - 1 and round up: -(-distance // (k - 1)).",
    right=_layers,
    what="The number of layers",
    problem="The number of layers is not right.",
    mistakes=_LAYER_MISTAKES,
    held=["the smallest number of steps"],
)
def layers_to_know(rng: Any) -> Any:
    """Smallest number of layers whose steps of known length add up to a distance."""
    small = [(n, k) for n in range(1, 10) for k in range(2, 6)]
    drawn = rng.integers(2, 300, size=(10, 2)).tolist()
    return [*small, *map(tuple, drawn), (700, 3), (2000, 600), (40_000, 39_000)]
