"""Methods down the years, with a mark in the column where each of them enters."""

from collections.abc import Collection
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.kit.figures.themes import choose, color
from posenc.map import ENTRIES, QUESTIONS, Entry

#: Shape of a mark, by what the numbers depend on. It is filled if they are learned.
SHAPES = {"absolute": "s", "relative": "o", "neither": "D"}
#: Color of a column, which its place shows too.
ROLES = {
    "input": "value",
    "scores": "query",
    "rotation": "position",
    "softmax": "key",
    "nowhere": "text",
}
LETTERS = {"layers differ": "L", "content decides": "C", "length decides": "T"}

_COLUMNS = {answer: 3.6 + 0.62 * i for i, answer in enumerate(QUESTIONS["enters"])}
_LETTERS_AT = 6.65
_HEAD = 3.6


def chart(names: Collection[str] | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw all methods down the years; those that are not in `names` are pale.

    Parameters
    ----------
    names : collection of str, optional
        Names of the entries to show in color (default: all).
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    last = len(ENTRIES) - 1
    if ax is None:
        _, ax = plt.subplots(figsize=(4.5, choose(0.163, 0.19) * (last + _HEAD + 4)))
    ax.set(xlim=(-0.75, 7), ylim=(last + 3.6, -_HEAD))
    ax.axis("off")
    _heads(ax, last)
    before = 0
    for row, entry in enumerate(ENTRIES):
        if entry.year != before:
            ax.plot([-0.7, 6.95], [row - 0.5] * 2, color=color("line"), lw=0.6)
            _write(ax, -0.7, row, str(entry.year), color=color("text"), weight="bold")
            before = entry.year
        _row(ax, row, entry, shown=names is None or entry.name in names)
    _legend(ax, last + 1.3)
    return ax


def alt_text(entries: Collection[Entry]) -> str:
    """Return the alternative text of the picture in which `entries` have color."""
    titles = ", ".join(f"{e.title} ({e.year}, {e.enters})" for e in entries)
    return (
        "A chart of methods from 2017 to 2026, a row for each, with a mark in one of "
        f"five columns: {', '.join(QUESTIONS['enters'])}. In color: {titles or 'none'}."
    )


def _row(ax: Axes, row: int, entry: Entry, *, shown: bool) -> None:
    ink = color(ROLES[entry.enters]) if shown else color("line")
    filled = entry.numbers == "learned"
    x = _COLUMNS[entry.enters]
    ax.plot([2.95, 6.3], [row, row], color=color("raised"), lw=1, zorder=0)
    mark = SHAPES[entry.position]
    inside = ink if filled else "none"
    ax.plot(x, row, mark, mec=ink, mfc=inside, ms=5.4, mew=1.4)
    words = color("text") if shown else color("line")
    _write(ax, choose(0.15, 0.3), row, entry.title, color=words)
    letters = "".join(LETTERS[key] for key in entry.same if key in LETTERS)
    _write(ax, _LETTERS_AT, row, letters, color=words, ha="center", weight="bold")


def _heads(ax: Axes, last: int) -> None:
    turned: Any = {"rotation": 60, "ha": "left", "va": "bottom", "fontsize": 8.5}
    ax.text(_LETTERS_AT - 0.2, -0.8, "same?", color=color("text"), **turned)
    for answer, x in _COLUMNS.items():
        ax.text(x - 0.15, -0.8, answer, color=color(ROLES[answer]), **turned)
        ax.plot([x, x], [-0.5, last + 0.5], color=color("raised"), lw=1, zorder=0)


def _legend(ax: Axes, row: float) -> None:
    """Explain the marks and letters below the rows."""
    ink = color("muted")
    ax.plot([-0.7, 6.95], [row - 0.8] * 2, color=color("line"), lw=0.6)
    x = -0.55
    for mark, words, step in (
        ("o", "relative", 1.5),
        ("s", "absolute", 1.6),
        ("D", "neither", 1.5),
    ):
        ax.plot(x, row, mark, mec=ink, mfc="none", ms=5.4, mew=1.4)
        _write(ax, x + 0.2, row, words, color=ink)
        x += step
    ax.plot(x, row, "o", mec=ink, mfc=ink, ms=5.4, mew=1.4)
    _write(ax, x + 0.2, row, "filled: learned", color=ink)
    kinds = "L: layers differ   C: content decides   T: length decides"
    _write(ax, -0.65, row + 1.4, kinds, color=ink)


def _write(ax: Axes, x: float, y: float, words: str, **look: Any) -> None:
    ax.text(x, y, words, **{"va": "center_baseline", "fontsize": 8.5, **look})
