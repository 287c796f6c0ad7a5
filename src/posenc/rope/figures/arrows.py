"""Arrows from the center of a plane, at an angle."""

import math
from typing import Any

from matplotlib.axes import Axes

from posenc.kit.figures.themes import color


def hand(
    ax: Axes, center: Any, length: float, angle: float, role: str, dashed: bool = False
) -> None:
    """Draw an arrow, or a thin dashed line, from `center`; the angle is in degrees."""
    end = polar(center, length, angle)
    style: dict[str, Any] = {**thick_arrow(role), "shrinkA": 0, "shrinkB": 0}
    if dashed:
        style |= {"ls": (0, (3, 2)), "arrowstyle": "-", "lw": 1.4}
    ax.annotate("", end, center, arrowprops=style)


def thick_arrow(role: str) -> dict[str, Any]:
    """Look of an arrow, for ``Axes.annotate``."""
    return {"arrowstyle": "-|>", "color": color(role), "lw": 2, "mutation_scale": 13}


def polar(center: Any, length: float, degrees: float) -> tuple[float, float]:
    """Point at a distance from `center`, counterclockwise from the right."""
    turned = math.radians(degrees)
    return (
        center[0] + length * math.cos(turned),
        center[1] + length * math.sin(turned),
    )
