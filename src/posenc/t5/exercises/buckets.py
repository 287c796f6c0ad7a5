"""Exercises 1 to 3: buckets by hand, in code, and in code to repair."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from posenc.kit.exercises.attempt import Attempt, WrongError
from posenc.kit.exercises.mistakes import Switches, name_mistake, one_of
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_value

from .oracle import (
    LOG_OF_ZERO,
    MISTAKES,
    STRICT,
    Setting,
    bucket,
    bucket_starts,
    random_settings,
)

#: 0 | 1 | 2 | 3-5 | 6-11 | 12 and more: every edge is found without a calculator. A 9
#: tells equal widths (3, 10, 17) from a scale that has one step too few (3, 8.5, 24).
BY_HAND = Setting(bidirectional=True, num_buckets=12, max_distance=24)
POSITIONS = (0, -2, -4, -7, 1, 3, 9, 12, -100)

#: Mistakes that these nine relative positions tell from one another.
_SEEN_BY_HAND = {
    name: sentence
    for name, sentence in MISTAKES.items()
    if name
    not in (
        *("swapped_halves", "looks_ahead", "mirrored", "whole_ratio"),
        *("always_both", "always_causal"),
    )
}
# Two mistakes give these nine buckets; the sentence holds for both of them.
_SEEN_BY_HAND["last_at_max"] = (
    "The logarithmic buckets are too wide. Three equal steps lead from 3 to 24, and "
    "the third of them is the last bucket."
)
_SEEN_BY_HAND["capped_low"] = (
    "Each direction has six buckets, 0 to 5 and 6 to 11: you leave out the last ones."
)
LAST_EDGE = (
    "The last bucket begins at 12, one step before the scale ends at 24. A "
    "distance on an edge belongs to the bucket that begins there."
)
ONE_DIRECTION = (
    "The 12 buckets are not shared out: each direction has 6 of its own, and those of "
    "keys after the query are 6 to 11."
)
#: One entry that is wrong alone: an edge, or the bucket on the wrong side of one.
_SLIPS = [
    (POSITIONS.index(r), wrong, sentence)
    for r, wrong, sentence in (
        (-4, 4, "Distance 4 is still on the first step of the scale."),
        (-7, 3, "Distance 7 is beyond the first step of the scale."),
        (-7, 5, "Distance 7 is still on the second step of the scale."),
        (3, 8, STRICT),
        (3, 10, "Distance 3 is on the first step of the scale."),
        (9, 9, "Distance 9 is beyond the first step of the scale."),
        (12, 10, LAST_EDGE),
    )
]


def _by_hand(mistakes: tuple[str, ...] = ()) -> list[int]:
    return [bucket(r, BY_HAND, mistakes).number for r in POSITIONS]


_DIRECTIONS = {
    MISTAKES[name]
    for name in ("swapped", "zero_after", "unhalved", "one_direction", "one_too_low")
}
#: At most one of them about the scale: two at once would explain a slip at one edge.
_BY_HAND_MISTAKES = [
    (ONE_DIRECTION, _by_hand(("always_causal",))),
    *(
        (sentences, mistaken)
        for sentences, mistaken in Switches(_by_hand, _SEEN_BY_HAND)
        if sum(sentence not in _DIRECTIONS for sentence in sentences) < 2
    ),
]


@ask_for_value(
    "Six buckets for each direction. The first three hold one distance each: 0, 1, 2.",
    "The other three share the distances from 3 on. Each begins at the same multiple "
    "of the one before: 3, 3x, 3xx, and the next step, 3xxx, is 24. So x = 2.",
    "Distances 0 | 1 | 2 | 3-5 | 6-11 | 12 and more are buckets 0 to 5. A key after "
    "the query (positive relative position) gets 6 more.",
    what="The list of buckets",
    entry="a bucket",
    line=lambda i, b: f"relative position {POSITIONS[i]} is not in bucket {b}",
    order=lambda i: abs(POSITIONS[i]),
    mistakes=_BY_HAND_MISTAKES,
    slips=_SLIPS,
    held=["all nine buckets"],
)
def buckets_by_hand() -> list[int]:
    """Buckets of nine relative positions, by hand."""
    return _by_hand()


def _buckets(
    relative_position: Any, *, mistakes: tuple[str, ...], **setting: Any
) -> Any:
    """Return the buckets of an array, with mistakes."""
    whole = Setting(**setting)
    return np.vectorize(lambda r: bucket(int(r), whole, mistakes).number)(
        relative_position
    )


_ALONE = Switches(_buckets, MISTAKES, at_once=1)


@exercise(
    "Get the distance n first: if bidirectional the absolute value; else how far the "
    "key lies before the query, and 0 for a key after it.",
    "With B buckets for the direction, E = B // 2 and m = B - E: below E the bucket is "
    "n itself. From E on it is E + floor(m * log(n / E) / log(max_distance / E)), but "
    "at most B - 1.",
    "np.where computes both branches for all entries, so keep 0 out of the logarithm "
    "with np.maximum(n, E). Last of all, if bidirectional, add B where the relative "
    "position is positive.",
    mistakes=_ALONE,
)
def relative_position_bucket(attempt: Attempt, rng: Any) -> None:
    """Bucket of each relative position, for any setting."""
    _question(attempt, rng)


@exercise(
    "Three lines are wrong. Try a few single keys: one before the query, one after, "
    "one very far away.",
    "Which sign has a key after the query? Which bucket gets the distance "
    "max_distance, and which one a distance a hundred times as long?",
    "Compare with the formula, symbol by symbol: key - query is positive after the "
    "query; m = B - E is the factor of the logarithm; the result is at most B - 1.",
    mistakes=_ALONE,
)
def repair_bucket(attempt: Attempt, rng: Any) -> None:
    """Find and repair the three mistakes of a bucket function."""
    try:
        _question(attempt, rng)
    except WrongError as wrong:
        wrong.mistakes = one_of(wrong.mistakes)
        raise


_SETTINGS = [
    Setting(False, 2, 5),
    Setting(True, 4, 6),
    Setting(False, 4, 8),
    Setting(False, 7, 20),
    Setting(True, 8, 16),
    Setting(False, 9, 128),  # where 64-bit floats miss an edge: 5 log 2 / log 32 < 1
    Setting(True, 12, 24),  # the same for differences of logarithms
    Setting(False, 32, 20),  # eleven empty buckets
    Setting(False, 32, 128),
    Setting(True, 32, 128),
    Setting(True, 32, 2000),
]

_PARTS: Mapping[str, Callable[[Setting, int], bool]] = {
    "distance 0 is bucket 0": lambda s, r: r == 0,
    "near keys have a bucket each": lambda s, r: 0 < -r < s.exact,
    "keys after the query are told from those before it": lambda s, r: r > 0,
    "far keys share buckets that widen by a constant factor": lambda s, r: (
        s.exact <= -r <= s.max_distance
    ),
    "the last bucket holds everything beyond": lambda s, r: -r > s.max_distance,
}


class Observed(NamedTuple):
    """An answer's bucket for one relative position."""

    setting: Setting
    relative_position: int
    received: int


