"""Words of a sentence and the rows of the table that they use: the opening, arrows."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, PathPatch, Rectangle
from matplotlib.path import Path

from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import choose, color
from posenc.shaw import relative_position_index

#: matplotlib's color table for the rows of a table: left of the query, itself, right.
INDEX_COLORS = "coolwarm"


#: The five words of listenviolet's post, whose two "I" only position tells apart.
FIVE_WORDS = ("I", "think", "therefore", "I", "am")


#: Twelve words for the widget; its shorter sentences are the beginnings of this one.
_SENTENCE = "one dog bites a man and the man never bites a dog"
TWELVE_WORDS = tuple(_SENTENCE.split())


def index_shades(
    index: Int[np.ndarray, "*shape"], num_vectors: int
) -> Float[np.ndarray, "*shape 4"]:
    """Return each table row's color; those of no row (−1) have the middle color."""
    last = max(num_vectors - 1, 1)
    middle = (num_vectors - 1) / 2
    shown = np.where(np.asarray(index) < 0, middle, index)
    if num_vectors == 1:
        shown = np.full(np.shape(index), 0.5)
    return np.asarray(mpl.colormaps[INDEX_COLORS](shown / last))


def vector_name(offset: int) -> str:
    """Return the name of an offset's vector, ``w₋₂`` … ``w₊₂``, in plain characters.

    Examples
    --------
    >>> vector_name(-12), vector_name(0), vector_name(3)
    ('w₋₁₂', 'w₀', 'w₊₃')
    """
    sign = "₋" if offset < 0 else "₊" if offset else ""
    digits = "".join(chr(ord("₀") + int(d)) for d in str(abs(offset)))
    return f"w{sign}{digits}"


def rows_of_query(length: int, query: int, clip: int) -> list[int]:
    """Return the row of the table for each key, seen from one query."""
    index = relative_position_index(1, length, clip, q_offset=query)
    rows: list[int] = index[0].tolist()
    return rows


def facts(length: int, clip: int) -> dict[str, Any]:
    """Count how a sentence of `length` tokens uses a table of 2 `clip` + 1 vectors.

    Returns
    -------
    dict
        ``vectors`` in the table, ``offsets`` in the sentence, ``unused`` rows, and the
        pairs of query and key ``clipped`` since they are farther apart than `clip`.
    """
    index = relative_position_index(length, length, clip)
    distance = np.abs(np.arange(length) - np.arange(length)[:, None])
    return {
        "vectors": 2 * clip + 1,
        "offsets": 2 * length - 1,
        "unused": 2 * clip + 1 - len(np.unique(index)),
        "clipped": int((distance > clip).sum()),
    }


