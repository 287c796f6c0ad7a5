"""All planes of a head: clocks, layouts of the features, decay with the distance."""

import math
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle, Wedge

from posenc import rope
from posenc.core import angles as _angles
from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import choose, color, panels

#: Words of the four ways to set the speed of the planes.
METHODS = {
    "none": "as trained",
    "interpolation": "interpolation",
    "ntk": "NTK-aware",
    "yarn": "YaRN",
}


class Planes(NamedTuple):
    """Planes of a head at one distance, as trained and as they are used now.

    `angles` are those of the hands, in radians and not reduced; `seen` is the range of
    each hand in training, at most one round; `new` is True for the hands whose angle
    training never reached.
    """

    theta: Float[np.ndarray, " planes"]
    angles: Float[np.ndarray, " planes"]
    seen: Float[np.ndarray, " planes"]
    new: Any


def planes(
    head_dim: int,
    base: float,
    trained_len: int,
    *,
    method: str = "none",
    scale: float = 1.0,
    distance: float = 0.0,
) -> Planes:
    """Return the state of all planes of a head.

    Parameters
    ----------
    head_dim, base
        As in `posenc.rope.scaled_frequencies`.
    trained_len : int
        Tokens of the training: distances up to it count as met.
    method : str
        One of `METHODS`.
    scale, distance : float
        Factor of the context, and the distance (in tokens) that the hands show.
    """
    theta = trained = _angles.frequencies(head_dim, base=base)
    if method != "none":
        theta = rope.scaled_frequencies(
            head_dim,
            scale=scale,
            method=method,  # type: ignore[arg-type]
            base=base,
            trained_len=trained_len,
        )
    seen = np.minimum(trained_len * trained, 2 * math.pi)
    angles = distance * theta
    new = np.mod(angles, 2 * math.pi) > seen + 1e-9
    return Planes(theta, angles, seen, new)


def clocks(
    head_dim: int = 16,
    *,
    base: float = 10_000.0,
    trained_len: int = 2048,
    method: str = "none",
    scale: float = 1.0,
    distance: int = 3000,
    ax: Axes | None = None,
) -> Axes:
    """Draw a clock for each plane: angles met in training shaded, a hand at a distance.

    A hand that points outside the shade is drawn in the key's color, with a mark.

    Parameters
    ----------
    head_dim, base, trained_len, method, scale, distance
        As in `planes`.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    setting: dict[str, Any] = {"method": method, "scale": scale, "distance": distance}
    state = planes(head_dim, base, trained_len, **setting)
    across = math.ceil(math.sqrt(len(state.theta) * 1.4))
    down = math.ceil(len(state.theta) / across)
    ax = plt.subplots(figsize=(5.6, 5.6 * down / across))[1] if ax is None else ax
    ax.set(xlim=(-1.2, 2.5 * across - 1.2), ylim=(-2.75 * down + 1.2, 1.7))
    ax.set(aspect="equal")
    ax.set_axis_off()
    for i, (angle, seen, new) in enumerate(
        zip(state.angles, state.seen, state.new, strict=True)
    ):
        x, y = 2.5 * (i % across), -2.75 * (i // across)
        face: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "lw": 1}
        ax.add_patch(Circle((x, y), 1, **face))
        shade: dict[str, Any] = {"fc": color("position"), "ec": "none", "alpha": 0.3}
        ax.add_patch(Wedge((x, y), 0.78, 90 - math.degrees(seen), 90, **shade))
        role = "key" if new else "position"
        end = x + 0.93 * math.sin(angle), y + 0.93 * math.cos(angle)
        ax.plot([x, end[0]], [y, end[1]], color=color(role), lw=2.2)
        ax.plot(x, y, "o", ms=3.5, color=color("text"))
        words = f"{i} !" if new else str(i)
        at: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": 10}
        ax.text(x, y + 1.08, words, color=color("key" if new else "muted"), **at)
    return ax


def clocks_overview(**setting: Any) -> Figure:
    """Draw clocks and wavelengths side by side, the second widget's still picture."""
    figure, (left, right) = panels(
        1, 2, figsize=(9.2, 4.4), narrow_height=6.2, ratios=choose(None, (4, 5))
    )
    clocks(**setting, ax=left)
    scale, method = setting["scale"], setting["method"]
    common = {k: setting[k] for k in ("head_dim", "base", "trained_len")}
    shown = ("none",) if method == "none" else ("none", method)
    wavelengths(**common, scale=scale, methods=shown, ax=right)
    return figure


