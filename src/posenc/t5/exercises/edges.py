"""Exercises 4 to 7: the last bucket, unused ones, room for all, settings to find."""

import math
import operator
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_function
from posenc.kit.exercises.widget_answers import check_ranges, read_setting

from .oracle import Setting, bucket, bucket_starts, random_settings

# Edges that are whole numbers, but not if computed by a root of e / max_distance (the
# first two) or of max_distance / e (the others): that comes out a hair above.
_ROOT_TRAPS = [(5, 54), (6, 81), (9, 128), (10, 160)]


def _last_start(
    num_buckets: int,
    max_distance: int,
    *,
    strict: bool = False,
    rounded_down: bool = False,
    back: int = 1,
) -> int:
    """Return the smallest n with n^m e^t >= max_distance^t e^m at t = m - 1; or err."""
    e = num_buckets // 2
    m = num_buckets - e
    t, n = m - back, 0
    edge = max_distance**t * e**m
    while n**m * e**t < edge or (strict and n**m * e**t == edge):
        n += 1
    return n - 1 if rounded_down and n**m * e**t > edge else n


_ROOT = (
    "A root in floating point. Where the edge is a whole number it may come out a hair "
    "above, and rounding up then goes one too far. Compare powers of whole numbers."
)
_LAST_START_MISTAKES: Mistakes = [
    (
        "That is max_distance, where the bucket after the last would begin. The last "
        "one begins a step earlier on the scale.",
        lambda b, d: d,
    ),
    (
        "That is the last bucket of one direction if there are two. Here all buckets "
        "serve one.",
        lambda b, d: _last_start(b // 2, d),
    ),
    (
        "That is one too far wherever the edge is a whole number: >= is asked, not >.",
        lambda b, d: _last_start(b, d, strict=True),
    ),
    (
        "The edge is rounded down. The bucket begins at the first whole distance on or "
        "beyond the edge.",
        lambda b, d: _last_start(b, d, rounded_down=True),
    ),
    (
        "That is where the last bucket but one begins.",
        lambda b, d: _last_start(b, d, back=2),
    ),
    (_ROOT, lambda b, d: math.ceil(d * (b // 2 / d) ** (1 / (b - b // 2)))),
    (
        _ROOT,
        lambda b, d: math.ceil(
            b // 2 * (d / (b // 2)) ** ((b - b // 2 - 1) / (b - b // 2))
        ),
    ),
]


@ask_for_function(
    "The last of the m logarithmic buckets is the one with t = m - 1.",
    "It begins at the smallest n with m log(n / E) / log(M / E) >= m - 1. Multiply by "
    "the denominator, then take the logarithm away on both sides.",
    "(n / E)^m >= (M / E)^(m - 1). Multiply by E^m: n^m >= M^(m - 1) E. All of these "
    "are whole numbers: count n up from E until it holds.",
    right=_last_start,
    what="The result",
    problem="The last bucket begins elsewhere.",
    mistakes=_LAST_START_MISTAKES,
    held=[
        "every small setting",
        "T5's own decoder (32 buckets, max_distance 128)",
        "edges that a floating-point root misses",
    ],
)
def last_bucket_start(rng: Any) -> Any:
    """First distance of the last bucket of a causal T5 bias."""
    cases = [(b, b // 2 + 1 + j) for b in range(2, 10) for j in range(12)]
    cases += [(32, 128), *_ROOT_TRAPS]
    for b in rng.integers(3, 40, size=10).tolist():
        cases.append((b, b // 2 + int(rng.integers(1, 1000))))
    return sorted(set(cases))


def _unused(
    num_buckets: int, max_distance: int, both: bool, keys: range | None = None
) -> list[int]:
    """Return the buckets that none of the keys falls into, by default no key at all."""
    setting = Setting(both, num_buckets, max_distance)
    keys = range(-max_distance, max_distance + 1) if keys is None else keys
    used = {bucket(r, setting).number for r in keys}
    return [b for b in range(num_buckets) if b not in used]


_UNUSED_MISTAKES: Mistakes = [
    (
        "With two directions, bucket num_buckets / 2 is missing in your list. It would "
        "hold keys after the query at distance 0, and there are none.",
        lambda b, d, both: [x for x in _unused(b, d, both) if not both or x != b // 2],
    ),
    (
        "Bucket num_buckets / 2 is not the only one. Where max_distance is small, the "
        "scale is so fine that some buckets hold no whole distance at all.",
        lambda b, d, both: [b // 2] if both else [],
    ),
    (
        "With one direction, bucket num_buckets / 2 is an ordinary one: the first "
        "logarithmic one.",
        lambda b, d, both: sorted({*_unused(b, d, both), b // 2}),
    ),
    (
        "You look at keys before the query only. There are keys after it as well.",
        lambda b, d, both: _unused(b, d, both, range(-d, 1)),
    ),
    (
        "You look at keys after the query only. There are keys before it as well.",
        lambda b, d, both: _unused(b, d, both, range(d + 1)),
    ),
    (
        "You look at distances below num_buckets only. The last bucket may need "
        "distances up to max_distance.",
        lambda b, d, both: _unused(b, d, both, range(-b + 1, b)),
    ),
]


def _read_list(attempt: Attempt, answer: Any, right: list[int]) -> list[int]:
    """Return the answer as a sorted list of numbers."""
    if not isinstance(answer, list | np.ndarray) or np.ndim(answer) != 1:
        attempt.reject(f"The answer must be a list of buckets, got {attempt.kind}.")
    if len(answer) == 0:
        return []  # an empty list has no dtype
    numbers = attempt.whole_numbers(answer, (len(answer),), "The list of buckets")
    return [int(b) for b in sorted(numbers)]


@ask_for_function(
    "No formula is needed: compute the bucket of every relative position that matters, "
    "and see which numbers never come up.",
    "From max_distance on nothing changes. So the relative positions from "
    "-max_distance to max_distance are enough.",
    "used = the set of all buckets of np.arange(-max_distance, max_distance + 1); the "
    "answer is [b for b in range(num_buckets) if b not in used].",
    right=_unused,
    what="The list of buckets",
    read=_read_list,
    close=operator.eq,
    problem="Other buckets stay unused.",
    mistakes=_UNUSED_MISTAKES,
    held=[
        "bucket num_buckets / 2, if there are two directions",
        "logarithmic buckets that are too narrow to hold a whole number",
    ],
    uses=("t5.relative_position_bucket", "t5.bucket_starts"),
)
def unused_buckets(rng: Any) -> Any:
    """Buckets that no relative position ever falls into."""
    settings = [
        Setting(False, 4, 8),
        Setting(True, 8, 16),
        Setting(False, 8, 6),
        Setting(True, 12, 4),
        Setting(False, 12, 128),
        Setting(True, 24, 10),
        Setting(False, 32, 20),
        Setting(True, 32, 128),
        *random_settings(rng, 5),
    ]
    return [
        (num_buckets, max_distance, both)
        for both, num_buckets, max_distance in sorted(settings, key=Setting.size)
    ]


def _enough(num_buckets: int) -> int:
    """Return the smallest max_distance from which on no bucket of a side is empty."""
    distance = _bound(num_buckets)
    while distance > num_buckets // 2 + 1:
        if None in bucket_starts(Setting(False, num_buckets, distance - 1)):
            break
        distance -= 1
    return distance


def _bound(num_buckets: int) -> int:
    """Return the smallest max_distance at which each step is one token or longer."""
    e = num_buckets // 2
    m, distance = num_buckets - e, e + 1
    while distance * e ** (m - 1) < (e + 1) ** m:
        distance += 1
    return distance


_ENOUGH_MISTAKES: Mistakes = [
    (
        "That is the bound of the proof. It is enough, but often less is enough, too: "
        "search below it.",
        _bound,
    ),
    (
        "That one still leaves a bucket empty: the answer is one more.",
        lambda b: _enough(b) - 1,
    ),
    (
        "That is the number of buckets. As many distances are not always enough, and "
        "sometimes fewer are: it depends on where the edges fall.",
        lambda b: b,
    ),
    (
        "That is the answer for two directions. Here all buckets serve one.",
        lambda b: _enough(max(b // 2, 2)),
    ),
]


@ask_for_function(
    "A bucket that is one token long or longer holds a whole distance. The logarithmic "
    "buckets grow: which one is the narrowest?",
    "The first one leads from E to E times rho, where rho to the power m is M / E. So "
    "ask for E (rho - 1) >= 1.",
    "That is M * E**(m - 1) >= (E + 1)**m. Go down from the smallest such M, while "
    "posenc.t5.bucket_starts gives no distance twice for M - 1.",
    right=_enough,
    what="The result",
    problem="Another max_distance is the smallest.",
    mistakes=_ENOUGH_MISTAKES,
    held=["few buckets and many", "T5's own decoder (32 buckets)"],
    uses=("t5.bucket_starts", "t5.relative_position_bucket"),
)
def enough_distance(rng: Any) -> Any:
    """Smallest max_distance from which on no bucket of one direction is empty."""
    drawn = rng.integers(17, 40, size=3).tolist()
    return [(b,) for b in sorted({*range(2, 17), 32, *drawn})]


@exercise(
    "First part: a bucket must begin at distance 20 and must not end before 30. Change "
    "one slider at a time, and watch the step of the staircase nearest to 20.",
    "Fewer buckets make wide steps; max_distance then moves the edges. Second part: "
    "empty buckets appear when max_distance is hardly more than the exact range.",
    "First part: try 16 buckets for two directions and move max_distance. Second part: "
    "many causal buckets, and max_distance a little more than half of them.",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Two settings with a given property, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"The answer is a list of two settings, got {attempt.kind}.")
    shared = _read_setting(attempt, "first", answer[0])
    n19, n20, n30 = (bucket(-n, shared).number for n in (19, 20, 30))
    shown = (
        f"Your first setting puts distances 19, 20, 30 in buckets {n19}, {n20}, {n30}"
    )
    if n20 != n30:
        attempt.reject(
            "Distances 20 and 30 must share a bucket.", f"{shown}\n{_holds(shared)}"
        )
    if n19 == n20:
        attempt.reject(
            "Distances 19 and 20 must be in different buckets.",
            f"{shown}\n{_holds(shared)}",
        )
    attempt.held.append("distances 20 and 30 share a bucket that 19 is not in")
    narrow = _read_setting(attempt, "second", answer[1])
    empty = [b for b, n in enumerate(bucket_starts(narrow)) if n is None]
    if len(empty) != 3:
        shown = (
            f"Your second setting has {len(empty)} empty buckets per direction: {empty}"
        )
        attempt.reject("Exactly three logarithmic buckets must be empty.", shown)
    attempt.held.append("exactly three logarithmic buckets are empty")


def _holds(setting: Setting) -> str:
    """Return the words on the distances that share the bucket of distance 20."""
    numbers = [bucket(-n, setting).number for n in range(4 * setting.max_distance)]
    if len(numbers) <= 20 or numbers[20] == numbers[-1]:
        start = next(n for n in range(21) if bucket(-n, setting).number == numbers[-1])
        return f"the bucket of 20 begins at {start} and has no end"
    inside = [n for n, number in enumerate(numbers) if number == numbers[20]]
    return f"the bucket of 20 holds distances {inside[0]} to {inside[-1]}"


def _read_setting(attempt: Attempt, which: str, value: Any) -> Setting:
    what = f"The {which} setting"
    values = read_setting(attempt, what, value, Setting._fields)
    check_ranges(
        attempt, what, values, {"num_buckets": (1, 4096), "max_distance": (1, 4096)}
    )
    setting = Setting(**{**values, "bidirectional": bool(values["bidirectional"])})
    if setting.flaw():
        attempt.reject(f"{what} is impossible: {setting.flaw()}.")
    return setting
