"""The lift: a plane that becomes a cone, and how near each map comes to softmax."""

import math
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from posenc.attention import attention_weights
from posenc.kit.figures.themes import color, panels
from posenc.linear_attention import (
    elu_plus_one,
    linear_attention_weights,
    orthogonal_projection,
    polynomial_lift,
    positive_random_features,
)

from .lifted_points import cloud as cloud_points
from .lifted_points import ellipse_plane, project

Pair = tuple[float, float]


def ellipse(count: int = 73) -> Float[np.ndarray, "{count} 2"]:
    """Return points of the plane whose lift lies in the plane of `ellipse_plane`."""
    angles = np.linspace(0, 2 * math.pi, count)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return directions / np.sqrt(polynomial_lift(directions) @ ellipse_plane())[:, None]


def flat_plane(q: Pair, k: Pair, *, cloud: bool = True, ax: Axes | None = None) -> Axes:
    """Draw the plane before the lift: arrows q and k, points in and around an ellipse.

    Parameters
    ----------
    q, k : tuple of two float
        Query and key.
    cloud : bool, default True
        True to draw the points and the ellipse.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4, 4))[1] if ax is None else ax
    ax.set(xlim=(-1.75, 1.75), ylim=(-1.75, 1.75), aspect="equal")
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.axvline(0, color=color("line"), lw=0.8)
    ax.set_axis_off()
    ax.text(1.66, 0.1, "$x_1$", ha="center")
    ax.text(0.12, 1.62, "$x_2$", ha="center")
    if cloud:
        ax.plot(*ellipse().T, "--", color=color("position"), lw=1.6)
        _dots(ax, cloud_points(), *_sides())
    _arrows(ax, np.zeros(2), np.asarray([q, k]), ("q", "k"))
    return ax


def lifted_cone(
    q: Pair,
    k: Pair,
    *,
    cloud: bool = True,
    azimuth: float = -45.0,
    elevation: float = 15.0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the lifted points: half a cone, on which the ellipse is a plane cut.

    Parameters
    ----------
    q, k, cloud
        As in `flat_plane`.
    azimuth, elevation : float, default -45 and 15
        From where it is seen, in degrees.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4, 4))[1] if ax is None else ax
    tilt, rim = math.radians(elevation), 1.7**2 / math.sqrt(2)
    top, low = (rim * (math.cos(tilt) + sign * math.sin(tilt)) for sign in (1, -1))
    middle = (top + min(low, 0)) / 2
    ax.set(xlim=(-2.4, 2.4), ylim=(middle - 2.2, middle + 2.2), aspect="equal")
    ax.set_axis_off()

    def seen(lifted: Any) -> Any:
        return project(np.asarray(lifted, dtype=float), azimuth, elevation)[:, :2]

    turn = np.linspace(0, math.pi, 49)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    thin: dict[str, Any] = {"color": color("line"), "lw": 0.6}
    for radius in (0.5, 0.9, 1.3, 1.7):
        ax.plot(*seen(polynomial_lift(radius * circle)).T, **thin)
    for end in polynomial_lift(1.7 * circle[:-1:2]):
        ax.plot(*seen([np.zeros(3), end]).T, **thin)
    names = {
        "$x_1^2$": (1, 0, 0),
        r"$\sqrt{2}\,x_1x_2$": (0, 0.6, 0),
        "$x_2^2$": (0, 0, 1),
    }
    for words, axis in names.items():
        ends = [[0.0], [3.1], [4.0 if axis[1] else 3.35]]
        start, end, text = seen(np.asarray(ends) * axis)
        ax.annotate(
            "", end, start, arrowprops={"arrowstyle": "->", "ec": color("muted")}
        )
        ax.text(text[0], text[1], words, ha="center", va="center", fontsize=10)
    if cloud:
        inside, outside = _sides()
        points, none = seen(polynomial_lift(cloud_points())), np.zeros_like(inside)
        _dots(ax, points, inside, none)
        cut = seen(polynomial_lift(ellipse()))
        ax.add_patch(Polygon(cut, fc=color("position"), ec="none", alpha=0.25))
        ax.plot(*cut.T, "--", color=color("position"), lw=1.6)
        _dots(ax, points, none, outside)
    ends = seen(polynomial_lift(np.asarray([q, k])))
    _arrows(ax, seen(np.zeros((1, 3)))[0], ends, (r"$\varphi(q)$", r"$\varphi(k)$"))
    return ax


def lift_overview(
    q: Pair, k: Pair, *, cloud: bool, azimuth: float, elevation: float
) -> Figure:
    """Draw plane and cone side by side."""
    # Compressed: a square as wide as its half leaves the title its room.
    figure, (left, right) = panels(
        1, 2, figsize=(6.6, 3.5), narrow_height=7.2, layout="compressed"
    )
    flat_plane(q, k, cloud=cloud, ax=left)
    lifted_cone(q, k, cloud=cloud, azimuth=azimuth, elevation=elevation, ax=right)
    product = float(np.dot(q, k))
    left.set_title(
        f"$(q \\cdot k)^2 = {product:.2f}^2 = {product**2:.4f}$", fontsize=12
    )
    lifted = polynomial_lift(np.asarray([q, k]))
    same = float(lifted[0] @ lifted[1])
    right.set_title(rf"$\varphi(q) \cdot \varphi(k) = {same:.4f}$", fontsize=12)
    return figure


def _sides() -> tuple[Any, Any]:
    """Return the masks of the cloud's points inside the ellipse, and outside."""
    inside = polynomial_lift(cloud_points()) @ ellipse_plane() < 1
    return inside, ~inside


