"""For marks: where any bucket begins, and sides with different numbers of buckets."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import Setting, bucket


def _begin(
    number: int,
    num_buckets: int,
    max_distance: int,
    *,
    strict: bool = False,
    rounded_down: bool = False,
) -> int:
    """Return the smallest n: n^m e^t >= max_distance^t e^m, t = number - e; or err."""
    e = num_buckets // 2
    m, t, n = num_buckets - e, number - e, 0
    if t < 0:
        return number
    edge = max_distance**t * e**m
    while n**m * e**t < edge or (strict and n**m * e**t == edge):
        n += 1
    return n - 1 if rounded_down and n**m * e**t > edge else n


_BEGIN_MISTAKES: Mistakes = [
    (
        "That is where the next bucket begins.",
        lambda number, b, d: _begin(number + 1, b, d),
    ),
    (
        "The edge is rounded down. The bucket begins at the first whole distance on or "
        "beyond it.",
        lambda number, b, d: _begin(number, b, d, rounded_down=True),
    ),
    (
        "That is one too far wherever an edge is a whole number: >= is asked, not >.",
        lambda number, b, d: _begin(number, b, d, strict=True),
    ),
    (
        "Exact buckets begin at their own number; the formula for the logarithmic ones "
        "does not hold for them.",
        lambda number, b, d: _begin(max(number, b // 2), b, d),
    ),
    ("That is the number of the bucket, not a distance.", lambda number, b, d: number),
]


@ask_for_function(
    "Exact buckets are simple: bucket 3 begins at distance 3. The others have "
    "t = bucket - E.",
    "Solve m log(n / E) / log(M / E) >= t for n without logarithms.",
    "The smallest n with n**m * E**t >= M**t * E**m: all of them are whole numbers.",
    right=_begin,
    what="The distance",
    problem="The bucket begins at another distance.",
    mistakes=_BEGIN_MISTAKES,
    held=["exact buckets", "logarithmic buckets, on their edges too"],
)
def bucket_begin(rng: Any) -> Any:
    """Smallest distance in a bucket of one direction, or in a later one."""
    cases = [(1, 4, 16), (2, 4, 8), (3, 4, 32), (4, 6, 24), (5, 6, 24), (12, 32, 128)]
    for _ in range(4):
        buckets = int(rng.integers(4, 20))
        most = int(rng.integers(buckets, 200))
        cases.append((int(rng.integers(1, buckets)), buckets, most))
    return [*cases, (31, 32, 128), (31, 32, 2000), (600, 1000, 2000)]


def _two_sided(
    relative_position: Any,
    *,
    before: int,
    after: int,
    max_distance: int,
    sign: int = 1,
    shift: int | None = None,
) -> Any:
    """Join two causal scales, that of keys after the query behind the other; or err."""
    shift = before if shift is None else shift
    buckets = []
    for r in np.ravel(relative_position).tolist():
        side = after if sign * r > 0 else before
        number = bucket(-abs(r), Setting(False, side, max_distance)).number
        buckets.append(number + (shift if sign * r > 0 else 0))
    return np.asarray(buckets).reshape(np.shape(relative_position))


_SIDES_MISTAKES: Mistakes = [
    (
        "The two sides are swapped: a positive relative position is a key after the "
        "query.",
        lambda r, **sizes: _two_sided(r, sign=-1, **sizes),
    ),
    (
        "Both sides share their buckets: those after the query begin at `before`.",
        lambda r, **sizes: _two_sided(r, shift=0, **sizes),
    ),
    (
        "Both sides have `before` buckets.",
        lambda r, before, after, max_distance: _two_sided(
            r, before=before, after=before, max_distance=max_distance
        ),
    ),
    (
        "The buckets after the query begin at `after`. They begin behind those before "
        "it, at `before`.",
        lambda r, before, after, max_distance: _two_sided(
            r, before=before, after=after, max_distance=max_distance, shift=after
        ),
    ),
]


def _inside(before: int, after: int, max_distance: int) -> Any:
    """Return relative positions on no edge, where a logarithm may round down."""
    sides = [Setting(False, count, max_distance) for count in (before, after)]
    return np.asarray(
        [
            r
            for r in range(-max_distance - 3, max_distance + 4)
            if not any(bucket(-abs(r), side).edge for side in sides)
        ]
    )


@ask_for_function(
    "Each side is a scale of one direction, with its own number of buckets.",
    "For keys before the query the distance is -r, for keys after it r. Each side has "
    "E = buckets // 2 exact ones.",
    "Compute both sides for all entries: np.where(r > 0, before + ahead, past).",
    uses=("t5.relative_position_bucket",),
    right=_two_sided,
    what="The array of buckets",
    problem="A relative position is in another bucket.",
    mistakes=_SIDES_MISTAKES,
    held=["both sides", "far distances in the last bucket of their side"],
    shown=["relative_position"],
)
def two_sided_bucket(rng: Any) -> Any:
    """Buckets of relative positions, of which each side has its own number."""
    cases = [(4, 2, 8), (6, 4, 24), (2, 8, 20)]
    cases.append((int(rng.integers(4, 16)), 12, int(rng.integers(20, 90))))
    listed = [
        case(_inside(b, a, m), before=b, after=a, max_distance=m) for b, a, m in cases
    ]
    few = np.concatenate([_inside(16, 12, 2000)[::97], [-40_000, 40_000]])
    return [*listed, case(few, before=16, after=12, max_distance=2000)]
