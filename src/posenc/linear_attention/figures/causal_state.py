"""The causal sum token by token: the state, and the same output by weights."""

import math
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.core.running_example import TOKENS, K, Q, V
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import choose, color
from posenc.linear_attention import (
    elu_plus_one,
    linear_attention_weights,
    recurrent_form,
)

#: The sentence of the running example, there and back: six tokens.
ORDER = (0, 1, 2, 2, 1, 0)


WORDS = tuple(TOKENS[i] for i in ORDER)


@dataclass(frozen=True)
class StateStep:
    """One step of the causal sums, and the same output by weights.

    ``decayed``, ``added`` and ``state`` have shape (r, E + 1): S with z as its last
    column.
    """

    decayed: Float[np.ndarray, "r 5"]
    added: Float[np.ndarray, "r 5"]
    state: Float[np.ndarray, "r 5"]
    weights: Float[np.ndarray, " tokens"]
    output: Float[np.ndarray, " 4"]


def tokens() -> dict[str, Any]:
    """Features of queries and keys, and the values, of the six tokens."""
    rows = list(ORDER)
    return {
        "phi_q": elu_plus_one(Q)[rows],
        "phi_k": elu_plus_one(K)[rows],
        "v": V[rows],
    }


def state_step(t: int, slope: float) -> StateStep:
    """State after token `t` with a decay of e^(-slope) per token."""
    rows, decay = list(ORDER), math.exp(-slope)
    phi_k, values = tokens()["phi_k"], tokens()["v"]
    extended = np.concatenate([values, np.ones((len(rows), 1))], axis=1)
    decayed = sum(
        (decay ** (t - j) * np.outer(phi_k[j], extended[j]) for j in range(t)),
        start=np.zeros((phi_k.shape[1], extended.shape[1])),
    )
    added = np.outer(phi_k[t], extended[t])
    q, k = Q[rows], K[rows]
    weights = linear_attention_weights(q, k, causal=True, decay=decay)[t]
    output = recurrent_form(q, k, values, decay=decay)[t]
    return StateStep(decayed, added, decayed + added, weights, output)


def _cells(ax: Axes, values: Any, most: float, *, gap: float = 0.0) -> None:
    """Draw a heat map with its numbers; the last column stands apart by `gap`."""
    last = values.shape[1] - 1
    for (i, j), value in np.ndenumerate(values):
        shade = mpl.colormaps["viridis"](min(value / most, 1.0))
        x = j + gap * (j == last)
        ax.add_patch(Rectangle((x - 0.48, i - 0.47), 0.96, 0.94, fc=shade, ec="none"))
        ink: dict[str, Any] = {"color": readable_ink(shade), "fontsize": 9.5}
        ax.text(x, i, _brief(value), ha="center", va="center", **ink)
    ax.set(xlim=(-0.5, last + 0.5 + gap), ylim=(len(values) - 0.5, -0.5))
    ax.set_axis_off()


def _brief(value: float) -> str:
    whole = math.isclose(value, round(value), abs_tol=1e-9)
    return f"{value:.{0 if whole else 2 if value < 9.95 else 1}f}"


def state_overview(t: int, slope: float) -> Figure:
    """Old state, new product and sum; weights and output beside them."""
    step, words = state_step(t, slope), WORDS[t]
    wide, high = choose((7.2, 4.8), (4.1, 9.6))
    figure = plt.figure(figsize=(wide, high), layout="none")
    most = state_step(len(ORDER) - 1, 0.0).state.max()
    titles = [
        r"$\lambda S$, the state from before",
        rf"$+\ \varphi(k)^\top v$, “{words}”",
        "$= S$, the state now (last column: $z$)",
    ]
    width, height = choose((0.51, 0.26), (0.98, 0.15))
    below = choose((0.68, 0.345, 0.01), (0.825, 0.635, 0.445))
    axes = [figure.add_axes((0.01, y, width, height)) for y in below]
    for ax, matrix, title in zip(
        axes, (step.decayed, step.added, step.state), titles, strict=True
    ):
        _cells(ax, matrix, most, gap=0.25)
        ax.set_title(title, fontsize=11, loc="left")
    top = figure.add_axes(choose((0.56, 0.22, 0.43, 0.72), (0.01, 0.1, 0.98, 0.3)))
    bottom = figure.add_axes(choose((0.56, 0.05, 0.43, 0.09), (0.01, 0.01, 0.98, 0.05)))
    _weights(top, t, step.weights)
    _cells(bottom, step.output[None], step.output.max())
    bottom.set_title("output, by the state and by the weights", fontsize=11, loc="left")
    return figure


def _weights(ax: Axes, t: int, weights: Any) -> None:
    """Share of each token in the mixture, and its value."""
    values = tokens()["v"]
    places = np.arange(len(WORDS))
    ax.barh(places, weights, height=0.45, color=color("position"))
    for j in range(len(WORDS)):
        share = f"{100 * weights[j]:.0f} %" if j <= t else "not yet"
        words = f"{j}  {WORDS[j]}: {share}, v = {tuple(values[j].astype(int).tolist())}"
        ax.text(0, j - 0.46, words, fontsize=9, va="center")
    ax.set(ylim=(len(WORDS) - 0.5, -0.8), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_title(f"weights of the query “{WORDS[t]}”, t = {t}", fontsize=11, loc="left")
