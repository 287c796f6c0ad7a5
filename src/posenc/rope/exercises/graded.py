"""For marks: a part of the features turned, and positions in rows and columns."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import FAR_APART, OPPOSITE, close, turn


def _partial(
    x: Any,
    positions: Any,
    *,
    rotary_dim: int,
    base: float = 10_000.0,
    last: bool = False,
    factor: float = 1.0,
    **wrong: Any,
) -> Any:
    """Turn the first `rotary_dim` features, keep the others; or make a mistake."""
    turned = x[:, -rotary_dim:] if last else x[:, :rotary_dim]
    turned = turn(turned, positions, base, **wrong)
    others = factor * (x[:, :-rotary_dim] if last else x[:, rotary_dim:])
    return np.concatenate([others, turned] if last else [turned, others], axis=1)


_PARTIAL_MISTAKES: Mistakes = [
    (
        "The frequencies are those of all features. The planes are counted within the "
        "features that turn: the exponent is divided by rotary_dim.",
        lambda x, p, rotary_dim, base: _partial(
            x,
            p,
            rotary_dim=rotary_dim,
            base=base,
            exponent=-2 * rotary_dim / x.shape[1],
        ),
    ),
    (
        "The last features are turned. It is the first ones that turn.",
        lambda x, p, rotary_dim, base: _partial(
            x, p, rotary_dim=rotary_dim, base=base, last=True
        ),
    ),
    (
        "The other features are lost. They stay as they are.",
        lambda x, p, rotary_dim, base: _partial(
            x, p, rotary_dim=rotary_dim, base=base, factor=0.0
        ),
    ),
    ("All features are turned.", lambda x, p, rotary_dim, base: turn(x, p, base)),
    (
        OPPOSITE,
        lambda x, p, rotary_dim, base: _partial(
            x, p, rotary_dim=rotary_dim, base=base, sign=-1
        ),
    ),
]


@ask_for_function(
    "Cut x into two parts: features that turn, and features that stay.",
    "The first part is a rotary embedding of its own, with rotary_dim for d.",
    "Turn x[:, :rotary_dim], and put x[:, rotary_dim:] behind it with np.concatenate.",
    uses=("rope.rotary_angles", "rope.apply_rotary"),
    right=_partial,
    what="The result",
    problem="A token is not turned as it should be.",
    mistakes=_PARTIAL_MISTAKES,
    held=["features beyond rotary_dim stay", "any positions and base"],
    shown=["x"],
    close=close,
)
def partial_rotary(rng: Any) -> Any:
    """Turn the first features of queries or keys alone."""
    cases = []
    for p, d, part, base in [
        ([1], 4, 2, 10_000.0),
        ([0, 1, 2], 8, 4, 100.0),
        ([5, 2, 40], 10, 6, 500.0),
        (rng.integers(0, 90, size=4).tolist(), 16, 8, 10_000.0),
        *((far, part + 2, part, 10_000.0) for far, part in FAR_APART),
    ]:
        x = np.round(rng.normal(size=(len(p), d)), 2)
        cases.append(case(x, np.asarray(p), rotary_dim=part, base=base))
    return cases


def _axial(
    x: Any, rows: Any, columns: Any, *, base: float = 10_000.0, whole: bool = False
) -> Any:
    """Turn half of the features by rows, half by columns; `whole` is a mistake."""
    h = x.shape[1] // 2
    if whole:
        up, along = turn(x, rows, base), turn(x, columns, base)
        return np.concatenate([up[:, :h], along[:, h:]], axis=1)
    parts = turn(x[:, :h], rows, base), turn(x[:, h:], columns, base)
    return np.concatenate(parts, axis=1)


_AXIAL_MISTAKES: Mistakes = [
    (
        "Rows and columns are exchanged: the first half of the features turns by the "
        "row.",
        lambda x, r, c, base: _axial(x, c, r, base=base),
    ),
    (
        "The planes are counted through, so columns only turn slowly. Each half is "
        "a rotary embedding of its own, with d / 2 for d.",
        lambda x, r, c, base: _axial(x, r, c, base=base, whole=True),
    ),
    (
        "Both halves turn by the row.",
        lambda x, r, c, base: _axial(x, r, r, base=base),
    ),
    (
        "Row and column are added up, so cells of a diagonal look alike.",
        lambda x, r, c, base: _axial(x, r + c, r + c, base=base),
    ),
    (OPPOSITE, lambda x, r, c, base: _axial(x, -r, -c, base=base)),
]


@ask_for_function(
    "Cut the features into two halves, and give each of them one coordinate.",
    "Each half is a rotary embedding for d / 2 features: its planes have the "
    "frequencies base ** (-2 i / (d / 2)).",
    "Turn x[:, : d // 2] at rows and x[:, d // 2 :] at columns, and put them together.",
    uses=("rope.rotary_angles", "rope.apply_rotary"),
    right=_axial,
    what="The result",
    problem="A cell is not turned as it should be.",
    mistakes=_AXIAL_MISTAKES,
    held=["rows and columns apart", "any base"],
    shown=["x"],
    close=close,
)
def axial_rotary(rng: Any) -> Any:
    """Cells of an image, half of whose features turn by row and half by column."""
    cases = []
    for r, c, d, base in [
        ([1], [0], 4, 10_000.0),
        ([0, 0, 1], [0, 1, 0], 8, 100.0),
        ([3, 7], [5, 2], 8, 500.0),
        (*rng.integers(0, 30, size=(2, 5)).tolist(), 16, 10_000.0),
        ([0, 300, 700, 40_000], [700, 3, 300, 0], 4, 10_000.0),
        ([0, 3], [40_000, 700], 4, 10_000.0),
    ]:
        x = np.round(rng.normal(size=(len(r), d)), 2)
        cases.append(case(x, np.asarray(r), np.asarray(c), base=base))
    return cases
