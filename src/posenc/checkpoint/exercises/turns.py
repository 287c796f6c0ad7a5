"""Exercises 1 to 3: features that turn, planes without a whole turn, and a base."""

import math
from collections.abc import Sequence
from typing import Any

from posenc.kit.exercises.mistakes import Case, Mistakes
from posenc.kit.exercises.tasks import ask_for_function, ask_for_value

from .oracle import base_for, slow_planes

RIGHT = [20, 32, 32, 128, 128, 96]
_NAMES = ("a", "b", "c", "d", "e", "f")


def _line(index: Any, value: Any) -> str:
    return f"Config {_NAMES[index]}: not {value}."


@ask_for_value(
    "Start with the size of a head: head_dim if it is there and not null, else "
    "hidden_size / num_attention_heads. In c the head has two parts.",
    "Then the share: rotary_pct and partial_rotary_factor are shares of a head, "
    "rotary_dim and qk_rope_head_dim are features. Does the family read the key?",
    "a: 2560 / 32 = 80, a quarter of it. d: null counts as absent. e: Mistral reads "
    "head_dim, but no rotary_pct. f: 3072 / 24 = 128, three quarters of it.",
    what="The list of features",
    entry="a whole number",
    line=_line,
    mistakes=[
        ("These are planes. A plane has two features.", [n // 2 for n in RIGHT]),
        (
            "These are the features that do not turn.",
            [60, 96, 64, 0, 0, 32],
        ),
        (
            "These are whole heads. Some models turn a part of each alone.",
            [80, 128, 96, 128, 128, 128],
        ),
    ],
    slips=[
        (2, 64, "In c, qk_nope_head_dim counts features that do not turn."),
        (2, 96, "In c, qk_nope_head_dim counts features that do not turn."),
        (
            4,
            64,
            "In e the share is there, but Mistral does not read it: whole heads turn.",
        ),
        (3, 4096, "In d, 4096 is for all 32 heads."),
        (4, 160, "In e, head_dim is there: 5120 / 32 is not asked for."),
        (4, 80, "In e, head_dim is there, and Mistral does not read the share."),
        (0, 80, "In a, 80 is the whole head. rotary_pct says which share of it turns."),
        (5, 128, "In f, 128 is the whole head. Phi-3 reads the share that turns."),
        (0, 640, "In a, rotary_pct is a share of a head, not of all heads."),
    ],
    held=["all six configs"],
)
def turned_by_hand() -> list[int]:
    """Features of a query that turn, from the keys of six configs."""
    return RIGHT


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
    sentences = []
    if any(count < 0 for count, _ in pairs):
        sentences.append(
            "The formula falls below 0 where every plane finishes a turn: 0 is the "
            "least."
        )
    if any(max(count, 0) != right for count, right in pairs):
        sentences.append(
            "Some numbers are wrong by 1. If you round a formula: the share in the "
            "text is only about right. Count the whole numbers i above the bound."
        )
    return tuple(sentences)


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
