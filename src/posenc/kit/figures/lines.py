"""Lines that differ in more than color."""

from typing import Any

from .themes import color

#: Full, long dashes, short dashes, dots: as matplotlib's ``ls``.
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (3, 2)), (0, (1, 1.5)))

_ROLES = ("position", "query", "key", "value")


def line_style(number: int) -> dict[str, Any]:
    """Return color and dashes of one of four curves, as options of ``Axes.plot``."""
    return {"color": color(_ROLES[number]), "ls": DASHES[number]}
