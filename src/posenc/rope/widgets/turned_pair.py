"""The widget `TurnedPair`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget
from posenc.rope import figures as draw
from posenc.rope.figures import FURTHER, KEY, QUERY, SHARES

LAST_POSITION = 24


PLANES = (1, 2, 4)
SPEEDS = (5, 10, 15, 30, 45, 60, 90)


class TurnedPair(BookWidget):
    """A query and a key in one plane or several, turned by their positions.

    Parameters
    ----------
    m, n : int, default 1 and 3
        Positions of the query and of the key, 0 … 24.
    degrees : int, default 30
        Turn per token in plane 0, one of `SPEEDS`.
    q_angle, k_angle : int, default 30 and 90
        Angles of both in plane 0 before they are turned: multiples of 15, below 360.
    planes : {1, 2, 4}, default 1
        Number of planes; their scores are added. Each turns half as fast as the one
        before, and the query and the key of the further ones are given.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> TurnedPair(m=2).n
    3
    """

    m = traitlets.Int(1, min=0, max=LAST_POSITION)
    n = traitlets.Int(3, min=0, max=LAST_POSITION)
    degrees = traitlets.Enum(SPEEDS, default_value=30)
    q_angle = traitlets.Enum(range(0, 360, 15), default_value=30)
    k_angle = traitlets.Enum(range(0, 360, 15), default_value=90)
    planes = traitlets.Enum(PLANES, default_value=1)

    last_position = traitlets.Int(LAST_POSITION, read_only=True)
    lengths = traitlets.List([QUERY[0], KEY[0]], read_only=True)
    further: Any = traitlets.List(
        [
            {"share": share, "long": q[0], "short": k[0], "q": q[1], "k": k[1]}
            for share, (q, k) in zip(SHARES[1:], FURTHER, strict=True)
        ],
        read_only=True,
    )
    choices = traitlets.List(list(PLANES), read_only=True)
    speeds: Any = traitlets.List(list(SPEEDS), read_only=True)

    def picture(self) -> Themed:
        """Plane and score of the present setting."""
        one = self.planes == 1
        where = (
            f"one plane that turns {self.degrees}° per token"
            if one
            else f"{self.planes} planes, the first of which turns {self.degrees}° per "
            "token and each other half as fast as the one before"
        )
        alt = (
            f"A query at position {self.m} and a key at position {self.n} as arrows in "
            f"{where}, and their score against the relative position: "
            f"{'a cosine' if one else 'a sum of cosines'}."
        )
        setting = {"m": self.m, "n": self.n, "step": self.degrees}
        setting |= {"planes": self.planes}
        angles = {"q_angle": self.q_angle, "k_angle": self.k_angle}
        return Themed(lambda: draw.plane_overview(**setting, **angles), alt=alt)