def opening(*, clip: int = 2, ax: Axes | None = None) -> Axes:
    """Draw one sentence seen from two of its words, and the table that both use.

    Parameters
    ----------
    clip : int, default 2
        Clipping distance: the table holds 2 `clip` + 1 vectors.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.4, 4.6))[1]
    ax.set(xlim=(-0.55, 4.55), ylim=(-0.55, 5.75))
    ax.set_axis_off()
    places = np.linspace(0.2, 3.8, 2 * clip + 1)
    shades = index_shades(np.arange(2 * clip + 1), 2 * clip + 1)
    for query, height, side in ((0, 4.9, 1), (3, 0.0, -1)):
        _sentence(ax, query, height, side, (places, shades))
    rng = np.random.default_rng(1)
    for row, place in enumerate(places):
        _vector(ax, place, shades[row], rng.uniform(0.45, 1, 4), row - clip)
    return ax


def _sentence(ax: Axes, query: int, height: float, side: int, table: Any) -> None:
    """Draw five words at `height`, tied to vectors; `side` 1 is above the table."""
    places, shades = table
    clip = (len(places) - 1) // 2
    for key, row in enumerate(rows_of_query(len(FIVE_WORDS), query, clip)):
        _tie(ax, (key, height), (places[row], 2.45), side, shades[row])
        box: dict[str, Any] = {"fc": shades[row], "ec": "none"}
        if key == query:
            box.update(ec=color("query"), lw=2.5)
        corner = (key - 0.46, height - 0.2)
        ax.add_patch(Rectangle(corner, 0.92, 0.4, zorder=3, **box))
        ink = readable_ink(shades[row])
        word: dict[str, Any] = {"color": ink, "fontsize": 11, "zorder": 4}
        ax.text(key, height - 0.01, FIVE_WORDS[key], **CENTERED, **word)
    style: dict[str, Any] = {"color": color("query"), "fontsize": 10.5}
    ax.text(query, height + side * 0.42, "query", **CENTERED, **style)


def _tie(ax: Axes, word: Any, vector: Any, side: int, shade: Any) -> None:
    """Draw a ribbon from a word to its vector."""
    (x, y), (u, v) = word, vector
    y, v = y - side * 0.22, v + side * 0.52
    bend = (y + v) / 2
    left = [(x - 0.2, y), (x - 0.2, bend), (u - 0.12, bend), (u - 0.12, v)]
    right = [(u + 0.12, v), (u + 0.12, bend), (x + 0.2, bend), (x + 0.2, y)]
    curve = [Path.CURVE4] * 3
    codes = [Path.MOVETO, *curve, Path.LINETO, *curve]
    style: dict[str, Any] = {"fc": shade, "alpha": 0.55, "ec": "none", "zorder": 1}
    ax.add_patch(PathPatch(Path([*left, *right], codes), **style))


def _vector(ax: Axes, x: float, shade: Any, strength: Any, offset: int) -> None:
    """Draw a column of numbers as cells of one color, with its name."""
    for i, alpha in enumerate(strength):
        style: dict[str, Any] = {"ec": color("surface"), "lw": 1, "zorder": 2}
        back = Rectangle((x - 0.2, 1.97 + 0.24 * i), 0.4, 0.24, fc=color("surface"))
        cell = Rectangle((x - 0.2, 1.97 + 0.24 * i), 0.4, 0.24, fc=shade, **style)
        cell.set_alpha(alpha)
        ax.add_patch(back)
        ax.add_patch(cell)
    frame: dict[str, Any] = {"fill": False, "ec": color("text"), "lw": 1.2}
    if offset == 0:
        ax.add_patch(Rectangle((x - 0.23, 1.94), 0.46, 1.02, zorder=3, **frame))
    name: dict[str, Any] = {"color": color("position"), "fontsize": 11}
    ax.text(x + 0.27, 2.45, vector_name(offset), ha="left", va="center", **name)


def index_arrows(
    query: int,
    clip: int,
    *,
    words: tuple[str, ...] = FIVE_WORDS,
    ax: Axes | None = None,
) -> Axes:
    """Draw arrows from one query to every key, with the vector's index on each.

    Parameters
    ----------
    query : int
        Position of the query.
    clip : int
        Clipping distance; row `clip` is the vector of the query's own position.
    words : tuple of str
        The sentence.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 2.3))[1]
    rows = rows_of_query(len(words), query, clip)
    shades = index_shades(np.asarray(rows), 2 * clip + 1)
    for key, row in enumerate(rows):
        style: dict[str, Any] = {"color": color("muted"), "lw": 1.3, "shrinkA": 0}
        bend = {-1: 0.42, 0: 0, 1: -0.42}[int(np.sign(key - query))]
        if key != query:
            ax.add_patch(
                FancyArrowPatch(
                    (query, 0.28),
                    (key, 0.3),
                    connectionstyle=f"arc3,rad={bend}",
                    arrowstyle="-|>",
                    mutation_scale=9,
                    **style,
                )
            )
        ax.text(key, 0.05, words[key], **CENTERED, fontsize=12)
        ax.add_patch(Rectangle((key - 0.2, -0.62), 0.4, 0.36, fc=shades[key]))
        number: dict[str, Any] = {"color": readable_ink(shades[key]), "fontsize": 11}
        ax.text(key, -0.45, str(row), **CENTERED, **number)
        below: dict[str, Any] = {"color": color("position"), "fontsize": 10.5}
        ax.text(key, -0.84, vector_name(row - clip), **CENTERED, **below)
        if key == query:
            frame: dict[str, Any] = {"fill": False, "ec": color("query"), "lw": 2}
            side = choose(0.46, 0.36)
            ax.add_patch(Rectangle((key - side, -0.12), 2 * side, 0.36, **frame))
    longest = max(abs(key - query) for key in range(len(words)))
    ax.set(xlim=(-0.6, len(words) - 0.4), ylim=(-1.02, 0.45 + 0.25 * longest))
    ax.set_axis_off()
    return ax


