"""Scores: the flow of data, the four terms, the relative shift and its cost."""

from itertools import product
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.core.arrays import relative_positions
from posenc.kit.figures.cost import scaling_curve
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color
from posenc.sinusoidal import sinusoidal_encoding
from posenc.transformer_xl import ScoreTerms, score_terms


def data_flow(ax: Axes | None = None) -> Axes:
    """Draw attention of Transformer-XL, from memory and segment to output."""
    ax = plt.subplots(figsize=(4.5, 5.2))[1] if ax is None else ax
    ax.set(xlim=(-0.1, 10.1), ylim=(11.1, -0.2))
    ax.set_axis_off()
    boxes = [
        (0.0, 0, 4.6, "[SG(m) ∘ h]\nmemory, segment", "text"),
        (4.9, 0, 2.3, "h\nsegment", "text"),
        (7.5, 0, 2.5, "R\nsinusoids", "position"),
        (0.0, 2.2, 2.1, "$W_V$: values", "value"),
        (2.5, 2.2, 2.1, "$W_{K,E}$: k", "key"),
        (4.9, 2.2, 2.3, "$W_Q$: q", "query"),
        (7.5, 2.2, 2.5, "$W_{K,R}$: r", "position"),
        (2.5, 4.3, 3.1, "$(q+u)\\cdot k$", "text"),
        (6.1, 4.3, 3.9, "$(q+v)\\cdot r$", "text"),
        (6.1, 6.0, 3.9, "relative shift", "position"),
        (2.5, 7.7, 5.1, "add, $/\\sqrt{d}$, mask, softmax", "text"),
        (0.0, 9.6, 5.0, "weights × values", "value"),
    ]
    for x, y, width, text, role in boxes:
        height = 1.3 if "\n" in text else 0.95
        box: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
        ax.add_patch(Rectangle((x, y), width, height, **box))
        at: dict[str, Any] = {"ha": "center", "va": "center", "color": color(role)}
        ax.text(x + width / 2, y + height / 2, text, linespacing=1.1, **at)
    arrows = [
        ((1.05, 1.3), (1.05, 2.2)), ((3.55, 1.3), (3.55, 2.2)),
        ((6.05, 1.3), (6.05, 2.2)), ((8.75, 1.3), (8.75, 2.2)),
        ((3.55, 3.15), (3.55, 4.3)), ((5.6, 3.15), (4.9, 4.3)),
        ((6.5, 3.15), (7.2, 4.3)), ((8.75, 3.15), (8.75, 4.3)),
        ((8.05, 5.25), (8.05, 6.0)), ((4.05, 5.25), (4.05, 7.7)),
        ((7.0, 6.95), (6.6, 7.7)), ((4.0, 8.65), (4.0, 9.6)),
        ((1.05, 3.15), (1.05, 9.6)),
    ]  # fmt: skip
    look = {"arrowstyle": "->", "color": color("text"), "shrinkA": 0, "shrinkB": 0}
    for start, end in arrows:
        ax.annotate("", end, start, arrowprops=look)
    plus: dict[str, Any] = {"color": color("query"), "fontsize": 11, "va": "center"}
    ax.text(5.0, 3.6, "+u", ha="right", **plus)
    ax.text(7.1, 3.6, "+v", ha="left", **plus)
    return ax


TERM_COLORS = "coolwarm"


#: Names of the four terms and what each multiplies.
TERMS = {
    "a": "query · key",
    "b": "query · distance",
    "c": "u · key",
    "d": "v · distance",
}


#: A memory of four tokens, then a segment of six.
WORDS = ("the", "cat", "sat", "on", "the", "mat", "and", "the", "cat", "ran")
MEMORY_LEN = 4
_HEAD_DIM = 8


def term_limit(terms: ScoreTerms) -> float:
    """Return the largest visible size of a term or a sum, with or without u and v."""
    a, b, c, d = (np.asarray(term) for term in terms)
    sums = [a + b, a + b + c, a + b + d, a + b + c + d]
    q_len, k_len = a.shape
    past = np.tril(np.ones((q_len, k_len), dtype=bool), k_len - q_len)
    return max(float(np.abs(x[past]).max()) for x in [a, b, c, d, *sums])


