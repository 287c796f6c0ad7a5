"""Exercise 10: planes to count with the widget of the clocks."""

import math

from posenc.kit.exercises.tasks import ask_for_value

_TRAINED, _HEAD_DIM = 2048, 64
_PLANES = _HEAD_DIM // 2
_ASKED = (
    "planes that do not finish a round in 2,048 tokens, base 10,000",
    "planes that do not finish a round in 2,048 tokens, base 500,000",
    "planes that YaRN leaves exactly as they are, base 10,000",
)


def _turns(base: float) -> list[float]:
    planes = range(_PLANES)
    return [_TRAINED * base ** (-2 * i / _HEAD_DIM) / (2 * math.pi) for i in planes]


def _slow(base: float) -> int:
    return sum(t < 1 for t in _turns(base))


def _first_slow(base: float) -> int:
    return _PLANES - _slow(base)


def _radians(base: float) -> int:
    """Planes that do not turn by one radian."""
    return sum(t * 2 * math.pi < 1 for t in _turns(base))


def _just_finished(base: float) -> str:
    """Say what the last plane that finishes a round does."""
    i = _first_slow(base) - 1
    return (
        f"Plane {i} does finish: it makes {_turns(base)[i]:.2f} rounds. In the clocks "
        "its shade is a full circle."
    )


_BASES = (10_000.0, 500_000.0)
_KEPT = sum(t >= 32 for t in _turns(_BASES[0]))
_FINISHED = "These planes do finish a round. Count the others."


@ask_for_value(
    "The first line of facts under the clocks counts the planes of question 1 and 2.",
    "For question 3, open “The same as text” and compare the columns “trained” and "
    "“now” with YaRN chosen.",
    "By formula: plane i makes 2048 / (2 pi) * base ** (-i / 32) turns. Count those "
    "below 1, and those of at least 32.",
    what="The list of counts",
    entry="a number",
    line=lambda i, count: f"question {i + 1}: not {count} ({_ASKED[i]})",
    mistakes=[
        (
            "The two bases are swapped: a larger base is slower.",
            [_slow(_BASES[1]), _slow(_BASES[0]), _KEPT],
        ),
    ],
    slips=[
        *((i, _first_slow(base), _FINISHED) for i, base in enumerate(_BASES)),
        *(
            (
                i,
                _radians(base),
                "That counts planes that turn by less than one radian. A round is "
                "2 pi of them.",
            )
            for i, base in enumerate(_BASES)
        ),
        *(
            (
                i,
                _slow(base) - 1,
                "One is missing: both ends count, the first slow plane and plane 31.",
            )
            for i, base in enumerate(_BASES)
        ),
        *((i, _slow(base) + 1, _just_finished(base)) for i, base in enumerate(_BASES)),
        (1, _slow(_BASES[0]), "That is the count for base 10,000: set the base."),
        (
            2,
            _KEPT - 1,
            "One is missing: planes are counted from 0, and plane 0 is one of them.",
        ),
        (
            2,
            _PLANES - _slow(_BASES[0]),
            "That counts every plane that finishes a round. YaRN keeps only those with "
            "at least 32 rounds as they are.",
        ),
        (
            2,
            _PLANES - _KEPT,
            "That counts the planes that YaRN slows down. Count the others.",
        ),
        (
            2,
            sum(t >= 32 for t in _turns(_BASES[1])),
            "That is the count for base 500,000: question 3 goes back to 10,000.",
        ),
    ],
    held=["all three counts"],
)
def count_planes() -> list[int]:
    """Slow planes for two bases, and the planes that YaRN keeps."""
    return [*map(_slow, _BASES), _KEPT]