def _question(attempt: Attempt, rng: Any) -> None:
    _begin(attempt)
    observed = []
    for setting in sorted([*_SETTINGS, *random_settings(rng, 5)], key=Setting.size):
        points = _points(setting, rng)
        answer = attempt.ask(points, **setting._asdict())
        numbers = attempt.whole_numbers(answer, points.shape, "The array of buckets")
        observed += [
            Observed(setting, int(r), int(b))
            for r, b in zip(points, numbers, strict=True)
        ]
    _judge(attempt, observed)
    matrix = rng.integers(-40, 40, size=(3, 5))
    answer = attempt.ask(matrix, **_SETTINGS[-1]._asdict())
    attempt.whole_numbers(answer, matrix.shape, "The buckets of a matrix")
    attempt.held.append("an array of any shape keeps it")


def _begin(attempt: Attempt) -> None:
    """Choose the style, and try distance 0 alone: its logarithm may be an error."""
    setting = Setting(True, 8, 16)._asdict()
    styles = ("numpy", "torch", "scalar")
    attempt.choose_style(styles, np.asarray([-3, 1, 2]), **setting)
    try:
        attempt.ask(np.asarray([0]), **setting)
    except WrongError as wrong:  # math.log(0) raises, np.log(0) warns
        if "domain error" in wrong.problem or "positive input" in wrong.problem:
            wrong.mistakes = (LOG_OF_ZERO,)
        raise


