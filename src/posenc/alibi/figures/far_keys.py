"""Weight of far keys, the score that they need, and the bias in bfloat16."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Real
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.alibi import alibi_slopes
from posenc.kit.figures.lines import line_style
from posenc.kit.figures.themes import choose, color

from .slopes import LAST_BUCKET, learned_bias, prior


def needed_score(slope: float, distance: int, k_len: int) -> float:
    """Return the lead over all other scores that gives a key half of the weight.

    Parameters
    ----------
    slope : float
        Slope of the head; 0 for none.
    distance : int
        Distance of the key.
    k_len : int
        Keys in all, more than `distance`.
    """
    others = np.delete(-slope * np.arange(k_len), distance)
    return float(slope * distance + np.logaddexp.reduce(others))


def far_share(bias: Float[np.ndarray, " k_len"], distance: int) -> float:
    """Return the weight beyond a distance; entry n of `bias` is for distance n."""
    return float(prior(bias)[distance + 1 :].sum())


def worst_far_share(slope: float, distance: int, score_bound: float) -> float:
    """Return the most that keys beyond `distance` can get with scores from -B to B.

    Parameters
    ----------
    slope : float
        Slope of the head.
    distance : int
        In tokens.
    score_bound : float
        The bound B.
    """
    far = math.exp(2 * score_bound - slope * (distance + 1))
    return far / (far - math.expm1(-slope * (distance + 1)))


#: Look of curves that stand beside one another, told apart without color too.
_BOUNDS = (0.0, 1.0, 2.0, 4.0)


def worst_shares(slope: float, *, last: int = 100, ax: Axes | None = None) -> Axes:
    """Draw the most that keys beyond a distance can get, for bounds on the scores.

    Parameters
    ----------
    slope : float
        Slope of the head.
    last : int, default 100
        Largest distance.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, choose(3.6, 4.6)))[1]
    distances = np.arange(last + 1)
    for number, bound in enumerate(_BOUNDS):
        curve = [worst_far_share(slope, int(d), bound) for d in distances]
        words = (
            "equal scores" if not bound else f"scores from −{bound:.0f} to {bound:.0f}"
        )
        ax.plot(distances, curve, label=words, lw=2, **line_style(number))
    ax.set(yscale="log", ylim=(1e-4, 1.4), ylabel="weight beyond it, at most")
    ax.set_yticks(
        [1e-4, 1e-3, 1e-2, 1e-1, 1], ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"]
    )
    ax.minorticks_off()
    ax.set_xlabel("distance (tokens)", color=color("position"))
    ax.grid(visible=True)
    above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    ax.legend(fontsize=10, **choose({"loc": "lower left"}, above))
    return ax


def needed_scores(
    num_heads: int = 8, *, last: int = 1000, ax: Axes | None = None
) -> Axes:
    """Draw the lead in score that gives a far key half of the weight in each head.

    Parameters
    ----------
    num_heads : int, default 8
        Attention heads.
    last : int, default 1000
        Largest distance; there are twice as many keys.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, choose(3.9, 4.6)))[1]
    distances = np.unique(np.geomspace(1, last, 60).round().astype(int))
    slopes = alibi_slopes(num_heads).tolist()
    curves = np.asarray(
        [[needed_score(m, int(d), 2 * last) for d in distances] for m in slopes]
    )
    for number, (slope, curve) in enumerate(zip(slopes, curves, strict=True)):
        ax.plot(distances, curve, color=color("line"), lw=1.2)
        lower = choose(0, 1.2 * (number % 2))
        inside = np.flatnonzero(curve < 15.2 - lower)[-1]
        label = f"1/{round(1 / slope)}"
        at: dict[str, Any] = {"fontsize": 9, "color": color("muted"), "ha": "center"}
        at["bbox"] = {"fc": color("surface"), "ec": "none", "pad": 0.5}
        ax.text(distances[inside], min(curve[inside] + 0.35, 15.4 - lower), label, **at)
    best: dict[str, Any] = {"color": color("position"), "lw": 2.6}
    ax.plot(distances, curves.min(axis=0), label="best head", **best)
    none = np.full(distances.shape, needed_score(0.0, 1, 2 * last))
    ax.plot(distances, none, "--", color=color("text"), label="no bias")
    ax.set(xscale="log", ylim=(0, 16.4), ylabel="lead in score for half")
    ax.set_xticks([1, 10, 100, last], labels=["1", "10", "100", f"{last:,}"])
    ax.minorticks_off()
    ax.set_xlabel("distance of the key (tokens)", color=color("position"))
    ax.legend(fontsize=10, loc="lower right")
    ax.grid(visible=True, axis="y")
    return ax


def against_t5(*, last: int = 200, ax: Axes | None = None) -> Axes:
    """Draw straight lines of eight heads, and the staircase of a head of MPNet.

    Parameters
    ----------
    last : int, default 200
        Largest distance.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.8))[1]
    distances, depth = np.arange(last + 1), 6.4
    for number, slope in enumerate(alibi_slopes(8).tolist()):
        end = min(last, depth / slope)
        ax.plot([0, end], [0, -slope * end], color=color("position"), lw=1.3)
        low = choose(6.0, 6.0 - number % 2)
        x, y = min(last, low / slope), -min(slope * last, low)
        box = {"fc": color("surface"), "ec": "none", "pad": 1.0}
        words: dict[str, Any] = {"fontsize": 9, "va": "center", "ha": "center"}
        ax.text(
            x, y, f"1/{round(1 / slope)}", color=color("position"), bbox=box, **words
        )
    ax.plot([], [], color=color("position"), label="ALiBi, by slope")
    stairs: dict[str, Any] = {"color": color("text"), "drawstyle": "steps-mid", "lw": 2}
    ax.plot(distances, learned_bias(-distances), label="a head of MPNet", **stairs)
    edge = f"its last bucket, from {LAST_BUCKET}"
    ax.axvline(LAST_BUCKET - 0.5, color=color("muted"), ls="--", label=edge)
    ax.set(ylim=(-depth, 2.3), ylabel="bias", xlim=(-2, last * 1.06))
    ax.set_yticks(range(-6, 1, 2))
    ax.set_xlabel("distance (tokens)", color=color("position"))
    ax.legend(fontsize=9.5, loc="upper right")
    return ax


