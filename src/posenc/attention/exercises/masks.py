"""Exercise 9: which shuffles a mask keeps, counted for five masks of six tokens."""

from itertools import permutations
from typing import Any

import numpy as np

from posenc.kit.exercises.tasks import ask_for_value

_I, _J = np.indices((6, 6))

#: What the page asks about, in its order: words, and who may see whom.
MASKS = (
    ("two documents", _I // 3 == _J // 3),
    ("padding", _J < 4),
    ("ring", np.isin((_I - _J) % 6, (0, 1, 5))),
    ("prefix", (_J < 3) | (_J <= _I)),
    ("star", (_J == 0) | (_J == _I)),
)


def _kept(mask: Any) -> int:
    """Orders that leave a mask as it is."""
    orders = np.asarray([*permutations(range(len(mask)))])
    moved = mask[orders[:, :, None], orders[:, None, :]]
    return int((moved == mask).all(axis=(1, 2)).sum())


_SLIPS = (
    (0, 36, "Documents: they are equally long, so the two may change places as well."),
    (0, 720, "Documents: a token that moves into the other document sees other words."),
    (1, 24, "Padding: the two fillers may change places, too."),
    (1, 26, "Padding: words and fillers move independently: multiply, do not add."),
    (1, 720, "Padding: a filler among the words is no longer hidden."),
    (2, 6, "Ring: besides turning it you may read it the other way round."),
    (2, 2, "Ring: it has no ends, so it may also be turned."),
    (2, 720, "Ring: neighbors must stay neighbors."),
    (3, 1, "Prefix: the first three see the same, and are seen by the same."),
    (3, 36, "Prefix: each of the last three sees one token more than the one before."),
    (3, 720, "Prefix: the last three are not seen by all."),
    (4, 24, "Star: five tokens play the same part, not four: 1 to 5."),
    (4, 720, "Star: all see token 0, and no other token is seen by all."),
    (4, 1, "Star: tokens 1 to 5 see the same: token 0, and themselves."),
)


@ask_for_value(
    "Draw who sees whom as arrows between six dots. A shuffle is kept if it moves the "
    "dots so that the picture stays the same.",
    "Which tokens see equally many others, and are seen by equally many? Only those "
    "can change places. n of them that play the same part have n! orders.",
    "Documents: 3! orders in each, and the two may change places. Padding: 4! orders "
    "of the words, 2! of the fillers. Ring: six ways to turn it, each also mirrored.",
    what="The list of numbers",
    entry="a number",
    line=lambda n, value: f"{MASKS[n][0]}: not {value:g}",
    slips=_SLIPS,
    held=["the number of shuffles that each mask keeps"],
)
def kept_orders() -> Any:
    """How many of the 720 shuffles of six tokens each of five masks keeps."""
    return np.asarray([_kept(mask) for _, mask in MASKS])
