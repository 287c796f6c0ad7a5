"""T5's buckets in plain loops over whole numbers, right or with known mistakes.

It serves the exercises' judge and tests, and shares no code with `posenc.t5`. Each
mistake is a switch.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

#: Sentences for a learner whose results show the switch.
MISTAKES = {
    "swapped": "The two directions are swapped. A relative position is key - query: "
    "positive means that the key comes after the query.",
    "swapped_halves": "With bidirectional=True the two directions are swapped: keys "
    "after the query (positive relative position) have the upper half of the buckets.",
    "looks_ahead": "With bidirectional=False the two directions are swapped: the "
    "distance that counts is that of keys before the query.",
    "zero_after": "A key at the query itself is counted as after it (>= 0 for > 0), so "
    "distance 0 lands in bucket num_buckets / 2.",
    "unhalved": "The buckets are not shared out: with bidirectional=True each "
    "direction has num_buckets / 2.",
    "one_direction": "Both directions get the same buckets: with bidirectional=True "
    "num_buckets / 2 is added for keys after the query.",
    "one_too_low": "Keys after the query are one bucket too low: add B, the number of "
    "buckets of one direction, to the bucket of the distance. So distance 1 has bucket "
    "B + 1.",
    "mirrored": "With bidirectional=False, keys after the query are treated like keys "
    "before it. They belong in bucket 0.",
    "unclamped": "Far distances run past the last bucket: the minimum with the number "
    "of the last bucket is missing.",
    "capped_low": "The minimum is one too low: the last bucket of a direction has "
    "number B - 1.",
    "last_at_max": "The last bucket begins at max_distance, since the scale has one "
    "step too few. At max_distance it reaches the bucket after the last.",
    "full_scale": "The logarithm is multiplied by the number of all buckets of the "
    "direction. Only those beyond the exact ones are logarithmic.",
    "from_one": "The logarithmic scale begins at distance 1. It begins where the exact "
    "buckets end: divide both distances by E.",
    "whole_ratio": "The scale ends too late: divide by log(max_distance / E), not by "
    "log(max_distance).",
    "rounded": "The logarithmic part is rounded to the nearest number. Round it down.",
    "ceiled": "The logarithmic part is rounded up. Round it down.",
    "linear": "Far buckets are equally wide. On a logarithmic scale each is wider than "
    "the one before by the same factor.",
}
MISTAKES |= {
    "always_both": "bidirectional is ignored: the buckets are always those of two "
    "directions.",
    "always_causal": "bidirectional is ignored: the buckets are always those of one "
    "direction.",
}

LOG_OF_ZERO = (
    "The logarithm of 0 is taken at distance 0. Distances below E need no logarithm."
)
STRICT = "A distance on an edge belongs to the bucket that begins there: >=, not >."


class Setting(NamedTuple):
    """The three parameters of the buckets."""

    bidirectional: bool
    num_buckets: int
    max_distance: int

    @property
    def side(self) -> int:
        """Buckets of one direction."""
        return self.num_buckets // 2 if self.bidirectional else self.num_buckets

    @property
    def exact(self) -> int:
        """Distances with a bucket of their own."""
        return self.side // 2

    def size(self) -> tuple[int, int, bool]:
        """Return a sort key, with fewest buckets first."""
        return self.num_buckets, self.max_distance, self.bidirectional

    def flaw(self) -> str:
        """Return the reason why there are no such buckets, or ""."""
        least = 4 if self.bidirectional else 2
        if self.num_buckets < least:
            return f"num_buckets must be at least {least}"
        if self.bidirectional and self.num_buckets % 2:
            return "num_buckets must be even when both directions share it"
        if self.max_distance <= self.exact:
            return f"max_distance must be more than {self.exact}, the exact range"
        return ""


class Bucket(NamedTuple):
    """A bucket number; `edge` if the distance lies exactly where the bucket begins.

    There a logarithm in floating point may come out below the whole number that it is.
    `undefined` is True if a mistake leaves no distance to begin the scale at. The
    logarithm then gives numbers by chance.
    """

    number: int
    edge: bool
    undefined: bool = False

    def fits(self, received: int) -> bool:
        """Return True for this bucket, or one less by rounding on an edge."""
        if self.undefined:
            return True
        return received == self.number or (self.edge and received == self.number - 1)


def bucket(r: int, setting: Setting, mistakes: Iterable[str] = ()) -> Bucket:
    """Return the bucket of the relative position r = key - query."""
    mistakes = frozenset(mistakes)
    if "always_both" in mistakes or "always_causal" in mistakes:
        setting = setting._replace(bidirectional="always_both" in mistakes)
    swapped = "swapped_halves" if setting.bidirectional else "looks_ahead"
    r = -r if "swapped" in mistakes or swapped in mistakes else r
    side = setting.num_buckets if "unhalved" in mistakes else setting.side
    both = setting.bidirectional
    n = abs(r) if both or "mirrored" in mistakes else max(-r, 0)
    result = Bucket(n, False)
    if side < 2:
        result = Bucket(0, False, undefined=True)
    elif n >= side // 2:
        result = _far(n, side, setting.max_distance, mistakes)
        last = side - 1 - ("capped_low" in mistakes)
        if "unclamped" not in mistakes and result.number > last:
            result = Bucket(last, False)
    after = r > 0 or (r == 0 and "zero_after" in mistakes)
    shift = side if both and after and "one_direction" not in mistakes else 0
    shift -= "one_too_low" in mistakes and both and r > 0
    return result._replace(number=result.number + shift)


def bias(
    table: Any,
    q_len: int,
    k_len: int,
    *,
    bidirectional: bool,
    max_distance: int,
    q_offset: int = 0,
    sign: int = 1,
) -> Any:
    """Return the table's row for every query and key, with the heads in front."""
    setting = Setting(bidirectional, len(table), max_distance)
    out = np.empty((table.shape[1], q_len, k_len))
    for i in range(q_len):
        for j in range(k_len):
            r = sign * (j - (q_offset + i))
            out[:, i, j] = table[bucket(r, setting).number]
    return out


