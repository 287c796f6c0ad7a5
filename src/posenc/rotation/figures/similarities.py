"""Similarity of positions, parts of scores, and heads that see positions alone."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc import rotation
from posenc.core import angles as _angles
from posenc.core.arrays import relative_positions
from posenc.kit.figures.lines import line_style
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import choose, color, panels

from .turns import TURN_COLORS, clock, shift_matrix

#: matplotlib's color tables for similarities and for scores.
SIMILARITY_COLORS = "viridis"
SCORE_COLORS = "coolwarm"


def similarity_matrix(
    seq_len: int, d_model: int, *, base: float = 10_000.0, ax: Axes | None = None
) -> Axes:
    """Draw the dot products of all encodings, divided by d/2, with distance 0 marked.

    Parameters
    ----------
    seq_len : int
        Positions, from 0.
    d_model, base
        As in `posenc.rotation.position_similarity`.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    offsets = relative_positions(seq_len, seq_len)
    values = rotation.position_similarity(offsets, d_model, base=base) / (d_model / 2)
    return heat_map(values, SIMILARITY_COLORS, ax=ax)


def heat_map(
    values: Float[np.ndarray, "q_len k_len"],
    colors: str,
    *,
    scale: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw scores as pixels, queries down, keys across, a line along distance 0.

    Parameters
    ----------
    values : array of shape (q_len, k_len)
        Scores to draw.
    colors : str
        One of matplotlib's color tables.
    scale : bool, default True
        True to draw the scale of the colors, too.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.8, 4.0))[1] if ax is None else ax
    image = ax.imshow(values, cmap=colors, interpolation="nearest")
    last = min(values.shape) - 1
    for ink, style in (("surface", "-"), ("text", (0, (2, 3)))):  # seen on any color
        ax.plot([0, last], [0, last], color=color(ink), lw=0.8, ls=style)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.xaxis.set_label_position("top")
    ax.spines[:].set_visible(False)
    ax.set_xlabel("key", color=color("key"))
    ax.set_ylabel("query", color=color("query"))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(mpl.ticker.MaxNLocator(5, integer=True))
    if scale:
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
        bar.outline.set_visible(False)
    return ax


def four_terms(
    terms: Mapping[str, Float[np.ndarray, "q_len k_len"]], *, limit: float = 16.0
) -> Figure:
    """Draw the parts of the scores as matrices with numbers, all on one scale.

    Parameters
    ----------
    terms : mapping
        Title to matrix, up to six.
    limit : float, default 16
        Score at the ends of the color scale.
    """
    down = (len(terms) + 1) // 2
    size = 5.2, choose(2.95, 2.3) * down
    figure, panels = plt.subplots(down, 2, figsize=size, squeeze=False)
    figure.set_layout_engine("constrained", h_pad=0.13)
    for ax in panels.flat[len(terms) :]:
        ax.set_axis_off()
    norm = mpl.colors.CenteredNorm(halfrange=limit)
    for ax, (title, values) in zip(panels.flat, terms.items(), strict=False):
        shades = mpl.colormaps[SCORE_COLORS](norm(values))
        text = np.vectorize(lambda v: f"{v:.2f}".replace("-", "−"))(values + 0.0)
        draw_matrix(shades, text, ax=ax)
        ax.set_title(title, y=-0.05, va="top", fontsize=11)
    return figure


def score_pair(
    pictures: Mapping[str, Float[np.ndarray, "q_len k_len"]],
) -> Figure:
    """Draw score matrices side by side, each on a scale of its own.

    Parameters
    ----------
    pictures : mapping
        Title to matrix.
    """
    size = (5.8, 3.3)
    figure, panels = plt.subplots(1, len(pictures), figsize=size, squeeze=False)
    for ax, (title, values) in zip(panels.flat, pictures.items(), strict=True):
        heat_map(values, SIMILARITY_COLORS, scale=False, ax=ax)
        ax.set_title(title, y=-0.06, va="top", fontsize=12)
    return figure


_STYLES = (("query", "-"), ("key", "--"), ("value", "-."), ("position", ":"))