def far_shares(*, distance: int = LAST_BUCKET - 1, ax: Axes | None = None) -> Axes:
    """Draw the weight of the keys beyond a distance, as the sequence grows longer.

    Parameters
    ----------
    distance : int, default 90
        In tokens; by default, the keys beyond it are those of MPNet's last bucket.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, choose(3.6, 4.4)))[1]
    lengths = [2**n for n in range(8, 18)]
    distances = np.arange(lengths[-1])
    slopes = alibi_slopes(8)
    stairs = learned_bias(-distances)
    curve = [far_share(stairs[:n], distance) for n in lengths]
    ax.plot(
        lengths, curve, color=color("text"), marker="s", ms=4, label="head of MPNet"
    )
    for number, head in enumerate((8, 7, 6)):
        bias = -float(slopes[head - 1]) * distances
        curve = [far_share(bias[:n], distance) for n in lengths]
        words = f"ALiBi, slope 1/{round(1 / slopes[head - 1])}"
        ax.plot(lengths, curve, label=words, lw=2, **line_style(number))
    ax.set(
        xscale="log",
        ylim=(-0.03, choose(1.36, 1.05)),
        ylabel=f"weight beyond {distance} tokens",
    )
    shown = lengths[:: choose(3, 4)]
    ax.set_xticks(shown, labels=[f"{n:,}" for n in shown])
    ax.minorticks_off()
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    ax.set_xlabel("length (tokens)")
    ax.grid(visible=True)
    above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    ax.legend(fontsize=9.5, **choose({"loc": "upper left", "ncols": 2}, above))
    return ax


def to_bfloat16(values: Real[Any, "..."]) -> Float[np.ndarray, "..."]:
    """Round to numbers of bfloat16, as float32; ties go to the even one.

    bfloat16 is the upper half of float32: 8 bits of a number count, the first one
    among them, which is not stored.
    """
    bits = np.asarray(values, np.float32).view(np.uint32)
    bits = bits + 0x7FFF + (bits >> 16 & 1)
    return (bits & 0xFFFF0000).view(np.float32)


def rounding(slope: float = 0.5, *, query: int = 2047, keys: int = 24) -> Figure:
    """Draw the newest keys' bias in bfloat16, in two forms, and their weights.

    Parameters
    ----------
    slope : float, default 0.5
        Slope of the head.
    query : int, default 2047
        Position of the query; key and query count from 0.
    keys : int, default 24
        Keys that are drawn, the newest ones.
    """
    j = np.arange(query + 1 - keys, query + 1)
    forms = (
        ("m · (j − i)", to_bfloat16(slope * (j - query)), 0, "o"),
        ("m · j", to_bfloat16(slope * j) - slope * query, 2, "s"),
    )
    figure, axes = plt.subplots(2, 1, figsize=(6.0, 4.8), sharex=True)
    exact = slope * (j - query)
    for values, ax in ((exact, axes[0]), (np.exp(exact), axes[1])):
        ax.plot(j, values, color=color("muted"), lw=4, alpha=0.4, label="exact")
    for words, bias, line, marker in forms:
        style = {"marker": marker, "ms": 4, **line_style(line)}
        axes[0].plot(j, bias, label=words, **style)
        axes[1].plot(j, np.exp(bias), label=words, **style)
    axes[0].set_ylabel("bias + constant")
    axes[1].set_ylabel("factor of the weight")
    axes[1].set_xlabel(f"key j, for the query at {query:,}", color=color("key"))
    axes[0].legend(fontsize=9.5, loc="upper left")
    axes[1].xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    return figure
