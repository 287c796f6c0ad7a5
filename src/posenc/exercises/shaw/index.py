"""Exercises 1 and 2: the table of indices, by hand and in code."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, is_blank, name_mistake
from .._registry import exercise
from . import oracle

#: Query and key of each question, in six words with k = 2.
PAIRS = ((0, 0), (0, 1), (0, 2), (0, 5), (3, 2), (3, 0), (3, 5), (5, 4), (5, 0))
_CLIP = 2

_BY_HAND_MISTAKES: Mistakes = [
    (
        oracle.MISTAKES[name],
        lambda i, j, name=name: oracle.row(i, j, 2, mistakes=[name]),
    )
    for name in ("swapped", "unshifted", "unclipped", "narrow")
] + [
    (
        "Everything farther to the right gets index k here. Index k is the token "
        "itself; the rightmost vector has index 2k.",
        lambda i, j: 2 if j - i >= 2 else oracle.row(i, j, 2),
    ),
    (
        "These are places in a table for all relative positions of six words, without "
        "clipping: the token itself is at index 5 there.",
        lambda i, j: j - i + 5,
    ),
    ("Indices begin at 0, not at 1.", lambda i, j: oracle.row(i, j, 2) + 1),
]


@exercise(
    "Take the relative position first, key - query: for query 3 and key 2 it is -1.",
    "Clip it: what is below -2 becomes -2, what is above 2 becomes 2.",
    "Then add k = 2, so that the smallest possible index is 0: -2, -1, 0, 1, 2 become "
    "0, 1, 2, 3, 4.",
    asks_for="value",
)
def index_by_hand(attempt: Attempt, rng: Any) -> None:
    """Index of the vector for nine pairs of query and key, by hand."""
    answer = attempt.ask_for_list()
    if isinstance(answer, list) and any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each by an index.")
    numbers = attempt.whole_numbers(answer, (len(PAIRS),), "The list of indices")
    received = [(pair, int(n)) for pair, n in zip(PAIRS, numbers, strict=True)]
    wrong = [(i, j, n) for (i, j), n in received if n != oracle.row(i, j, _CLIP)]
    if wrong:
        lines = [f"query {i}, key {j}: not index {n}" for i, j, n in wrong]
        attempt.reject(
            f"{len(wrong)} of {len(PAIRS)} are not right.",
            "\n".join(lines),
            name_mistake(received, _BY_HAND_MISTAKES),
        )
    attempt.held.append("all nine indices")


_SWITCHES = ("swapped", "unshifted", "unclipped", "narrow", "off_query", "wrong_offset")


@exercise(
    "Make a row of key positions 0 ... k_len - 1 and a column of query positions "
    "q_offset ... q_offset + q_len - 1. Their difference broadcasts to a table.",
    "Key minus query, then clip to -k ... k: np.clip does it for a whole array.",
    "Add k = max_distance at the end, after clipping, so that the smallest index is 0.",
)
def relative_position_index(attempt: Attempt, rng: Any) -> None:
    """Index of the vector for all queries and keys, for any clipping distance."""
    cases = [(1, 1, 1, 0), (1, 2, 1, 0), (2, 1, 1, 0), (2, 3, 1, 0), (3, 3, 0, 0)]
    cases += [(1, 4, 1, 3), (5, 5, 2, 0), (3, 7, 2, 4), (10, 10, 3, 0), (4, 4, 9, 0)]
    for draw in rng.integers(1, 13, size=(5, 4)).tolist():
        cases.append((draw[0], draw[1], draw[2], draw[3] - 1))
    received = []
    for q_len, k_len, k, q_offset in cases:
        answer = attempt.ask(q_len, k_len, k, q_offset=q_offset)
        _name_transpose(attempt, answer, (q_len, k_len))
        table = attempt.whole_numbers(answer, (q_len, k_len), "The table")
        received.append(((q_len, k_len, k, q_offset), table))
    for case, table in received:
        right = _index(case)
        if not np.array_equal(table, right):
            i, j = np.argwhere(table != right)[0].tolist()
            q_len, k_len, k, q_offset = case
            call = attempt.call_text(q_len, k_len, k, q_offset=q_offset)
            attempt.reject(
                "An index is not right.",
                f"{call}[{i}, {j}]\ngives {table[i, j]}, should be {right[i, j]}\n"
                f"(query at position {q_offset + i}, key at {j}: relative position "
                f"{j - q_offset - i})",
                oracle.diagnose(lambda m: _explains(received, m), _SWITCHES),
            )
    attempt.held += [
        "indices from 0 to 2k, the token itself at k",
        "everything beyond k shares the outermost vector",
        "queries that begin at q_offset",
    ]


def _index(case: tuple[int, ...], mistakes: tuple[str, ...] = ()) -> Any:
    q_len, k_len, k, q_offset = case
    return oracle.index(q_len, k_len, k, q_offset=q_offset, mistakes=mistakes)


def _explains(received: Any, mistakes: tuple[str, ...]) -> bool:
    return all(
        np.array_equal(table, _index(case, mistakes)) for case, table in received
    )


def _name_transpose(attempt: Attempt, answer: Any, shape: tuple[int, int]) -> None:
    got = np.shape(answer) if isinstance(answer, np.ndarray) else shape
    if got == shape[::-1] != shape:
        attempt.reject(
            f"The table must have shape (q_len, k_len) = {shape}, got {got}.",
            mistakes=("Queries go down, keys across: here they are exchanged.",),
        )
