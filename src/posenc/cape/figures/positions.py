"""Positions that move: the opening, order and similarity, and the widget's picture."""

import itertools
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.kit.figures.lines import DASHES
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.themes import choose, color
from posenc.sinusoidal import sinusoidal_encoding


class UnitDraws(NamedTuple):
    """The random draws for one sequence, as numbers between −1 and 1.

    Attributes
    ----------
    shift, scale : float
        Shift and logarithm of the scale, as shares of their maxima.
    jitter : float array of shape (seq_len,)
        Jitter of each token, as a share of its maximum.
    """

    shift: float
    scale: float
    jitter: Float[np.ndarray, " seq_len"]


def unit_draws(seed: int, seq_len: int) -> UnitDraws:
    """Return the draws of a seed, in the order of `posenc.cape.augmented_positions`.

    Longer sequences begin with the jitters of shorter ones.
    """
    rng = np.random.default_rng(seed)
    shift, scale = rng.uniform(-1, 1), rng.uniform(-1, 1)
    return UnitDraws(shift, scale, rng.uniform(-1, 1, size=seq_len))


def moved(
    positions: Float[np.ndarray, " seq_len"],
    draws: UnitDraws,
    *,
    max_global_shift: float = 0.0,
    max_local_shift: float = 0.0,
    max_scale: float = 1.0,
    center: bool = True,
) -> Float[np.ndarray, " seq_len"]:
    """Return what `posenc.cape.augmented_positions` makes of these draws."""
    p = positions - positions.mean() if center else positions
    p = p + max_global_shift * draws.shift + max_local_shift * draws.jitter
    return max_scale**draws.scale * p


_TOKENS = 8
_DRAWS = UnitDraws(0.7, 0.8, np.asarray([0.5, -0.4, 0.9, -0.3, -0.7, 0.7, 0.4, -0.3]))
_STEPS: tuple[tuple[str, dict[str, float]], ...] = (
    ("centered", {}),
    ("all shifted alike", {"max_global_shift": 3.0}),
    ("each one jittered", {"max_local_shift": 0.5}),
    ("all stretched alike", {"max_scale": 1.5}),
)


def opening(ax: Axes | None = None) -> Axes:
    """Draw tokens on a time line, moved by a shift, a jitter and a scale.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 4.5))[1]
    ax.set(xlim=choose((-10.6, 9.6), (-7, 8.6)), ylim=(-0.75, len(_STEPS) + 0.1))
    ax.spines[["left", "top", "right"]].set_visible(False)
    ax.set_yticks([])
    ax.set_xticks(range(-4, 9, 2), [str(n).replace("-", "−") for n in range(-4, 9, 2)])
    ax.axvline(0, color=color("line"), lw=0.8, ls=(0, (3, 3)))
    ax.set_xlabel("position that goes into the sines", color=color("position"))
    maxima: dict[str, Any] = {}
    above = None
    for row, (words, more) in enumerate(_STEPS):
        maxima |= more
        y = len(_STEPS) - 1 - row
        places = moved(np.arange(float(_TOKENS)), _DRAWS, **maxima)
        if above is not None:
            for a, b in zip(above, places, strict=True):
                ax.plot([a, b], [y + 0.78, y + 0.22], color=color("line"), lw=1)
        _tokens(ax, places, y)
        at = choose((-10.5, y + 0.02), (-7, y + (-0.32 if row else 0.3)))
        ax.text(
            *at,
            choose(words, words.replace(" alike", "\nalike").replace("one ", "one\n")),
            fontsize=11.5,
            va="center",
        )
        above = places
    return ax


def _tokens(ax: Axes, places: Any, y: float) -> None:
    ax.plot([-5.0, 9.6], [y, y], color=color("line"), lw=0.8, zorder=0)
    style: dict[str, Any] = {"ms": 15, "mec": color("surface"), "mew": 1}
    ax.plot(places, [y] * len(places), "o", color=color("position"), **style)
    for number, place in enumerate(places):
        at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 10}
        ax.text(place, y, str(number), color=color("surface"), **at)


def crossings(
    before: Float[np.ndarray, " seq_len"], after: Float[np.ndarray, " seq_len"]
) -> list[tuple[int, int]]:
    """Return the pairs of tokens that have changed their order."""
    pairs = itertools.combinations(range(len(before)), 2)
    return [
        (i, j) for i, j in pairs if (before[i] - before[j]) * (after[i] - after[j]) < 0
    ]


def swap_chance(step: float, max_local_shift: float) -> float:
    """Return the chance that the jitters of two tokens turn them around."""
    if 2 * max_local_shift <= step:
        return 0.0
    return 0.5 * (1 - step / (2 * max_local_shift)) ** 2


def swaps(*, seeds: int = 4000, ax: Axes | None = None) -> Axes:
    """Draw the chance that two neighbors change their order, computed and drawn.

    Parameters
    ----------
    seeds : int, default 4000
        Pairs of jitters that are drawn for each dot.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.3))[1]
    maxima = np.linspace(0, 2, 201)
    chance = [swap_chance(1.0, float(m)) for m in maxima]
    ax.plot(maxima, chance, color=color("position"), lw=2, label="formula")
    first, second = np.random.default_rng(0).uniform(-1, 1, size=(2, seeds))
    some = np.linspace(0.25, 2, 8)
    drawn = [float((m * (first - second) > 1).mean()) for m in some]
    dots: dict[str, Any] = {"color": color("text"), "mfc": color("surface")}
    ax.plot(some, drawn, "o", label=f"{seeds:,} pairs drawn", **dots)
    ax.axvline(0.5, color=color("muted"), ls="--", lw=1)
    ax.text(0.53, 0.27, "half a step", color=color("muted"), fontsize=10.5)
    ax.set(
        xlabel="largest jitter, in steps", ylabel="neighbors swap", ylim=(-0.01, 0.32)
    )
    ax.set_yticks([0, 0.1, 0.2, 0.3], ["0", "10 %", "20 %", "30 %"])
    ax.legend(fontsize=10, loc="lower right")
    return ax