def example_terms() -> ScoreTerms:
    """Return the four terms of six queries and ten keys, made up, divided by sqrt(d).

    Equal words have equal vectors; u likes the word "cat", v likes near keys.

    Returns
    -------
    ScoreTerms
        Arrays of shape (6, 10), rounded to two decimals.
    """
    rng = np.random.default_rng(3)
    vectors = {w: 0.8 * rng.normal(size=_HEAD_DIM) for w in dict.fromkeys(WORDS)}
    k: Float[np.ndarray, "10 8"] = np.stack([vectors[word] for word in WORDS])
    distances = np.arange(len(WORDS) - 1, -1, -1.0)
    r = sinusoidal_encoding(distances, _HEAD_DIM, base=100.0, layout="half")
    u = 0.5 * vectors["cat"]
    v = np.asarray([0, 0, 0, 0, 0.7, 4, 4, 0])  # slow cosines: they fall all the way
    terms: Any = score_terms(k[MEMORY_LEN:], k, r, u, v)
    scaled = [np.round(term / np.sqrt(_HEAD_DIM), 2) for term in terms]
    return ScoreTerms(*scaled)


def four_terms(terms: ScoreTerms | None = None, *, off: str = "") -> Figure:
    """Draw heat maps of the four terms, of their sum, and of the attention weights.

    Parameters
    ----------
    terms : ScoreTerms of shape (6, 10), optional
        Divided by sqrt(head_dim) (default: `example_terms`).
    off : str
        Letters of the terms that take no part, as in ``"cd"``.
    """
    terms = example_terms() if terms is None else terms
    parts: list[Any] = [
        np.asarray(term) * (letter not in off)
        for letter, term in zip(TERMS, terms, strict=True)
    ]
    total = sum(parts)
    q_len, k_len = total.shape
    past = relative_positions(q_len, k_len, q_offset=k_len - q_len) <= 0
    weights = _softmax(total, past)
    figure, axes = plt.subplots(3, 2, figsize=(4.7, 5.9))
    limit = term_limit(terms)  # the same for any terms that are off
    names = [f"({key})  {words}" for key, words in TERMS.items()] + ["sum", "weights"]
    for name, values, ax in zip(
        names, [*parts, total, weights], axes.flat, strict=True
    ):
        _heat_map(ax, name, values, past, limit)
    return figure


def _softmax(scores: Any, mask: Any) -> Any:
    exponentials = np.where(mask, np.exp(scores), 0.0)
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def _heat_map(ax: Axes, name: str, values: Any, past: Any, limit: float) -> None:
    norm = mpl.colors.CenteredNorm(halfrange=limit)
    shades = mpl.colormaps[TERM_COLORS](norm(values))
    if name == "weights":
        shades = mpl.colormaps["viridis"](values)
    shades[~past] = mpl.colors.to_rgba(color("raised"))
    draw_matrix(shades, q_offset=MEMORY_LEN, ax=ax)
    ax.axvline(MEMORY_LEN - 0.5, color=color("text"), lw=1.2)
    ax.set(xlabel="", ylabel="")
    ax.set_xticks(range(len(WORDS)), WORDS, rotation=90, color=color("key"), fontsize=8)
    queries = WORDS[MEMORY_LEN:]
    ax.set_yticks(range(len(queries)), queries, color=color("query"), fontsize=8)
    ax.set_title(name, fontsize=11)


#: matplotlib's color tables for distances and for terms of a score.
DISTANCE_COLORS = "viridis"


class Cell(NamedTuple):
    """One cell of a step of the shift; the pad has no row and no distance."""

    row: int  # of the query, -1 for the pad
    distance: int
    valid: bool  # in its right place, or still to be moved there

    @property
    def name(self) -> str:
        """Letter for the query, digit for the distance, star on garbage; or a zero."""
        garbage = "" if self.valid else "*"
        return f"{_LETTERS[self.row]}{self.distance}{garbage}" if self.row >= 0 else "0"