def sequence_graph(*, query: int = 2, clip: int = 1, ax: Axes | None = None) -> Axes:
    """Draw five tokens as a complete graph, with vectors at one query's edges.

    Every edge from i to j carries two vectors, of the keys and of the values; both are
    found under the clipped offset.

    Parameters
    ----------
    query : int, default 2
        Token whose edges are shown.
    clip : int, default 1
        Clipping distance.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 2.1))[1]
    last = len(FIVE_WORDS) - 1
    shades = index_shades(np.arange(2 * clip + 1), 2 * clip + 1)
    for key in range(last + 1):
        if key == query:
            continue
        offset = int(np.clip(key - query, -clip, clip))
        reach = abs(key - query)
        height = 0.28 + 0.36 * reach
        side = 1 if key < query else -1
        ax.add_patch(
            FancyArrowPatch(
                (query, 0.28),
                (key, 0.3),
                connectionstyle=f"arc3,rad={side * 0.7}",
                arrowstyle="-|>",
                mutation_scale=11,
                color=color("muted"),
                lw=1.5,
            )
        )
        shade = shades[offset + clip]
        name = vector_name(offset)
        box = {"boxstyle": "round,pad=0.25", "fc": shade, "ec": "none"}
        label = f"$a_{{{query}{key}}}$ = {name}"
        at: dict[str, Any] = {"fontsize": 10, "color": readable_ink(shade), "zorder": 4}
        at_x = (query + key) / 2 - side * 0.15 * reach
        ax.text(at_x, height, label, **CENTERED, bbox=box, **at)
    for node, word in enumerate(FIVE_WORDS):
        own = node == query
        edge = color("query") if own else color("line")
        style: dict[str, Any] = {"fc": color("surface"), "ec": edge}
        ax.add_patch(Circle((node, 0), 0.3, lw=2.5 if own else 1, zorder=3, **style))
        ax.text(node, 0, f"$x_{node}$", **CENTERED, fontsize=12, zorder=4)
        ax.text(node, -0.55, word, **CENTERED, fontsize=11)
    ax.set(xlim=(-0.6, last + 0.6), ylim=(-0.8, 1.3), aspect="equal")
    ax.set_axis_off()
    return ax


#: Places of query, key and value in a column.
_ROLES = (0.5, 1.8, 4.1)


def data_flow(*, ax: Axes | None = None) -> Axes:
    """Draw absolute positions that enter once, and Shaw's vectors in every layer."""
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 5.4))[1]
    ax.set(xlim=(-0.1, 10.1), ylim=(-0.3, 11.6))
    ax.set_axis_off()
    for left, relative in ((0.0, False), (5.4, True)):
        _column(ax, left, relative)
    return ax


