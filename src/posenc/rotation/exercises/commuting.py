"""Exercise 8: the part of a head's matrix that looks at the distance alone."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import close, nearest_that_commutes


def _blocks(matrix: Any, keep: Any) -> Any:
    """Zeros, and in each block on the diagonal what `keep` makes of its entries."""
    part = np.zeros(matrix.shape)
    for i in range(0, len(matrix), 2):
        part[i : i + 2, i : i + 2] = keep(*matrix[i : i + 2, i : i + 2].ravel())
    return part


_MISTAKES: Mistakes = [
    (
        "The blocks are kept as they are. A block that commutes with a turn has the "
        "same number twice on its diagonal, and two opposite ones beside it.",
        lambda matrix: _blocks(matrix, lambda e, f, g, h: [[e, f], [g, h]]),
    ),
    (
        "The diagonal alone is kept. What turns a clock stands beside it: f and -f.",
        lambda matrix: _blocks(
            matrix, lambda e, f, g, h: [[(e + h) / 2, 0], [0, (e + h) / 2]]
        ),
    ),
    (
        "The diagonal alone is kept, and as it was. What turns a clock stands beside "
        "it, and a block that commutes has the same number twice on its diagonal.",
        lambda matrix: _blocks(matrix, lambda e, f, g, h: [[e, 0], [0, h]]),
    ),
    (
        "The two entries beside the diagonal are made equal. In a block that commutes "
        "with a turn they are opposite.",
        lambda matrix: _blocks(
            matrix,
            lambda e, f, g, h: [[(e + h) / 2, (f + g) / 2], [(f + g) / 2, (e + h) / 2]],
        ),
    ),
    (
        "The turn goes the other way: what stands above the diagonal belongs below.",
        lambda matrix: nearest_that_commutes(matrix).T,
    ),
    (
        "Sums stand where means should: everything is twice too large.",
        lambda matrix: 2 * nearest_that_commutes(matrix),
    ),
    (
        "One diagonal entry of each block is taken for both. The mean is nearer.",
        lambda matrix: _blocks(
            matrix, lambda e, f, g, h: [[e, (f - g) / 2], [(g - f) / 2, e]]
        ),
    ),
]


def _show(failure: Failure) -> str:
    row, column = failure.entry
    return (
        f"for a matrix of {len(failure.args[0])} rows, the entry in row {row}, column "
        f"{column}\n{failure.gives}"
    )


@ask_for_function(
    "All entries outside the 2 × 2 blocks on the diagonal become 0. Take one block at "
    "a time.",
    "A block (e, f; g, h) becomes (a, c; -c, a). Which a is nearest to both e and h? "
    "Which c is nearest to f, if -c has to be near g as well?",
    "a = (e + h) / 2 and c = (f - g) / 2.",
    right=lambda matrix: nearest_that_commutes(matrix),
    what="The matrix",
    problem="It is not the nearest matrix that commutes with the shifts.",
    example=_show,
    shown=["matrix"],
    mistakes=_MISTAKES,
    held=["matrices that commute stay as they are", "any number of clocks"],
    axes="(d, d)",
    close=close,
)
def commuting_part(rng: Any) -> list[Case]:
    """Nearest matrix that commutes with every shift."""
    found = [rng.normal(size=(d, d)).round(2) for d in (2, 4, 6, 10)]
    return [case(nearest_that_commutes(found[1])), *(case(one) for one in found)]
