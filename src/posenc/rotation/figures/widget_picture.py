"""The widget on shifts as a still picture."""

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from posenc import rotation
from posenc.core import angles as _angles
from posenc.kit.figures.themes import choose, color, panels

from .curves import similarity_curves
from .dial import clock
from .shift_by_matrix import shift_matrix
from .similarity_and_scores import similarity_matrix


def overview(
    *, t: int, offset: int, d_model: int, base: float, positions: int = 41
) -> Figure:
    """Clocks, block matrix, similarity matrix and curve: the widget as a still picture.

    Parameters
    ----------
    t, offset : int
        Position and shift, in tokens.
    d_model, base
        As in `posenc.rotation.shift_operator`.
    positions : int, default 41
        Rows and columns of the similarity matrix.
    """
    figure, axes = panels(
        2,
        2,
        figsize=(8.4, 8.2),
        narrow_height=13,
        layout=choose("constrained", "compressed"),
    )
    theta = _angles.frequencies(d_model, base=base)
    dials = axes[0]
    across = math.ceil(math.sqrt(len(theta)))
    for i, speed in enumerate(theta):
        center = 2.3 * (i % across), -2.6 * (i // across)
        clock(dials, center, speed * t, speed * offset)
    down = math.ceil(len(theta) / across)
    limits = {"xlim": (-1.2, 2.3 * across - 1.1), "ylim": (-2.6 * down + 1.4, 1.2)}
    dials.set(**limits, aspect="equal", title=f"{t} → {t + offset}")
    dials.set_axis_off()
    matrix = rotation.shift_operator(offset, d_model, base=base)
    numbers = choose(None, d_model <= 4)
    shift_matrix(matrix, numbers=numbers, ax=axes[1])
    similarity_matrix(positions, d_model, base=base, ax=axes[2])
    curve = axes[3]
    similarity_curves((d_model,), positions - 1, base=base, ax=curve)
    value = rotation.position_similarity(np.asarray(offset), d_model, base=base)
    style: dict[str, Any] = {"color": color("text"), "ms": 8, "mfc": "none"}
    curve.plot(abs(offset), value / (d_model / 2), "o", **style)
    return figure
