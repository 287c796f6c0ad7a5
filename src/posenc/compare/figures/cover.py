"""The book's title picture: three ways to tell a token where it stands."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle

from posenc.kit.figures.themes import color

#: Alt text of the picture.
COVER_ALT = (
    "A row of tokens, one of them the query. Above it, arcs to the other tokens, "
    "thinner with distance: a bias. Below each token a clock hand, turned farther with "
    "every position: a rotation. Below that a column of colors, different for every "
    "position: a sinusoid that is added."
)

_TOKENS = 13
_QUERY = 8


def cover(ax: Axes | None = None) -> Axes:
    """Draw one row of tokens, biases above it, rotations and sinusoids below it."""
    if ax is None:
        _, ax = plt.subplots(figsize=(10, 5.2))
    ax.set(xlim=(-2.4, _TOKENS - 0.4), ylim=(-5.1, 3.2), aspect="equal")
    ax.axis("off")
    _biases(ax)
    for position in range(_TOKENS):
        _token(ax, position)
        _clock(ax, position)
        _stripe(ax, position)
    for y, words in (
        (1.6, "biased"),
        (0, "tokens"),
        (-1.5, "rotated"),
        (-3.75, "added"),
    ):
        ax.text(-1.0, y, words, ha="right", va="center", color=color("muted"))
    return ax


def _token(ax: Axes, position: int) -> None:
    is_query = position == _QUERY
    role = "query" if is_query else "key"
    ax.add_patch(
        Circle((position, 0), 0.36, facecolor="none", edgecolor=color(role), lw=2)
    )
    label = "q" if is_query else "k"
    ax.text(position, -0.03, label, ha="center", va="center", color=color(role))


def _biases(ax: Axes) -> None:
    """Draw arcs from the query to the keys, fainter with distance and to the right."""
    for key in (key for key in range(_TOKENS) if key != _QUERY):
        distance = abs(_QUERY - key)
        strength = np.exp(-0.45 * (distance - 1)) * (1 if key < _QUERY else 0.3)
        ax.add_patch(
            Arc(
                ((key + _QUERY) / 2, 0.45),
                distance,
                1.1 * distance**0.75,
                theta1=0,
                theta2=180,
                color=color("position"),
                lw=0.8 + 4 * strength,
                alpha=0.35 + 0.65 * strength,
            )
        )


def _clock(ax: Axes, position: int) -> None:
    """Draw a hand turned by an angle that grows with the position."""
    angle = np.pi / 2 - 0.5 * position
    x, y = position, -1.5
    ax.add_patch(Circle((x, y), 0.4, facecolor="none", edgecolor=color("line"), lw=1))
    tip_x, tip_y = x + 0.36 * np.cos(angle), y + 0.36 * np.sin(angle)
    ax.plot([x, tip_x], [y, tip_y], color=color("position"), lw=2.4)


def _stripe(ax: Axes, position: int) -> None:
    """Draw one column of a sinusoidal table: fast waves on top, slow ones below."""
    frequencies = 2.0 ** -np.arange(6)
    waves: Any = np.sin(1.6 * position * frequencies)
    ax.imshow(
        waves[:, None],
        extent=(position - 0.4, position + 0.4, -5.0, -2.5),
        cmap="PuOr",
        vmin=-1.3,
        vmax=1.3,
        aspect="auto",
        interpolation="nearest",
    )
    ax.set_aspect("equal")