def similarity_curves(
    sizes: Sequence[int],
    longest: int,
    *,
    base: float = 10_000.0,
    ax: Axes | None = None,
) -> Axes:
    """Draw similarity against distance for several numbers of features, all 1 at 0.

    Parameters
    ----------
    sizes : sequence of int
        Up to four numbers of features d.
    longest : int
        Largest distance, in tokens.
    base : float, default 10_000
        As in `posenc.rotation.position_similarity`.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(5.2, 3.6))[1] if ax is None else ax
    distances = np.arange(longest + 1)
    lowest = -0.2
    for d_model, (role, line) in zip(sizes, _STYLES, strict=False):
        values = rotation.position_similarity(distances, d_model, base=base)
        label = f"$d = {d_model}$"
        values = values / (d_model / 2)
        lowest = min(lowest, values.min())
        ax.plot(distances, values, line, color=color(role), lw=1.6, label=label)
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.set(xlim=(0, longest), ylim=(lowest - 0.08, 1.08))
    ax.set(xlabel="distance (tokens)", ylabel="similarity")
    ax.legend(ncols=2, fontsize=10)
    return ax


def previous_token(
    curves: Mapping[str, Float[np.ndarray, " positions"]],
    trained: int,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the attention weight on the token before against the query's position.

    Parameters
    ----------
    curves : mapping
        Label to weights of the queries 1, 2, ….
    trained : int
        Positions that were seen in training.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(5.2, 3.4))[1] if ax is None else ax
    ax.axvspan(0, trained - 0.5, color=color("raised"), zorder=0)
    for (label, weights), (role, line) in zip(curves.items(), _STYLES, strict=False):
        positions = np.arange(1, len(weights) + 1)
        ax.plot(positions, weights, line, color=color(role), lw=1.8, label=label)
    at: dict[str, Any] = {"ha": "center", "fontsize": 10, "color": color("muted")}
    ax.text(trained / 2, 1.04, "trained", **at)
    ax.set(xlim=(0, len(weights)), ylim=(-0.03, 1.15), yticks=[0, 0.5, 1])
    ax.set(xlabel="position of the query", ylabel="weight on the token before")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, fontsize=10)
    return ax


def learned_matrices(matrices: Mapping[str, Float[np.ndarray, "d d"]]) -> Figure:
    """Draw matrices as colors, each on its own scale, with blocks of clocks framed.

    Parameters
    ----------
    matrices : mapping
        Title to matrix, up to four.
    """
    figure, panels = plt.subplots(2, 2, figsize=(4.6, 5.0), layout="constrained")
    ink = readable_ink(mpl.colormaps[TURN_COLORS](0.5))
    for ax in panels.flat[len(matrices) :]:
        ax.set_axis_off()
    for ax, (title, matrix) in zip(panels.flat, matrices.items(), strict=False):
        limit = np.abs(matrix).max()
        norm = mpl.colors.CenteredNorm(halfrange=limit)
        ax.imshow(matrix, cmap=TURN_COLORS, norm=norm, interpolation="nearest")
        for i in range(0, len(matrix), 2):
            frame: dict[str, Any] = {"fill": False, "ec": ink, "lw": 0.8}
            ax.add_patch(Rectangle((i - 0.5, i - 0.5), 2, 2, **frame))
        ax.set_title(title, fontsize=11)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_color(color("line"))
    return figure


def extrapolation_sweep(heads: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw the share of right queries beyond the trained length, a row per width.

    The left column is among all keys, the right one among those no farther away than
    any in training.

    Parameters
    ----------
    heads : sequence of mapping
        Entries of ``tests`` of the run "shift" in ``book/data/lab_runs``. Controls are
        left out.
    """
    swept = [head for head in heads if not head["control"]]
    widths = sorted({head["d_model"] for head in swept})
    bases = sorted({head["base"] for head in swept})
    figure, panels = plt.subplots(
        len(widths),
        2,
        figsize=(5.4, 7.2),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    columns = {"beyond": "among all keys", "near": "among near keys"}
    for column, (measure, keys) in zip(panels.T, columns.items(), strict=True):
        column[0].set_title(keys, fontsize=11)
        for ax, d_model in zip(column, widths, strict=True):
            for number, base in enumerate(bases):
                own = [h for h in swept if (h["d_model"], h["base"]) == (d_model, base)]
                lengths = [head["trained"] for head in own]
                shares = np.asarray([head[measure] for head in own])
                style = line_style(number)
                mean = shares.mean(axis=1)
                ax.plot(lengths, mean, lw=1.6, label=f"{base:,g}", **style)
                ends = shares.min(axis=1), shares.max(axis=1)
                ax.vlines(lengths, *ends, color=style["color"], lw=3, alpha=0.5)
            ax.set_xscale("log", base=2)
            ax.set_xticks(lengths, [str(length) for length in lengths], fontsize=10)
            ax.minorticks_off()
            ax.set(ylim=(-0.04, 1.06), yticks=[0, 0.5, 1])
    for ax, d_model in zip(panels[:, 0], widths, strict=True):
        ax.set_ylabel(f"$d = {d_model}$", fontsize=11)
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(),
        title="base",
        loc="outside upper center",
        ncols=len(bases),
        fontsize=10,
        title_fontsize=10,
    )
    figure.supxlabel("positions in training", fontsize=11, color=color("text"))
    figure.supylabel(
        "share of the queries that are right", fontsize=11, color=color("text")
    )
    return figure


def overview(
    *, t: int, offset: int, d_model: int, base: float, positions: int = 41
) -> Figure:
    """Draw clocks, both matrices and curve, the widget's still picture.

    Parameters
    ----------
    t, offset : int
        Position and shift, in tokens.
    d_model, base
        As in `posenc.rotation.shift_operator`.
    positions : int, default 41
        Rows and columns of the similarity matrix.
    """
    figure, axes = panels(
        2,
        2,
        figsize=(8.4, 8.2),
        narrow_height=13,
        layout=choose("constrained", "compressed"),
    )
    theta = _angles.frequencies(d_model, base=base)
    dials = axes[0]
    across = math.ceil(math.sqrt(len(theta)))
    for i, speed in enumerate(theta):
        center = 2.3 * (i % across), -2.6 * (i // across)
        clock(dials, center, speed * t, speed * offset)
    down = math.ceil(len(theta) / across)
    limits = {"xlim": (-1.2, 2.3 * across - 1.1), "ylim": (-2.6 * down + 1.4, 1.2)}
    dials.set(**limits, aspect="equal", title=f"{t} → {t + offset}")
    dials.set_axis_off()
    matrix = rotation.shift_operator(offset, d_model, base=base)
    numbers = choose(None, d_model <= 4)
    shift_matrix(matrix, numbers=numbers, ax=axes[1])
    similarity_matrix(positions, d_model, base=base, ax=axes[2])
    curve = axes[3]
    similarity_curves((d_model,), positions - 1, base=base, ax=curve)
    value = rotation.position_similarity(np.asarray(offset), d_model, base=base)
    style: dict[str, Any] = {"color": color("text"), "ms": 8, "mfc": "none"}
    curve.plot(abs(offset), value / (d_model / 2), "o", **style)
    return figure