def _dots(ax: Axes, points: Any, inside: Any, outside: Any) -> None:
    ax.plot(*points[inside].T, "o", ms=4.5, color=color("value"))
    ax.plot(*points[outside].T, "s", ms=4.5, mfc="none", color=color("muted"))


def _arrows(ax: Axes, start: Any, ends: Any, names: tuple[str, str]) -> None:
    for end, words, role in zip(ends, names, ("query", "key"), strict=True):
        style: dict[str, Any] = {"arrowstyle": "-|>", "color": color(role), "lw": 2.2}
        ax.annotate("", end, start, arrowprops=style | {"shrinkA": 0, "shrinkB": 0})
        away = end - start
        place = end + 0.22 * away / max(float(np.hypot(*away)), 0.1)
        bold: dict[str, Any] = {"color": color(role), "fontsize": 14, "ha": "center"}
        ax.text(place[0], place[1], words, va="center", fontweight="bold", **bold)


#: Factors of the scores; the larger, the sharper is softmax.
SHARPNESS = (0.25, 0.5, 1.0, 2.0, 4.0)
RANDOM_FEATURES = (64, 1024)


def quality(head_dim: int, *, seq_len: int = 256, seed: int = 0) -> dict[str, Any]:
    """Return the mean distance of rows of weights from softmax, for every sharpness.

    The distance of two rows is half the sum of their absolute differences, the share of
    the weight that lies in another place. Queries and keys are standard
    normal; both are multiplied by the root of the sharpness, for softmax and for every
    map. The rows of the random features are at right angles in blocks of `head_dim`.

    Parameters
    ----------
    head_dim, seq_len : int
        Features of a head; queries and keys.
    seed : int, default 0
        Seed of the random numbers.
    """
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(2, seq_len, head_dim))
    maps: dict[str, Any] = {"uniform": np.ones_like, "elu": elu_plus_one}
    for m in RANDOM_FEATURES:
        rows = orthogonal_projection(m, head_dim, rng=np.random.default_rng(seed + 1))
        maps[f"random {m}"] = partial(positive_random_features, projection=rows)
    distances: dict[str, list[float]] = {name: [] for name in ("taylor", *maps)}
    for sharpness in SHARPNESS:
        a, b = q * sharpness**0.5, k * sharpness**0.5
        softmax = attention_weights(a, b)
        for name, feature_map in maps.items():
            shrink = head_dim**-0.25 if "random" in name else 1.0
            weights = linear_attention_weights(
                shrink * a, shrink * b, feature_map=feature_map
            )
            distances[name].append(_misplaced(weights, softmax))
        scores = a @ b.T / head_dim**0.5
        kernel = 1 + scores + scores**2 / 2
        weights = kernel / kernel.sum(axis=1, keepdims=True)
        distances["taylor"].append(_misplaced(weights, softmax))
    return {"sharpness": SHARPNESS, **distances}


def _misplaced(weights: Any, softmax: Any) -> float:
    return float((0.5 * np.abs(weights - softmax).sum(-1)).mean())


_QUALITY: dict[str, tuple[str, str, str]] = {
    "uniform": ("all weights equal", "muted", "--"),
    "taylor": ("1 + s + s²/2", "text", "D-"),
    "elu": ("elu + 1", "query", "o-"),
    "random 64": ("64 random features", "key", "s-."),
    "random 1024": ("1,024 random features", "value", "^-"),
}


def quality_curves(head_dims: tuple[int, ...] = (4, 64)) -> Figure:
    """Draw the distance of each map's weights from those of softmax.

    Parameters
    ----------
    head_dims : tuple of int, default (4, 64)
        Features of a head, one panel each.
    """
    figure, axes = plt.subplots(len(head_dims), 1, figsize=(4.7, 5.4), sharex=True)
    for ax, head_dim in zip(axes, head_dims, strict=True):
        curves = quality(head_dim)
        for name, (words, role, style) in _QUALITY.items():
            ax.plot(curves["sharpness"], curves[name], style, color=color(role), lw=2)
            ax.lines[-1].set_label(words)
        ax.set_xscale("log", base=2)
        ax.set_xticks(curves["sharpness"], [f"{s:g}" for s in curves["sharpness"]])
        ax.set(ylim=(0, 1), ylabel="share misplaced")
        ax.set_title(f"d = {head_dim}")
    axes[0].legend(fontsize=10)
    axes[-1].set_xlabel("factor of the scores (sharpness)")
    return figure