def _column(ax: Axes, left: float, relative: bool) -> None:
    """Draw one attention layer from top to bottom; purple is where position enters."""
    title = "relative (Shaw)" if relative else "absolute"
    ax.text(left + 2.3, 11.2, title, **CENTERED, fontsize=12, weight="bold")
    _box(ax, (left + 1.3, 9.9), 2.0, "token x")
    if not relative:
        _door(ax, (left, 9.0), 1.05, "$p_i$")
        ax.text(left + 3.5, 9.0, "once", **CENTERED, fontsize=10, color=color("muted"))
        _plus(ax, (left + 2.3, 9.0))
        _arrow(ax, (left + 1.1, 9.0), (left + 2.0, 9.0))
        _arrow(ax, (left + 2.3, 9.85), (left + 2.3, 9.32))
    top = 9.85 if relative else 8.68
    for x, role in zip(_ROLES, ("query", "key", "value"), strict=True):
        _box(ax, (left + x - 0.45, 6.9), 0.9, role[0], role)
        _arrow(ax, (left + 2.3, top), (left + x, 7.75))
    _box(ax, (left + 0.1, 4.4), 2.0, "score")
    _box(ax, (left + 0.1, 2.7), 2.0, "weights")
    _box(ax, (left + 1.2, 0.4), 2.2, "output")
    _ways_to_the_output(ax, left, relative)
    words = "in every layer" if relative else "nothing more"
    at: dict[str, Any] = {"fontsize": 10, "color": color("muted")}
    ax.text(left + 2.3, -0.15, words, **CENTERED, **at)


def _ways_to_the_output(ax: Axes, left: float, relative: bool) -> None:
    """Draw arrows from query, key and value to the output; Shaw's vectors join two."""
    query, key, value = (left + x for x in _ROLES)
    _arrow(ax, (query, 6.85), (query, 5.25))
    _arrow(ax, (left + 1.1, 4.35), (left + 1.1, 3.55))
    _arrow(ax, (left + 1.1, 2.65), (left + 1.8, 1.25))
    if not relative:
        _arrow(ax, (key, 6.85), (key, 5.25))
        _arrow(ax, (value, 6.85), (left + 2.95, 1.25))
        return
    for x, y, side, name in ((key, 6.05, 1, "K"), (value, 3.1, -1, "V")):
        _plus(ax, (x, y))
        _arrow(ax, (x, 6.85), (x, y + 0.32))
        _door(ax, (x + side * 1.25 - 0.5, y), 1.0, f"$a^{name}_{{ij}}$")
        _arrow(ax, (x + side * 0.75, y), (x + side * 0.32, y))
    _arrow(ax, (key, 5.75), (key, 5.25))
    _arrow(ax, (value - 0.15, 2.83), (left + 2.95, 1.25))


def _box(ax: Axes, corner: Any, width: float, text: str, role: str = "text") -> None:
    style: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "lw": 1}
    ax.add_patch(Rectangle(corner, width, 0.8, zorder=2, **style))
    at = (corner[0] + width / 2, corner[1] + 0.38)
    ax.text(*at, text, **CENTERED, color=color(role), fontsize=11.5, zorder=3)


def _door(ax: Axes, corner: Any, width: float, text: str) -> None:
    """Draw a box in the color of position for a method's addition."""
    (x, y) = corner
    style: dict[str, Any] = {"fc": color("surface"), "ec": color("position"), "lw": 2}
    ax.add_patch(Rectangle((x, y - 0.45), width, 0.9, zorder=2, **style))
    at: dict[str, Any] = {"color": color("position"), "fontsize": 11.5, "zorder": 3}
    ax.text(x + width / 2, y, text, **CENTERED, **at)


def _plus(ax: Axes, at: Any) -> None:
    style: dict[str, Any] = {"fc": color("surface"), "ec": color("text"), "lw": 1}
    ax.add_patch(Circle(at, 0.3, zorder=2, **style))
    ax.text(at[0], at[1], "+", **CENTERED, fontsize=12, zorder=3)


def _arrow(ax: Axes, start: Any, end: Any) -> None:
    style: dict[str, Any] = {"color": color("muted"), "lw": 1.2, "shrinkA": 0}
    ax.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=9, shrinkB=0, **style
        )
    )
