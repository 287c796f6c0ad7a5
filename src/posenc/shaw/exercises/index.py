"""Exercises 1 and 2: the rows of all pairs, by hand and in code."""

from typing import Any

from posenc.kit.exercises.mistakes import Case, Mistakes, Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

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


_SWITCHES = {
    name: oracle.MISTAKES[name]
    for name in (
        *("swapped", "sideless", "unshifted", "unclipped", "added_first", "narrow"),
        *("lost_row", "off_query", "wrong_offset", "bottom_right"),
    )
}


def _show(failure: Failure) -> str:
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
    example=_show,
    mistakes=[
        (
            "Queries go down, keys across: here they are exchanged.",
            lambda *args, **options: oracle.index(*args, **options).T,
        ),
        *Switches(oracle.index, _SWITCHES),
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
