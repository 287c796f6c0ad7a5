"""Masks, and what becomes of them when they move along with the words."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from posenc.attention import causal_mask
from posenc.core.arrays import relative_positions
from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import color

_LENGTH = 5


def moved_masks() -> Figure:
    """Two masks, and beside each the same moved along with words that turn around.

    The filled cells may be seen; ``≠`` stands in those that have changed.
    """
    near = abs(relative_positions(_LENGTH, _LENGTH)) <= 1
    masks = {"causal": causal_mask(_LENGTH, _LENGTH), "itself and both neighbors": near}
    figure, rows = plt.subplots(len(masks), 2, figsize=(4.7, 5.0))
    order = list(range(_LENGTH))[::-1]
    for (left, right), (name, mask) in zip(rows, masks.items(), strict=True):
        moved = mask[order][:, order]
        changed = moved != mask
        _cells(left, mask, np.zeros_like(mask), order[::-1])
        _cells(right, moved, changed, order)
        left.set_ylabel("query", color=color("query"))
        for ax, words in (
            (left, name),
            (right, f"{changed.sum()} cells differ" if changed.any() else "the same"),
        ):
            below: dict[str, Any] = {"transform": ax.transAxes, "va": "top"}
            ax.text(0.5, -0.03, words, ha="center", fontsize=11, **below)
    for ax, title in zip(rows[0], ("$M$", r"$P M P^\top$"), strict=True):
        ax.set_title(title)
        ax.set_xlabel("key", color=color("key"))
        ax.xaxis.set_label_position("top")
    return figure


def _cells(
    ax: Axes,
    mask: Bool[np.ndarray, "L L"],
    changed: Bool[np.ndarray, "L L"],
    names: Sequence[int],
) -> None:
    """Cells of a mask, a sign in some, and the words' numbers at the margins."""
    places = range(_LENGTH)
    ax.set(xlim=(-0.5, _LENGTH - 0.5), ylim=(_LENGTH - 0.5, -0.5), aspect="equal")
    fills = to_rgba(color("raised")), to_rgba(color("muted"))
    shades = np.asarray(fills)[mask.astype(int)]
    edges = np.arange(_LENGTH + 1) - 0.5
    look: dict[str, Any] = {"edgecolors": color("surface"), "linewidth": 1.5}
    ax.pcolormesh(edges, edges, shades, **look)
    for query, key in np.argwhere(changed):
        ink = readable_ink(shades[query, key])
        ax.text(key, query, "≠", color=ink, fontsize=11, **CENTERED)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.set_xticks(places, [str(n) for n in names])
    ax.set_yticks(places, [str(n) for n in names])
