"""Exercise 7: the bias of all pairs of query and key."""

from typing import Any, NamedTuple

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import MISTAKES, Setting, bucket

# None has a logarithmic edge on a whole number (but for the first and max_distance), so
# the answer's own buckets may come from logarithms in floating point.
_BIAS_SETTINGS = [
    Setting(True, 8, 16),
    Setting(False, 8, 20),
    Setting(False, 16, 45),
    Setting(True, 16, 50),
]


class BiasCase(NamedTuple):
    """One call of a bias function."""

    setting: Setting
    num_heads: int
    q_len: int
    k_len: int
    q_offset: int = 0

    @property
    def options(self) -> dict[str, Any]:
        """Keyword arguments of the call."""
        return {
            "bidirectional": self.setting.bidirectional,
            "max_distance": self.setting.max_distance,
            "q_offset": self.q_offset,
        }


_BIAS_CASES = [
    BiasCase(_BIAS_SETTINGS[0], 1, 1, 1),
    BiasCase(_BIAS_SETTINGS[0], 1, 1, 2),
    BiasCase(_BIAS_SETTINGS[0], 1, 2, 1),
    BiasCase(_BIAS_SETTINGS[1], 1, 2, 2),
    BiasCase(_BIAS_SETTINGS[0], 2, 2, 3),
    BiasCase(_BIAS_SETTINGS[1], 1, 1, 3, 2),
    BiasCase(_BIAS_SETTINGS[0], 3, 2, 5, 3),
    BiasCase(_BIAS_SETTINGS[2], 2, 4, 30, 26),
    BiasCase(_BIAS_SETTINGS[3], 2, 40, 40),
]

_BIAS_MISTAKES: Mistakes = [
    (
        "q_offset is ignored. Query i stands at position q_offset + i.",
        lambda table, case: _bias(table, case._replace(q_offset=0)),
    ),
    (
        "q_offset has the wrong sign. Query i stands at position q_offset + i.",
        lambda table, case: _bias(table, case._replace(q_offset=-case.q_offset)),
    ),
    (
        MISTAKES["swapped"],
        lambda table, case: _bias(table, case, sign=-1),
    ),
    (
        "max_distance is ignored, and 128 used instead.",
        lambda table, case: _bias(table, case, max_distance=128),
    ),
    (
        "bidirectional is ignored: the buckets are always those of two directions.",
        lambda table, case: _bias(table, case, bidirectional=True),
    ),
    (
        "bidirectional is ignored: the buckets are always those of one direction.",
        lambda table, case: _bias(table, case, bidirectional=False),
    ),
]


@exercise(
    "The bias depends on key - query alone, and there are q_len + k_len - 1 of these "
    "relative positions, from -(q_offset + q_len - 1) to k_len - 1 - q_offset. Look "
    "each up once.",
    "values = table[buckets of all of them] has one row for each. Query i needs k_len "
    "rows of it, one after the other: a window.",
    "The window of query i begins at row q_len - 1 - i. Stack the windows, and move "
    "the axis of heads to the front.",
)
def relative_position_bias(attempt: Attempt, rng: Any) -> None:
    """Bias of all queries and keys, from one look-up for each relative position."""
    setting, shape = _BIAS_SETTINGS[0], (2, 3, 4)  # three lengths, to tell axes apart
    table = rng.normal(size=(setting.num_buckets, 2))
    options = BiasCase(setting, *shape).options
    bias = attempt.choose_style(("numpy", "torch"), table, 3, 4, **options)
    _check_axes(attempt, bias, shape)
    received = []
    for case in [*_BIAS_CASES, *_random_bias_cases(rng, 4)]:
        table = rng.normal(size=(case.setting.num_buckets, case.num_heads))
        bias = attempt.ask(table, case.q_len, case.k_len, **case.options)
        shape = (case.num_heads, case.q_len, case.k_len)
        bias = attempt.real_numbers(bias, shape, "The bias")
        received.append(((table, case), bias))
    for (table, case), bias in received:
        for entry in np.argwhere(~close(bias, _bias(table, case))):
            attempt.reject(
                "A value is not the one of its bucket.",
                _show_entry(attempt, table, case, bias, tuple(entry.tolist())),
                name_mistake(received, _BIAS_MISTAKES, all_close),
            )
    attempt.held += ["every value of every head", "queries that begin at q_offset"]
    _count_look_ups(attempt, rng)