def wavelengths(
    head_dim: int = 64,
    *,
    base: float = 10_000.0,
    trained_len: int = 2048,
    scale: float = 8.0,
    methods: tuple[str, ...] = tuple(METHODS),
    ax: Axes | None = None,
) -> Axes:
    """Draw the tokens per round of every plane, and the trained and the longer context.

    Parameters
    ----------
    head_dim, base, trained_len, scale
        As in `posenc.rope.scaled_frequencies`.
    methods : tuple of str
        Keys of `METHODS`.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(5.8, 3.9))[1] if ax is None else ax
    styles = dict(
        zip(
            METHODS,
            (("text", "-"), ("query", "--"), ("value", "-."), ("key", ":")),
            strict=True,
        )
    )
    for method in methods:
        state = planes(head_dim, base, trained_len, method=method, scale=scale)
        role, dash = styles[method]
        look: dict[str, Any] = {"color": color(role), "ls": dash, "lw": 2}
        ax.plot(2 * math.pi / state.theta, label=METHODS[method], **look)
    ax.set(yscale="log", xlabel="plane i", ylabel="tokens per round")
    for length, words in ((trained_len, "trained"), (trained_len * scale, "wanted")):
        ax.axhline(length, color=color("position"), lw=1.2, ls=(0, (6, 3)))
        at: dict[str, Any] = {"color": color("position"), "va": "bottom"}
        ax.text(0, length * 1.1, f"{words}: {length:,.0f}", fontsize=10, **at)
        if scale == 1:
            break
    ax.legend(loc="lower right", fontsize=10)
    return ax


def layout_scores(
    head_dim: int, *, trained: str, runs: str, permuted: bool, last: int
) -> Float[np.ndarray, " offsets"]:
    """Return scores of one query and key at the relative positions -last … last.

    Their features are in the order of a model trained with the layout `trained`; code
    of the layout `runs` turns them, after the permutation if `permuted`.
    """
    rng = np.random.default_rng(5)
    q, k = np.round(rng.normal(size=(2, 1, head_dim)), 1)
    if trained == "half":  # the same model, its features in the other order
        order = rope.layout_permutation(head_dim, source="interleaved", target="half")
        q, k = q[:, order], k[:, order]
    if permuted:
        order = rope.layout_permutation(
            head_dim,
            source=trained,  # type: ignore[arg-type]
            target=runs,  # type: ignore[arg-type]
        )
        q, k = q[:, order], k[:, order]
    offsets = np.arange(-last, last + 1.0)
    keys = np.broadcast_to(k, (len(offsets), head_dim))
    angles = rope.rotary_angles(offsets, head_dim, base=100.0)
    turned = rope.apply_rotary(keys, angles, layout=runs)  # type: ignore[arg-type]
    return turned @ q[0]


def layout_lanes(head_dim: int = 8, ax: Axes | None = None) -> Axes:
    """Draw features in both orders, and a line from each place to that in the other.

    Parameters
    ----------
    head_dim : int, default 8
        Features of a head.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(5.6, 2.7))[1] if ax is None else ax
    ax.set(xlim=(-0.7, head_dim - 0.3), ylim=(-0.95, 2.95))
    ax.set_axis_off()
    target = rope.layout_permutation(head_dim, source="interleaved", target="half")
    roles = ("query", "key", "value", "position")
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    for place, feature in enumerate(target.tolist()):
        shade = color(roles[feature // 2 % 4])
        ax.plot([feature, place], [1.55, 0.45], color=shade, lw=1.6)
        for x, y in ((feature, 2), (place, 0)):
            box: dict[str, Any] = {"fc": color("raised"), "ec": shade, "lw": 1.8}
            ax.add_patch(Rectangle((x - 0.4, y - 0.4), 0.8, 0.8, **box))
            words = f"{'xy'[feature % 2]}$_{feature // 2}$"
            ax.text(x, y, words, color=shade, **middle)
    start: dict[str, Any] = {"color": color("muted"), "ha": "left"}
    ax.text(-0.5, 2.62, "interleaved: neighbors are a pair", **start)
    ax.text(-0.5, -0.85, "half-split: i and i + d/2 are a pair", **start)
    return ax


def layouts_overview(
    *, head_dim: int, trained: str, runs: str, permuted: bool
) -> Figure:
    """Draw lanes and scores side by side, the last widget's still picture."""
    figure, (left, right) = panels(1, 2, figsize=(9.2, 3.4), narrow_height=5.2)
    layout_lanes(head_dim, ax=left)
    r = np.arange(-8, 9)
    own: dict[str, Any] = {"trained": trained, "last": 8}
    meant = layout_scores(head_dim, runs=trained, permuted=False, **own)
    got = layout_scores(head_dim, runs=runs, permuted=permuted, **own)
    right.plot(r, meant, "o--", mfc="none", color=color("muted"), label="as trained")
    right.plot(r, got, ".-", color=color("position"), label="as it runs")
    right.set_xlabel("relative position (key − query)", color=color("position"))
    right.set_ylabel("score")
    right.set_xticks([-8, -4, 0, 4, 8], [signed_offset(t) for t in (-8, -4, 0, 4, 8)])
    right.legend(fontsize=10)
    return figure


CONTENTS = {
    "ones": "all ones",
    "aligned": "q = k, at random",
    "random": "q and k at random",
}


def contents(name: str, head_dim: int) -> tuple[Any, Any]:
    """Return query and key of one of `CONTENTS`, all with the norm of the ones."""
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
    """Return score, true bound and the paper's mean at the distances 0 … last."""
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
    """Draw the arrows of all planes, tip to tail, at several distances.

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
    """Draw the spread of random queries' scores with other keys and with themselves.

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
    """Return scores of random queries at 0 … last, with others and with themselves.

    All numbers in queries and keys are independent, with mean 0 and variance 1.
    """
    q, k = np.random.default_rng(0).normal(size=(2, pairs, head_dim // 2, 2)) @ (1, 1j)
    angles = rope.rotary_angles(np.arange(last + 1.0), head_dim)
    turns = np.exp(1j * angles).T
    return (q * k.conj() @ turns).real, (q * q.conj() @ turns).real


def decay(
    name: str = "ones", *, head_dim: int = 128, base: float = 10_000.0, last: int = 299
) -> Figure:
    """Draw score and mean on one scale; size of the score, bound and mean on another.

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
