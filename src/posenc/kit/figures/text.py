"""Words and numbers inside a drawing: their form, their place, their ink."""

from typing import Any, SupportsFloat

import matplotlib as mpl

from .palette import contrast

#: Options of ``Axes.text`` for words around a point.
CENTERED: dict[str, Any] = {"ha": "center", "va": "center"}


def readable_ink(fill: Any) -> str:
    """Return black or white, whichever is easier to read on `fill`."""
    shade = mpl.colors.to_hex(fill)
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, shade))


def signed(value: SupportsFloat, digits: int = 1) -> str:
    """Format with a sign and, unlike ``f"{value:+.1f}"``, a real minus.

    Examples
    --------
    >>> signed(-0.25, 2), signed(3)
    ('−0.25', '+3.0')
    """
    return f"{float(value):+.{digits}f}".replace("-", "−")


def signed_offset(value: SupportsFloat) -> str:
    """Return a whole relative position with its sign, and 0 without one.

    Examples
    --------
    >>> [signed_offset(r) for r in (-2, 0, 2)]
    ['−2', '0', '+2']
    """
    return signed(value, 0) if float(value) else "0"