#: The steps by padding and reshaping, and those of the strided view.
STEPS = {
    "pad": ("products", "pad", "reshape", "drop the first row", "reshape"),
    "view": ("products", "skip", "windows"),
}


def shift_step(method: str, step: int, q_len: int, k_len: int) -> list[list[Cell]]:
    """Return the cells of one step of the shift, row by row.

    Parameters
    ----------
    method : {"pad", "view"}
        By padding and reshaping, or as a view with other strides.
    step : int
        Index into ``STEPS[method]``. Step 1 of the view has a single row: all numbers
        as they lie in memory, without the q_len - 1 that are skipped.
    q_len, k_len : int
        Shape of the products; k_len >= q_len.

    Examples
    --------
    >>> [[cell.distance for cell in row] for row in shift_step("pad", 4, 2, 3)]
    [[1, 0, -1], [2, 1, 0]]
    """
    products = [
        [Cell(i, k_len - 1 - c, True) for c in range(k_len)] for i in range(q_len)
    ]
    if step == 0:
        return products
    if method == "pad":
        pad = Cell(-1, -1, False)
        flat = [cell for row in products for cell in (pad, *row)]
        width = k_len + 1 if step == 1 else q_len
        flat = flat[q_len:] if step >= 3 else flat
        width = k_len if step == 4 else width
        rows = [flat[start : start + width] for start in range(0, len(flat), width)]
        last = 4
    else:
        flat = [cell for row in products for cell in row][q_len - 1 :]
        rows = [flat]
        if step == 2:
            rows = [flat[i * (k_len - 1) :][:k_len] for i in range(q_len)]
        last = 2
    if step < last:
        return rows
    return [
        [cell._replace(valid=j <= i + k_len - q_len) for j, cell in enumerate(row)]
        for i, row in enumerate(rows)
    ]


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WIDTH = 4.9  # of the picture of all steps, in inches


def _cell(
    ax: Axes, x: float, y: float, cell: Cell, k_len: int, size: float = 11
) -> None:
    """Draw a letter for the query, a digit and a color for the distance.

    The pad is hollow, garbage is pale and crossed out.
    """
    box: dict[str, Any] = {"ec": color("surface"), "lw": 1.5}
    words: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": size}
    if cell.row < 0:
        box = {"fc": "none", "ec": color("muted"), "ls": (0, (2, 2))}
        ax.add_patch(Rectangle((x + 0.06, y + 0.06), 0.88, 0.88, **box))
        ax.text(x + 0.5, y + 0.52, "0", color=color("muted"), **words)
        return
    shade = mpl.colormaps[DISTANCE_COLORS](1 - cell.distance / max(k_len - 1, 1))
    ink = readable_ink(shade)
    if not cell.valid:
        shade, ink = mpl.colors.to_rgba(color("raised")), color("muted")
    ax.add_patch(Rectangle((x, y), 1, 1, fc=shade, **box))
    ax.text(x + 0.5, y + 0.52, cell.name.rstrip("*"), color=ink, **words)
    if not cell.valid:
        ax.plot([x + 0.15, x + 0.85], [y + 0.85, y + 0.15], color=ink, lw=0.8)


def shift_steps(
    *, q_len: int = 3, k_len: int = 5, method: str = "pad", ax: Axes | None = None
) -> Axes:
    """Draw all steps of the shift, wide grids of the padding above narrow ones."""
    grids = [shift_step(method, n, q_len, k_len) for n in range(len(STEPS[method]))]
    titles = [_step_title(method, n, grid) for n, grid in enumerate(grids)]
    gap, narrowest = 1.3, 3.4  # a title needs room over narrow grids
    room = [max(len(grid[0]), narrowest) + gap for grid in grids]
    lines = ((0, 1), (2, 3, 4)) if method == "pad" else ((0,), (1,), (2,))
    units = max(10.0, *(sum(room[n] for n in line) - gap for line in lines))
    cell = _WIDTH / units  # in inches
    places, top = [], 0.0
    for line in lines:
        top += 0.24 * max(titles[n].count("\n") + 1 for n in line) / cell
        left = 0.0
        for n in line:
            places.append((left, top))
            left += room[n]
        top += max(len(grids[n]) for n in line) + 0.5
    ax = plt.subplots(figsize=(_WIDTH, cell * top))[1] if ax is None else ax
    above: dict[str, Any] = {"va": "baseline", "fontsize": 11, "linespacing": 1.1}
    for grid, title, (x, y) in zip(grids, titles, places, strict=True):
        ax.text(x, y - 0.28, title, **above)
        for (i, row), j in product(enumerate(grid), range(len(grid[0]))):
            _cell(ax, x + j, y + i, row[j], k_len, min(11, 34 * cell))
    ax.set(xlim=(-0.05, units + 0.05), ylim=(top - 0.4, -0.05), aspect="equal")
    ax.set_axis_off()
    return ax


