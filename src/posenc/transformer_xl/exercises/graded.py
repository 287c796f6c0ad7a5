"""For marks: how many layers a token needs, and a memory that lags behind."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import first_reached


def _layers(
    position: int, target: int, segment_len: int, memory_len: int, *, first: int = 1
) -> int:
    """Return the smallest number of layers, by trying one after another."""
    layers = first
    while first_reached(position, segment_len, memory_len, layers) > target:
        layers += 1
    return layers


_LAYER_MISTAKES: Mistakes = [
    (
        "That is how often the memory fits into the distance. Each layer also leads "
        "back to the beginning of a segment.",
        lambda p, t, s, m: max(1, -(-(p - t) // m)),
    ),
    (
        "That is how many segments lie between. A memory that is longer than a segment "
        "leads further back.",
        lambda p, t, s, m: max(1, p // s - t // s),
    ),
    (
        "One layer is missing.",
        lambda p, t, s, m: _layers(p, t, s, m) - 1,
    ),
    (
        "Each layer is taken to lead from the query's own position back by a segment "
        "and a memory.",
        lambda p, t, s, m: max(1, -(-(p - t) // (s + m))),
    ),
]


@ask_for_function(
    "Go layer by layer: which is the earliest token that one layer reaches?",
    "From p to the beginning of its segment, p - p % segment_len, and back by "
    "memory_len.",
    "Repeat that from where you are, and count until you are at the target or before.",
    right=_layers,
    what="The number of layers",
    problem="The token is known after another number of layers.",
    mistakes=_LAYER_MISTAKES,
    held=["memories shorter and longer than a segment"],
)
def layers_needed(rng: Any) -> Any:
    """Smallest number of layers after which an output can know about a token."""
    cases = [
        (3, 2, 4, 1),
        (5, 3, 4, 1),
        (9, 2, 4, 2),
        (23, 9, 8, 7),
        (40, 3, 5, 12),
        (290, 270, 4, 3),
        (600, 290, 270, 260),
    ]
    for segment, memory in rng.integers(1, 9, size=(5, 2)).tolist():
        position = int(rng.integers(10, 60))
        cases.append((position, int(rng.integers(0, position)), segment, memory))
    return cases


def _delayed(memory: Any, hidden: Any, memory_len: int, delay: int) -> Any:
    """Return the last rows but the newest ones, row by row."""
    rows = [*memory, *hidden]
    end = max(len(rows) - delay, 0)
    last = rows[max(end - memory_len, 0) : end]
    return np.asarray(last).reshape(len(last), hidden.shape[1])


_MEMORY_MISTAKES: Mistakes = [
    (
        "The delay is ignored: the newest rows are left out.",
        lambda memory, hidden, m, delay: _delayed(memory, hidden, m, 0),
    ),
    (
        "Only the segment is kept. A long memory holds rows of the old one.",
        lambda memory, hidden, m, delay: _delayed(hidden[:0], hidden, m, delay),
    ),
    (
        "With memory_len = 0 everything is kept: -0 is 0. Count from the front.",
        lambda memory, hidden, m, delay: _delayed(memory, hidden, m or 10**6, delay),
    ),
    (
        "With delay = 0 nothing is kept: rows[:-0] is empty. Count from the front.",
        lambda memory, hidden, m, delay: _delayed(
            memory, hidden, m, delay if delay else 10**6
        ),
    ),
]


@ask_for_function(
    "Put the old memory and the segment together. Where do the rows end that may be "
    "kept?",
    "end = len(rows) - delay, and the beginning is memory_len before that.",
    "rows[max(end - memory_len, 0) : end]: no negative number, so 0 is no trap.",
    right=_delayed,
    what="The memory",
    problem="The memory holds other rows.",
    mistakes=_MEMORY_MISTAKES,
    held=["rows of the old memory", "a memory of length 0, and no delay"],
    shown=["memory", "hidden"],
)
def delayed_memory(rng: Any) -> Any:
    """Last rows of memory and segment, without the newest ones."""
    cases = []
    for old, new, memory_len, delay in [
        (0, 4, 2, 1),
        (3, 4, 5, 1),
        (3, 4, 0, 1),
        (2, 5, 4, 0),
        (6, 4, 5, 3),
        (700, 700, 600, 550),
    ]:
        memory, hidden = rng.normal(size=(old, 3)), rng.normal(size=(new, 3))
        cases.append((memory.round(2), hidden.round(2), memory_len, delay))
    return cases