def bucket_starts(setting: Setting) -> list[int | None]:
    """Return the first distance of each bucket of one direction, None if empty."""
    starts: list[int | None] = [None] * setting.side
    for n in range(setting.max_distance, -1, -1):
        starts[bucket(-n, setting).number] = n
    return starts


def random_settings(rng: Any, count: int) -> list[Setting]:
    """Draw possible settings from a NumPy generator."""
    settings: list[Setting] = []
    while len(settings) < count:
        both, buckets = bool(rng.integers(2)), int(rng.integers(3, 40))
        # Longer than needed: a scale that forgets to halve must have a length, too.
        reach = int(rng.integers(buckets // 2 + 1, 300))
        setting = Setting(both, buckets, reach)
        if not setting.flaw():
            settings.append(setting)
    return settings


def _far(n: int, side: int, max_distance: int, mistakes: frozenset[str]) -> Bucket:
    """Return the bucket of a distance beyond the exact range, not yet limited."""
    e = side // 2
    m = side - e
    if "linear" in mistakes:
        return Bucket(e + m * (n - e) // max(max_distance - e, 1), False)
    if "full_scale" in mistakes:
        m = side
    if "last_at_max" in mistakes:
        m -= 1
    origin = 1 if "from_one" in mistakes else e
    end = 1 if "whole_ratio" in mistakes else origin
    if "rounded" in mistakes:  # floor(x + 1/2) is (floor(2x) + 1) // 2
        halves, _ = _steps(n, origin, max_distance, end, 2 * m)
        return Bucket(e + (halves + 1) // 2, False)
    t, edge = _steps(n, origin, max_distance, end, m)
    if "ceiled" in mistakes and not edge:
        t += 1
    return Bucket(e + t, edge and t > 0)


def _steps(n: int, e: int, max_distance: int, end: int, m: int) -> tuple[int, bool]:
    """Return the floor of m log(n / e) / log(max_distance / end); True if it is exact.

    It is the largest t with n^m end^t >= max_distance^t e^m, in whole numbers.
    """
    if max_distance <= end:  # a mistaken scale may have no length
        return 0, False
    t, left, right = 0, n**m, e**m
    while left * end >= right * max_distance:
        t, left, right = t + 1, left * end, right * max_distance
    return t, left == right
