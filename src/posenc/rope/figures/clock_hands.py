"""All planes of a head as clocks, and their wavelengths."""

import math
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Wedge

from posenc import rope
from posenc.core import angles as _angles
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

    `angles` are what the hands show, in radians and not reduced; `seen` is how far each
    hand got in training, at most one round; `new` tells which hands point to where they
    never pointed then.
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
    """State of all planes of a head.

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
        Where to draw (default: new Axes).
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
    """Clocks and wavelengths side by side: the second widget as a still picture."""
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
    """Tokens per round of every plane, against the trained and the wanted length.

    Parameters
    ----------
    head_dim, base, trained_len, scale
        As in `posenc.rope.scaled_frequencies`.
    methods : tuple of str
        Keys of `METHODS`.
    ax : Axes, optional
        Where to draw (default: new Axes).
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
