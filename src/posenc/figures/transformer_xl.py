"""Figures of the chapter on Transformer-XL: the shift, four terms, the data flow."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc._arrays import relative_positions
from posenc.transformer_xl import ScoreTerms

from .cost import scaling_curve
from .matrix import draw_matrix, readable_ink
from .themes import color
from .transformer_xl_data import (
    DISTANCE_COLORS,
    MEMORY_LEN,
    STEPS,
    TERM_COLORS,
    TERMS,
    WORDS,
    Cell,
    example_terms,
    shift_step,
    term_limit,
)
from .transformer_xl_opening import opening
from .transformer_xl_reach import evaluation, reach

__all__ = [
    "data_flow",
    "evaluation",
    "four_terms",
    "opening",
    "reach",
    "shift_cells",
    "shift_cost",
    "shift_line",
    "shift_steps",
]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def shift_cells(
    rows: list[list[Cell]], *, k_len: int, title: str = "", ax: Axes | None = None
) -> Axes:
    """One step of the shift: a letter for the query, a digit for the distance.

    Color tells the distance. The pad is hollow, garbage is pale and crossed out.

    Parameters
    ----------
    rows : list of list of Cell
        As `shift_step` gives them.
    k_len : int
        Distances in all, for the scale of the colors.
    title : str, optional
        Written above.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots()[1] if ax is None else ax
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            _cell(ax, x, y, cell, k_len)
    width = max(len(row) for row in rows)
    ax.set(xlim=(-0.05, width + 0.05), ylim=(len(rows) + 0.05, -0.05), aspect="equal")
    ax.set_axis_off()
    ax.set_title(title, fontsize=11, loc="left")
    return ax


def _cell(ax: Axes, x: float, y: float, cell: Cell, k_len: int) -> None:
    box: dict[str, Any] = {"ec": color("surface"), "lw": 1.5}
    words: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 11}
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
    label = f"{_LETTERS[cell.row]}{cell.distance}"
    ax.text(x + 0.5, y + 0.52, label, color=ink, **words)
    if not cell.valid:
        ax.plot([x + 0.15, x + 0.85], [y + 0.85, y + 0.15], color=ink, lw=0.8)


def shift_steps(*, q_len: int = 3, k_len: int = 5, method: str = "pad") -> Figure:
    """All steps of the shift, one below the other."""
    rows = [shift_step(method, n, q_len, k_len) for n in range(len(STEPS[method]))]
    heights = [len(step) for step in rows]
    figure, axes = plt.subplots(
        len(rows), 1, figsize=(3.9, 0.38 * sum(heights) + 0.42 * len(rows)),
        height_ratios=heights,
    )  # fmt: skip
    names = zip(STEPS[method], rows, axes, strict=True)
    for n, (name, step, ax) in enumerate(names):
        shift_cells(step, k_len=k_len, title=f"{n}. {name}", ax=ax)
        ax.set_anchor("W")
        widest = max(max(len(row) for row in every) for every in rows)
        ax.set_xlim(-0.05, widest + 0.05)
    return figure


def shift_line(*, q_len: int = 3, k_len: int = 4, ax: Axes | None = None) -> Axes:
    """The same numbers on one line of memory, cut into rows of the shifted matrix."""
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


def four_terms(
    terms: ScoreTerms | None = None, *, u: bool = True, v: bool = True
) -> Figure:
    """Heat maps of the four terms, of their sum, and of the attention weights.

    Parameters
    ----------
    terms : ScoreTerms of shape (6, 10), optional
        Divided by sqrt(head_dim) (default: `example_terms`).
    u, v : bool, default True
        Whether the term with u, and that with v, take part.
    """
    terms = example_terms() if terms is None else terms
    parts: list[Any] = [np.asarray(term) for term in terms]
    parts[2], parts[3] = parts[2] * u, parts[3] * v
    total = sum(parts)
    q_len, k_len = total.shape
    past = relative_positions(q_len, k_len, q_offset=k_len - q_len) <= 0
    weights = _softmax(total, past)
    figure, axes = plt.subplots(3, 2, figsize=(4.7, 5.9))
    limit = term_limit(terms)  # the same with and without u and v
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


def data_flow(ax: Axes | None = None) -> Axes:
    """Attention of Transformer-XL as a diagram, from memory and segment to output."""
    ax = plt.subplots(figsize=(4.5, 5.2))[1] if ax is None else ax
    ax.set(xlim=(-0.1, 10.1), ylim=(11.1, -0.2))
    ax.set_axis_off()
    boxes = [
        (0.0, 0, 4.6, "[SG(m) ∘ h]\nmemory, segment", "text"),
        (4.9, 0, 2.3, "h\nsegment", "text"),
        (7.5, 0, 2.5, "R\nsinusoids", "position"),
        (0.0, 2.2, 2.1, "$W_v$:  v", "value"),
        (2.5, 2.2, 2.1, "$W_{k,E}$:  k", "key"),
        (4.9, 2.2, 2.3, "$W_q$:  q", "query"),
        (7.5, 2.2, 2.5, "$W_{k,R}$:  r", "position"),
        (2.5, 4.3, 3.1, "$(q+u)\\cdot k$", "text"),
        (6.1, 4.3, 3.9, "$(q+v)\\cdot r$", "text"),
        (6.1, 6.0, 3.9, "relative shift", "position"),
        (2.5, 7.7, 5.1, "add, $/\\sqrt{d}$, mask, softmax", "text"),
        (0.0, 9.6, 5.0, "weights × v", "value"),
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


def shift_cost(scaling: Any, *, ax: Axes | None = None) -> Axes:
    """Peak memory of all scores against the number of keys, with either way to shift.

    Parameters
    ----------
    scaling : dict
        One direction of ``results["scaling"]`` in ``bench_transformer_xl.json``: number
        of keys (as text) to ``"view"`` and ``"padded"`` to ``{"mib": …}``.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.6, 3.4))[1] if ax is None else ax
    words = {"view": "shift as a view", "padded": "pad and reshape"}
    ax = scaling_curve(scaling, words, "mib", ax=ax)
    ax.set(xlabel="keys (half of them memory)", ylabel="peak memory (MiB)")
    ax.tick_params("x", rotation=45)
    return ax