def _step_title(method: str, step: int, grid: list[list[Cell]]) -> str:
    name = {
        "reshape": f"read as\nrows of {len(grid[0])}",
        "drop the first row": "drop the\nfirst row",
    }
    words = STEPS[method][step]
    return f"{step}. {name.get(words, words)}"


def shift_line(*, q_len: int = 3, k_len: int = 4, ax: Axes | None = None) -> Axes:
    """Draw the same numbers as one line of memory, cut into rows of the result."""
    ax = plt.subplots(figsize=(4.5, 2.0))[1] if ax is None else ax
    flat = [cell for row in shift_step("pad", 0, q_len, k_len) for cell in row]
    for x, cell in enumerate(flat):
        _cell(ax, x, 0, cell, k_len)
    line: dict[str, Any] = {"color": color("muted"), "lw": 1.2}
    at: dict[str, Any] = {"ha": "center", "fontsize": 10}
    for i in range(q_len):
        ax.plot([i * k_len + 0.1, (i + 1) * k_len - 0.1], [-0.25, -0.25], **line)
        ax.text((i + 0.5) * k_len, -0.4, f"query {_LETTERS[i]}", **at)
        left, y = q_len - 1 + i * (k_len - 1), 1.3 + 0.45 * (i % 2)
        ends = [left + 0.1, left + k_len - 0.1]
        ax.plot(ends, [y, y], color=color("position"), lw=2.2)
        ax.text(sum(ends) / 2, y + 0.42, f"row {i}", color=color("position"), **at)
    skipped: dict[str, Any] = {"fc": "none", "ec": color("text"), "lw": 1.6}
    if q_len > 1:
        ax.add_patch(Rectangle((0.05, 0.05), q_len - 1.1, 0.9, ls="--", **skipped))
        ax.text((q_len - 1) / 2, 1.45, "skip", **at)
    ax.set(xlim=(-0.1, len(flat) + 0.1), ylim=(2.4, -1.0), aspect="equal")
    ax.set_axis_off()
    return ax


def shift_cost(memory: Any, times: Any) -> Figure:
    """Draw peak memory and time of all scores against keys, for both shifts.

    Parameters
    ----------
    memory : dict
        One direction of ``results["scaling"]`` in ``bench_transformer_xl.json``: number
        of keys (as text) to ``"view"`` and ``"padded"`` to ``{"mib": …}``.
    times : dict
        The same direction of ``results["over_length"]``: number of keys to way to the
        milliseconds of every repeat. Medians are drawn, with bars of the quartiles.
    """
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(4.6, 5.4), sharex=True)
    words = {"view": "shift as a view", "padded": "pad and reshape"}
    scaling_curve(memory, words, "mib", ax=top)
    medians = {
        length: {name: {"ms": float(np.median(ms))} for name, ms in row.items()}
        for length, row in times.items()
    }
    scaling_curve(medians, words, "ms", ax=bottom)
    for name, line in zip(words, list(bottom.lines), strict=True):
        ends = np.asarray(
            [np.quantile(row[name], (0.25, 0.75)) for row in times.values()]
        )
        bottom.vlines(line.get_xdata(), *ends.T, color=line.get_color(), lw=3)
    top.set(xlabel="", ylabel="peak memory (MiB)")
    bottom.set(xlabel="keys (half of them memory)", ylabel="time (ms)")
    bottom.get_legend().remove()
    bottom.tick_params("x", rotation=45)
    return figure