def _count_look_ups(attempt: Attempt, rng: Any) -> None:
    case = BiasCase(_BIAS_SETTINGS[0], 3, 7, 7)
    table = rng.normal(size=(case.setting.num_buckets, case.num_heads))
    attempt.ask_counting(table, case.q_len, case.k_len, **case.options)
    rows, enough = attempt.reads / case.num_heads, case.q_len + case.k_len - 1
    if rows > enough:
        call = attempt.call_text(Shown("table"), case.q_len, case.k_len, **case.options)
        attempt.reject(
            "The values are right, but it takes too many look-ups.",
            f"{call}\nreads {rows:g} rows of the table; {enough} are enough",
            ("Each pair of query and key is looked up on its own.",)
            if rows == case.q_len * case.k_len
            else (),
        )
    if rows:
        attempt.held.append("no more look-ups than there are relative positions")
    else:
        attempt.notes.append(
            "How many rows of the table it reads could not be counted: it uses torch, "
            "or copies the table first."
        )


def _bias(table: Any, case: BiasCase, *, sign: int = 1, **changes: Any) -> Any:
    setting = case.setting._replace(**changes)
    bias = np.empty((case.num_heads, case.q_len, case.k_len))
    for i in range(case.q_len):
        for j in range(case.k_len):
            r = sign * (j - (case.q_offset + i))
            bias[:, i, j] = table[bucket(r, setting).number]
    return bias


def _check_axes(attempt: Attempt, bias: Any, shape: tuple[int, int, int]) -> None:
    """Name a shape that is right but for the order or number of axes."""
    num_heads, q_len, k_len = shape
    received = np.shape(bias) if isinstance(bias, np.ndarray) else shape
    known = {
        (q_len, k_len, num_heads): "Move the axis of heads to the front.",
        (num_heads, k_len, q_len): "Queries go down, keys across: swap the last axes.",
        (1, *shape): "Leave out the batch axis: all of a batch share the bias.",
        (q_len, k_len): "The axis of heads is missing.",
    }
    if received != shape and received in known:
        attempt.reject(
            f"The bias must have shape (num_heads, q_len, k_len) = {shape}, "
            f"got {received}.",
            mistakes=(known[received],),
        )


def _show_entry(
    attempt: Attempt, table: Any, case: BiasCase, bias: Any, entry: tuple[int, ...]
) -> str:
    h, i, j = entry
    r = j - (case.q_offset + i)
    b = bucket(r, case.setting).number
    call = attempt.call_text(Shown("table"), case.q_len, case.k_len, **case.options)
    return (
        f"{call}, with a table of shape {table.shape}\n"
        f"head {h}, query {i}, key {j}: gives {bias[entry]:.4g}, should be "
        f"{table[b, h]:.4g}\n"
        f"(query at position {case.q_offset + i}, key at {j}: relative position {r}, "
        f"bucket {b})"
    )


def _random_bias_cases(rng: Any, count: int) -> list[BiasCase]:
    draws = [rng.integers(1, 13, size=4).tolist() for _ in range(count)]
    return [
        BiasCase(_BIAS_SETTINGS[a % 4], 1 + b % 3, c, d, int(rng.integers(20)))
        for a, b, c, d in draws
    ]


def close(received: Any, right: Any) -> Any:
    """Tell entries that agree; values are looked up, so only a cast can change them."""
    return np.isclose(received, right, rtol=1e-5, atol=1e-6)


def all_close(received: Any, right: Any) -> bool:
    """Tell whether all entries agree."""
    return bool(close(received, right).all())
