"""How scores fall with the distance: the score, its bound and the mean."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from posenc import rope
from posenc.kit.figures.themes import choose, color

CONTENTS = {
    "ones": "all ones",
    "aligned": "q = k, at random",
    "random": "q and k at random",
}


def contents(name: str, head_dim: int) -> tuple[Any, Any]:
    """Query and key of one of `CONTENTS`; the random ones have the norm of the ones."""
    if name == "ones":
        return np.ones(head_dim), np.ones(head_dim)
    rng = np.random.default_rng(3)
    q, k = rng.normal(size=(2, head_dim))
    k = q if name == "aligned" else k
    root = math.sqrt(head_dim)
    return q * root / np.linalg.norm(q), k * root / np.linalg.norm(k)


def decay_curves(
    name: str, head_dim: int, base: float, last: int
) -> dict[str, Float[np.ndarray, " distances"]]:
    """Score, true bound and the paper's mean at the distances 0 … last."""
    q, k = contents(name, head_dim)
    distances = np.arange(last + 1.0)
    angles = rope.rotary_angles(distances, head_dim, base=base)
    turned = rope.apply_rotary(np.broadcast_to(q, (last + 1, head_dim)), angles)
    return {
        "score": turned @ k,
        "bound": rope.decay_bound(q, k, distances, base=base),
        "mean": rope.mean_partial_sum(distances, head_dim, base=base),
    }


def chain(
    distances: tuple[int, ...] = (0, 10, 50, 250), *, head_dim: int = 128
) -> Figure:
    """Arrows of all planes, tip to tail, at several distances.

    Parameters
    ----------
    distances : tuple of int
        Tokens between query and key, one picture for each.
    head_dim : int, default 128
        Features of a head: half as many arrows, each of length 1.
    """
    figure, axes = plt.subplots(
        len(distances), 1, figsize=(5.8, choose(7.2, 5.2)), sharex=True
    )
    pairs = head_dim // 2
    for ax, n in zip(axes, distances, strict=True):
        turns = np.exp(1j * rope.rotary_angles(np.asarray([float(n)]), head_dim)[0])
        joints = np.concatenate([[0], np.cumsum(turns)])
        end = joints[-1]
        ax.plot([0, end.real], [0, 0], lw=7, alpha=0.25, color=color("text"))
        ax.plot([end.real] * 2, [0, end.imag], ":", lw=1.3, color=color("muted"))
        ax.plot(joints.real, joints.imag, ".-", ms=4, lw=1.2, color=color("position"))
        ax.plot(0, 0, "o", ms=7, color=color("text"))
        ax.set(xlim=(-0.1 * pairs, 1.03 * pairs), ylim=(-0.1 * pairs, 0.21 * pairs))
        ax.set(aspect="equal")
        ax.set_title(f"distance {n}: real part {end.real:.1f}", fontsize=11)
    axes[-1].set_xlabel("real part")
    return figure


def spread(*, head_dim: int = 128, last: int = 300, pairs: int = 2000) -> Figure:
    """Scores of many random queries and keys against distance: independent, and equal.

    Parameters
    ----------
    head_dim : int, default 128
        Features of a head.
    last : int, default 300
        Largest distance.
    pairs : int, default 2000
        Queries and keys drawn.
    """
    figure, axes = plt.subplots(1, 2, figsize=(5.8, 3.1), sharey=True)
    scores = content_scores(head_dim, last, pairs)
    words = choose(
        ("q and k independent", "the same content, q = k"),
        ("q and k\nindependent", "the same content,\nq = k"),
    )
    for ax, values, title in zip(axes, scores, words, strict=True):
        low, middle, high = np.percentile(values, (5, 50, 95), axis=0)
        shade: dict[str, Any] = {"color": color("position"), "lw": 0, "alpha": 0.3}
        ax.fill_between(range(last + 1), low, high, **shade)
        ax.plot(middle, color=color("text"), lw=1.6)
        ax.axhline(0, color=color("line"), lw=0.8, zorder=0)
        ax.set_title(title, fontsize=11)
        ax.set_xlabel("distance (tokens)", color=color("position"))
    axes[0].set_ylabel("score")
    return figure


def content_scores(
    head_dim: int, last: int, pairs: int
) -> tuple[Float[np.ndarray, "pairs n"], Float[np.ndarray, "pairs n"]]:
    """Scores of random queries at the distances 0 … last: with others, with themselves.

    All numbers in queries and keys are independent, with mean 0 and variance 1.
    """
    q, k = np.random.default_rng(0).normal(size=(2, pairs, head_dim // 2, 2)) @ (1, 1j)
    angles = rope.rotary_angles(np.arange(last + 1.0), head_dim)
    turns = np.exp(1j * angles).T
    return (q * k.conj() @ turns).real, (q * q.conj() @ turns).real


def decay(
    name: str = "ones", *, head_dim: int = 128, base: float = 10_000.0, last: int = 299
) -> Figure:
    """Score and mean on a linear scale; size of the score, bound and mean on another.

    Parameters
    ----------
    name, head_dim, base, last
        As in `decay_curves`.
    """
    curves = decay_curves(name, head_dim, base, last)
    figure, (left, right) = plt.subplots(2, 1, figsize=(5.8, 5.6), sharex=True)
    left.axhline(0, color=color("line"), lw=0.8)
    left.plot(curves["score"], color=color("text"), lw=1.6, label="score")
    left.plot(
        curves["mean"], "--", color=color("position"), label="mean of $|S_j|$ (paper)"
    )
    right.plot(curves["bound"], "-.", color=color("key"), label="true bound")
    right.plot(np.abs(curves["score"]), color=color("text"), lw=1.6, label="|score|")
    right.plot(curves["mean"], "--", color=color("position"))
    right.set(yscale="log", ylabel="size (log scale)", ylim=(0.5, None))
    right.set_xlabel("distance (tokens)", color=color("position"))
    left.set_ylabel("score")
    for ax in (left, right):
        ax.legend(fontsize=10)
    return figure
