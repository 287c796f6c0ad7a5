"""Exercises 2 and 3: planes that never finish a turn, and a base at which all do."""

import math
from collections.abc import Sequence
from typing import Any

from posenc.kit.exercises.mistakes import Case, Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import base_for, slow_planes

_SLOW_MISTAKES: Mistakes = [
    (
        "These are the planes that do finish a turn.",
        lambda r, b, n: r // 2 - slow_planes(r, b, n),
    ),
    (
        "A turn has 2π radians: a plane needs 2π / θ tokens for it, not 1 / θ.",
        lambda r, b, n: sum(b ** (2 * i / r) > n for i in range(r // 2)),
    ),
    (
        "The exponent is -2i / rotary_dim; with -i / rotary_dim all but plane "
        "0 are too fast.",
        lambda r, b, n: sum(2 * math.pi * b ** (i / r) > n for i in range(r // 2)),
    ),
    (
        "Planes are counted from 0: plane 0 turns by one radian per token.",
        lambda r, b, n: sum(
            2 * math.pi * b ** (2 * i / r) > n for i in range(1, r // 2 + 1)
        ),
    ),
    (
        "The base is an argument, not always 10,000.",
        lambda r, b, n: slow_planes(r, 10_000.0, n),
    ),
    (
        "Features are counted. Two of them form one plane.",
        lambda r, b, n: sum(2 * math.pi * b ** (2 * i / r) > n for i in range(r)),
    ),
    (
        "A turn takes 2π / θ tokens, so the exponent of the wavelength is "
        "+2i / rotary_dim.",
        lambda r, b, n: sum(2 * math.pi * b ** (-2 * i / r) > n for i in range(r // 2)),
    ),
]


def _of_a_formula(seen: Sequence[tuple[Case, Any]]) -> tuple[str, ...]:
    """Name the mistakes of a formula whose numbers are off by one or below 0."""
    pairs = [(int(count), c.of(slow_planes)) for c, count in seen]
    if any(abs(max(count, 0) - right) > 1 for count, right in pairs):
        return ()
    found = []
    if any(count < 0 for count, _ in pairs):
        found.append(
            "The formula falls below 0 where every plane finishes a turn: 0 is the "
            "least."
        )
    if any(max(count, 0) != right for count, right in pairs):
        found.append(
            "Some numbers are wrong by 1. If you round a formula: the share in the "
            "text is only about right. Count the whole numbers i above the bound."
        )
    return tuple(found)


@ask_for_function(
    "When does plane i finish a turn? Write its wavelength down.",
    "Plane i turns by base ** (-2 i / rotary_dim) radians per token; a turn has 2π.",
    "Count the planes with 2π base ** (2 i / rotary_dim) > trained_len.",
    right=slow_planes,
    what="The number of planes",
    problem="The number of planes is not right.",
    mistakes=_SLOW_MISTAKES,
    otherwise=_of_a_formula,
    held=["heads of any size, any base and length"],
)
def slow_planes_of(rng: Any) -> Any:
    """Planes that never finish a turn within the trained length."""
    drawn = [
        (2 * int(rng.integers(2, 65)), float(rng.uniform(50, 9e5)), int(n))
        for n in rng.integers(40, 60_000, size=3)
    ]
    return [
        (2, 10_000.0, 6),
        (4, 10_000.0, 100),
        (128, 10_000.0, 4096),
        (128, 500_000.0, 8192),
        (64, 150_000.0, 128),
        (64, 10.0, 4096),  # every plane makes a turn
        *drawn,
    ]


_BASE_MISTAKES: Mistakes = [
    (
        "This is the trained length over 2π. The last plane has the exponent "
        "-(r - 2) / r, not -1.",
        lambda r, n: n / (2 * math.pi),
    ),
    (
        "The exponent is turned upside down.",
        lambda r, n: (n / (2 * math.pi)) ** ((r - 2) / r),
    ),
    (
        "The 2π is missing: a turn has 2π radians.",
        lambda r, n: float(n) ** (r / (r - 2)),
    ),
    (
        "The 2π stands on the wrong side: the wavelength is 2π times the power.",
        lambda r, n: (n * 2 * math.pi) ** (r / (r - 2)),
    ),
]


@ask_for_function(
    "Which plane is the slowest, and what is its exponent?",
    "Its wavelength is 2π base ** ((r - 2) / r). Set it equal to the trained length.",
    "Divide by 2π, then raise both sides to the power r / (r - 2).",
    right=base_for,
    what="The base",
    problem="At this base the slowest plane does not need just the trained length.",
    mistakes=_BASE_MISTAKES,
    held=["any size and length"],
)
def base_for_length(rng: Any) -> Any:
    """Find the base at which the slowest plane turns once within the trained length."""
    drawn = [
        (2 * int(rng.integers(3, 65)), int(n)) for n in rng.integers(50, 90_000, size=3)
    ]
    return [(4, 63), (64, 512), (128, 4096), (128, 1_000_000), *drawn]
