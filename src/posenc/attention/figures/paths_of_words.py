"""How many steps lie between two words: one by one, or straight."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Arc, FancyBboxPatch

from posenc.kit.figures.themes import color


def paths(*, ax: Axes | None = None) -> Axes:
    """Draw the steps from the first word to the last: all in an RNN, one in attention.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 2.8))[1]
    words = ["I", "am", "going", "to", "eat"]
    ax.set(xlim=(-0.6, 4.6), ylim=(-0.4, 2.75))
    ax.set_axis_off()
    for y, top, name in (
        (1.95, 2.5, "recurrent network: 4 steps"),
        (0.0, 1.25, "attention: 1 step"),
    ):
        for x, word in enumerate(words):
            _word_box(ax, (x, y), word, ends=x in (0, 4))
        ax.text(-0.4, top, name, fontsize=11.5, va="center")
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0}
    for x in range(4):
        look = {**arrow, "color": color("text")}
        ax.annotate("", (x + 0.62, 1.95), (x + 0.4, 1.95), arrowprops=look)
    for x in range(4):
        reach, middle = 4 - x, ((x + 4) / 2, 0.27)
        arc = Arc(middle, reach, 0.38 * reach, theta1=0, theta2=180)
        arc.set(color=color("line" if x else "text"), lw=0.9 if x else 2.2)
        ax.add_patch(arc)
    return ax


def _word_box(ax: Axes, at: tuple[float, float], word: str, *, ends: bool) -> None:
    x, y = at
    look: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
    if ends:
        look |= {"ec": color("text"), "lw": 2}
    box = FancyBboxPatch((x - 0.36, y - 0.22), 0.72, 0.44, **look)
    box.set_boxstyle("round", pad=0.02)
    ax.add_patch(box)
    ax.text(x, y, word, ha="center", va="center_baseline", fontsize=11)