def _judge(attempt: Attempt, observed: list[Observed]) -> None:
    """Compare with the oracle; describe the smallest setting and distance that fail."""
    right = [bucket(o.relative_position, o.setting) for o in observed]
    pairs = list(zip(observed, right, strict=True))
    wrong = [o for o, b in pairs if not b.fits(o.received)]
    below_edge = [o for o, b in pairs if b.edge and o.received == b.number - 1]
    mistakes: tuple[str, ...] = ()
    if wrong:
        mistakes = _diagnose([*wrong, *observed])
    elif len(below_edge) == sum(b.edge for b in right):  # all of them: no rounding
        wrong, mistakes = below_edge, (STRICT,)
    failing = {_part(o) for o in wrong}
    attempt.held += [part for part in _PARTS if part not in failing]
    if wrong:
        first = min(wrong, key=lambda o: (o.setting.size(), abs(o.relative_position)))
        attempt.reject(f"Not so: {_part(first)}.", _show(attempt, first), mistakes)
    if below_edge:
        attempt.notes.append(_on_the_edge(below_edge[0]))


def _diagnose(observed: list[Observed]) -> tuple[str, ...]:
    """Return the smallest set of known mistakes that explains all results, in words."""
    garbage = [o for o in observed if o.received < -(2**30)]  # what -inf becomes
    if garbage and all(_is_distance_zero(o) for o in garbage):
        rest = [o for o in observed if o not in garbage]
        wrong = [o for o in rest if not bucket(*o[1::-1]).fits(o.received)]
        named = _diagnose(rest) if wrong else ()
        return (LOG_OF_ZERO, *named) if named or not wrong else ()
    return name_mistake(
        [((o.relative_position, o.setting), o.received) for o in observed],
        Switches(bucket, MISTAKES),
        lambda received, mistaken: bool(mistaken.fits(received)),
    )


def _is_distance_zero(o: Observed) -> bool:
    r = o.relative_position
    return r == 0 if o.setting.bidirectional else r >= 0


def _part(o: Observed) -> str:
    return next(
        part for part, holds in _PARTS.items() if holds(o.setting, o.relative_position)
    )


def _show(attempt: Attempt, o: Observed) -> str:
    """Return the failing call for one entry alone, if it fails there too."""
    alone, setting = np.asarray([o.relative_position]), o.setting._asdict()
    answer = attempt.ask(alone, **setting)
    number = attempt.whole_numbers(answer, (1,), "The bucket of one entry")[0]
    right = bucket(o.relative_position, o.setting)
    text = f"{attempt.call_text(alone, **setting)}\n"
    if number == right.number:
        return f"{text}is right alone, but is {o.received} among other entries"
    starts = [n for n in bucket_starts(o.setting) if n is not None]
    return (
        f"{text}gives {number}, should be {right.number}\n"
        f"(distances at which a bucket of one direction begins: {starts})"
    )


def _on_the_edge(o: Observed) -> str:
    return (
        f"All but exact: at distance {abs(o.relative_position)} with num_buckets="
        f"{o.setting.num_buckets}, max_distance={o.setting.max_distance} your "
        "logarithm comes out a hair below a whole number, and the bucket is one too "
        "low. Floating point cannot be trusted on an edge; posenc compares whole "
        "numbers instead."
    )


def _points(setting: Setting, rng: Any) -> Any:
    """Return relative positions that tell buckets apart: near ones, edges, far ones."""
    reach = setting.max_distance
    near = range(min(reach, 40) + 2)
    starts = [n for n in bucket_starts(setting) if n]
    edges = [n + step for n in starts for step in (-1, 0, 1)]
    far = [reach - 1, reach, reach + 1, 2 * reach, 100 * reach, 40_000]
    between = rng.integers(setting.exact, reach + 1, size=10).tolist()
    distances = {*near, *edges, *far, *between}
    return np.asarray(sorted({r for n in distances for r in (-n, n)}))