def similarities(
    *, seq_len: int = 25, d_model: int = 64, ax: Axes | None = None
) -> Axes:
    """Draw dot products of the middle token's encoding with all others, after moving.

    Parameters
    ----------
    seq_len : int, default 25
        Tokens.
    d_model : int, default 64
        Features of the encoding.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.7))[1]
    positions, draws = np.arange(float(seq_len)), unit_draws(3, seq_len)
    kinds: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("as they are", {}, "text"),
        ("shifted by up to 50", {"max_global_shift": 50.0}, "position"),
        ("jittered by up to ½", {"max_local_shift": 0.5}, "key"),
        ("scaled by up to 2", {"max_scale": 2.0}, "value"),
    )
    offsets = np.arange(seq_len) - seq_len // 2
    for (words, maxima, role), dash in zip(kinds, DASHES, strict=True):
        table = sinusoidal_encoding(moved(positions, draws, **maxima), d_model)
        wide = {"lw": 5, "alpha": 0.35} if role == "text" else {"lw": 2}
        line: dict[str, Any] = {"color": color(role), "ls": dash, **wide}
        ax.plot(offsets, table @ table[seq_len // 2], label=words, **line)
    top = choose(0.7, 0.55) * d_model
    ax.set(ylabel="product of two encodings", ylim=(0.25 * d_model, top))
    ax.set_xlabel("tokens apart", color=color("position"))
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0f}".replace("-", "−"))
    above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    columns: dict[str, Any] = {"ncols": 2, "loc": "upper center"}
    ax.legend(fontsize=10, **choose(columns, above))
    return ax


def averages(length: int = 6, *, ax: Axes | None = None) -> Axes:
    """Draw the weights of a causal mean, shared evenly among the tokens so far.

    Parameters
    ----------
    length : int, default 6
        Tokens.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 4.0))[1]
    shades = np.ones((length, length, 4))
    shades[...] = mpl.colors.to_rgba(color("raised"))
    words = np.full((length, length), "", dtype=object)
    fill = np.asarray(mpl.colors.to_rgba(color("position")))
    back = np.asarray(mpl.colors.to_rgba(color("surface")))
    for i, j in np.ndindex(length, length):
        if j <= i:
            share = 1 / (i + 1)
            shades[i, j] = share * fill + (1 - share) * back
            words[i, j] = "1" if i == 0 else f"1/{i + 1}"
    draw_matrix(shades, words, ax=ax)
    ax.add_patch(
        mpl.patches.Rectangle(
            (-0.5, -0.5), 1, length, fc="none", ec=color("value"), lw=3
        )
    )
    return ax


def overview(
    *,
    seed: int = 0,
    tokens: int = 8,
    max_global_shift: float = 3.0,
    max_local_shift: float = 0.5,
    max_scale: float = 1.5,
    theta: float = 1.0,
) -> Figure:
    """Draw tokens before and after, one sine at both, the widget's still picture.

    Parameters
    ----------
    seed, tokens : int
        Seed of the draws, and number of tokens.
    max_global_shift, max_local_shift, max_scale : float
        As in `posenc.cape.augmented_positions`.
    theta : float, default 1.0
        Frequency of the sine, in radians per token.
    """
    positions = np.arange(float(tokens))
    before = positions - positions.mean()
    after = moved(
        positions,
        unit_draws(seed, tokens),
        max_global_shift=max_global_shift,
        max_local_shift=max_local_shift,
        max_scale=max_scale,
    )
    figure, (top, wave) = plt.subplots(2, 1, figsize=(6.2, 5.0), sharex=True)
    for a, b in zip(before, after, strict=True):
        top.plot([a, b], [1, 0], color=color("line"), lw=1)
    for y, places, role in ((1, before, "text"), (0, after, "position")):
        dots: dict[str, Any] = {"color": color(role), "ms": 13, "mec": color("surface")}
        top.plot(places, [y] * tokens, "o", **dots)
        for number, place in enumerate(places):
            at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            top.text(place, y, str(number), color=color("surface"), fontsize=9, **at)
    swapped = len(crossings(before, after))
    plural = "pair has" if swapped == 1 else "pairs have"
    top.set_title(f"{swapped} {plural} changed their order", fontsize=11)
    top.set_yticks([1, 0], ["before", "after"])
    top.set_ylim(-0.35, 1.35)
    top.tick_params(length=0, axis="y")
    edge = max(abs(before).max(), abs(after).max()) + 0.8
    line = np.linspace(-edge, edge, 400)
    wave.plot(line, np.sin(theta * line), color=color("line"), lw=1.5)
    ring: dict[str, Any] = {"mfc": "none", "color": color("text"), "ms": 9}
    wave.plot(before, np.sin(theta * before), "o", label="before", **ring)
    wave.plot(after, np.sin(theta * after), "o", color=color("position"), label="after")
    wave.set(xlabel="position", ylabel="sine of one pair", ylim=(-1.15, 1.6))
    wave.set_xlim(-edge, edge)
    wave.legend(fontsize=9.5, ncols=2, loc="upper left")
    return figure
