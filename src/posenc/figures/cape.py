"""Figures of the chapter on CAPE: moved positions, counting, and reading speech."""

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.sinusoidal import sinusoidal_encoding

from .cape_ctc import lattice, reading
from .cape_data import (
    counting_curves,
    crossings,
    moved,
    speech_errors,
    swap_chance,
    unit_draws,
)
from .cape_opening import opening
from .matrix import draw_matrix
from .themes import color

__all__ = [
    "averages",
    "counting",
    "lattice",
    "opening",
    "overview",
    "reading",
    "similarities",
    "speech",
    "swaps",
]

_DASHES = ("-", (0, (6, 2)), (0, (3, 2)), (0, (1, 1.5)))
_READERS = {
    ("ctc", "sinusoidal"): ("CTC, sinusoids", "position", "o", "-"),
    ("ctc", "none"): ("CTC, nothing", "position", "s", (0, (4, 2))),
    ("decoder", "sinusoidal"): ("decoder, sinusoids", "key", "^", "-"),
    ("decoder", "none"): ("decoder, nothing", "key", "D", (0, (4, 2))),
}


def swaps(*, seeds: int = 4000, ax: Axes | None = None) -> Axes:
    """Chance that two neighbors change their order, by formula and by drawing.

    Parameters
    ----------
    seeds : int, default 4000
        Pairs of jitters that are drawn for each dot.
    ax : Axes, optional
        Where to draw (default: new Axes).
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
    *, seq_len: int = 25, d_model: int = 32, ax: Axes | None = None
) -> Axes:
    """Dot products of the middle token's encoding with all others, after moving.

    Parameters
    ----------
    seq_len : int, default 25
        Tokens.
    d_model : int, default 32
        Features of the encoding.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.7))[1]
    positions, draws = np.arange(float(seq_len)), unit_draws(3, seq_len)
    kinds: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("as they are", {}, "text"),
        ("shifted by up to 5", {"max_global_shift": 5.0}, "position"),
        ("jittered by up to ½", {"max_local_shift": 0.5}, "key"),
        ("scaled by up to 2", {"max_scale": 2.0}, "value"),
    )
    offsets = np.arange(seq_len) - seq_len // 2
    for (words, maxima, role), dash in zip(kinds, _DASHES, strict=True):
        table = sinusoidal_encoding(moved(positions, draws, **maxima), d_model)
        wide = {"lw": 5, "alpha": 0.35} if role == "text" else {"lw": 2}
        line: dict[str, Any] = {"color": color(role), "ls": dash, **wide}
        ax.plot(offsets, table @ table[seq_len // 2], label=words, **line)
    ax.set(ylabel="product of two encodings", ylim=(-2, 1.6 * d_model / 2))
    ax.set_xlabel("tokens apart", color=color("position"))
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0f}".replace("-", "−"))
    ax.legend(fontsize=10, ncols=2, loc="upper center")
    return ax


def averages(length: int = 6, *, ax: Axes | None = None) -> Axes:
    """Weights of a causal mean: each row shares one evenly among the tokens so far.

    Parameters
    ----------
    length : int, default 6
        Tokens.
    ax : Axes, optional
        Where to draw (default: new Axes).
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


def counting(runs: Mapping[str, Any], *, ax: Axes | None = None) -> Axes:
    """Share of right answers while models without an encoding learn to count.

    Parameters
    ----------
    runs : mapping
        Results of the laboratory by name.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.3))[1]
    for (seed, (steps, accuracy)), dash in zip(
        counting_curves(runs).items(), _DASHES, strict=False
    ):
        line: dict[str, Any] = {"color": color("position"), "ls": dash, "lw": 1.8}
        ax.plot(steps, accuracy, label=f"seed {seed}", **line)
    ax.axhline(1 / 64, color=color("muted"), ls=":", label="guessing")
    ax.set(xlabel="steps of training", ylabel="right answers", ylim=(-0.02, 1.03))
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    ax.grid(visible=True, axis="y")
    ax.legend(fontsize=10, loc="best")
    return ax


def speech(runs: Mapping[str, Any], front: str, *, ax: Axes | None = None) -> Axes:
    """Errors of the readers of speech against the number of symbols.

    Thin lines are the seeds, marked lines their means.

    Parameters
    ----------
    runs : mapping
        Results of the laboratory by name.
    front : str
        "convolution" or "linear".
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.2, 4.1))[1]
    ticks: list[int] = []
    for key, seeds in speech_errors(runs, front).items():
        words, role, marker, dash = _READERS[key]
        rows = [list(errors.values()) for errors in seeds.values()]
        lengths = ticks = list(next(iter(seeds.values())))
        for row in rows:
            ax.plot(lengths, row, color=color(role), lw=0.8, alpha=0.5, ls=dash)
        line: dict[str, Any] = {"color": color(role), "ls": dash, "marker": marker}
        empty = color("surface") if key[1] == "none" else color(role)
        ax.plot(lengths, np.mean(rows, axis=0), lw=2, mfc=empty, label=words, **line)
    ax.axvspan(4, 16, color=color("raised"), zorder=0)
    ax.text(8, 1.3, "trained", color=color("muted"), fontsize=10.5, ha="center")
    ax.set(xscale="log", yscale="symlog", ylim=(-0.0004, 2.2), xlim=(5.5, 76))
    ax.set_yscale("symlog", linthresh=0.001, linscale=0.4)
    ax.set_yticks([0, 0.001, 0.01, 0.1, 1], ["0", "0.1 %", "1 %", "10 %", "100 %"])
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    ax.set(xlabel="symbols in a sentence", ylabel="error")
    ax.grid(visible=True, axis="y")
    ax.legend(fontsize=9.5, loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2)
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
    """Tokens before and after, and one sine at both: the widget as a still picture.

    Parameters
    ----------
    seed, tokens : int
        Of the draws, and how many there are.
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
