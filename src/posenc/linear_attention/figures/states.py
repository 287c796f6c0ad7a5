"""Causal states: token by token, in chunks, what they hold, and rotation in them."""

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

from posenc.attention import attention_weights
from posenc.core.running_example import TOKENS, K, Q, V
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import readable_ink, signed_offset
from posenc.kit.figures.themes import choose, color
from posenc.linear_attention import (
    elu_plus_one,
    linear_attention,
    linear_attention_weights,
    polynomial_lift,
    recurrent_form,
)
from posenc.rope import rotary_angles

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
    """Return features of queries and keys, and the values, of the six tokens."""
    rows = list(ORDER)
    return {
        "phi_q": elu_plus_one(Q)[rows],
        "phi_k": elu_plus_one(K)[rows],
        "v": V[rows],
    }


def state_step(t: int, slope: float) -> StateStep:
    """Return the state after token `t` with a decay of e^(-slope) per token."""
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
    """Draw old state, new product and sum, with weights and output beside them."""
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
    """Draw each token's share in the mixture, and its value."""
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


def states(matrices: Any, titles: Any) -> Figure:
    """Draw states of a causal sum, one after the other, with their numbers.

    Parameters
    ----------
    matrices : array of shape (steps, r, d)
        State after each token, features down, values across.
    titles : sequence of str
        Words above each.
    """
    matrices = np.asarray(matrices)
    figure, axes = plt.subplots(1, len(matrices), figsize=(4.9, 2.0))
    top = mpl.colors.to_rgb(color("value"))
    ground = mpl.colors.to_rgb(color("raised"))
    for ax, matrix, title in zip(axes, matrices, titles, strict=True):
        rows, columns = matrix.shape
        ax.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal")
        ax.set_axis_off()
        ax.set_title(title, fontsize=11.5)
        for i, j in np.ndindex(rows, columns):
            share = abs(matrix[i, j]) / max(np.abs(matrices).max(), 1e-9)
            fill = tuple(
                share * a + (1 - share) * b for a, b in zip(top, ground, strict=True)
            )
            look: dict[str, Any] = {"fc": fill, "ec": color("surface"), "lw": 1}
            ax.add_patch(Rectangle((j, i), 1, 1, **look))
            at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            words = f"{matrix[i, j]:g}"
            size = 11.5 if len(words) < 3 else 9
            ink = readable_ink(fill)
            ax.text(j + 0.5, i + 0.52, words, color=ink, fontsize=size, **at)
    return figure


def chunk_map(seq_len: int = 9, chunk: int = 3, *, ax: Axes | None = None) -> Axes:
    """Draw the weights that the chunked form computes, and those in the state.

    Parameters
    ----------
    seq_len, chunk : int
        Tokens in all, and in a chunk.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.4, 4.0))[1] if ax is None else ax
    shades = np.zeros((seq_len, seq_len, 4))
    text = np.full((seq_len, seq_len), "", dtype=object)
    for i, j in np.ndindex(seq_len, seq_len):
        same = i // chunk == j // chunk
        if j > i:
            shades[i, j] = mpl.colors.to_rgba(color("raised"))
        else:
            shades[i, j] = mpl.colors.to_rgba(color("query" if same else "value"))
            text[i, j] = "w" if same else "S"
    return draw_matrix(shades, text, ax=ax)


def circulant(seq_len: int = 4, *, ax: Axes | None = None) -> Axes:
    """Draw a Toeplitz matrix in the corner of one whose rows wrap around.

    Parameters
    ----------
    seq_len : int, default 4
        Queries and keys.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.4, 4.0))[1] if ax is None else ax
    size = 2 * seq_len - 1
    shades = np.empty((size, size, 4))
    text = np.empty((size, size), dtype=object)
    scale = mpl.colormaps["viridis"]
    for i, j in np.ndindex(size, size):
        offset = (j - i + seq_len - 1) % size - (seq_len - 1)
        own = i < seq_len and j < seq_len
        shades[i, j] = scale((offset + seq_len - 1) / (size - 1))
        if not own:
            ground = np.asarray(mpl.colors.to_rgba(color("raised")))
            shades[i, j] = 0.25 * shades[i, j] + 0.75 * ground
        text[i, j] = signed_offset(offset)
    ax = draw_matrix(shades, text, ax=ax)
    ax.set(xlabel="", ylabel="")
    return ax


PAIRS = (4, 8, 16, 32, 64, 128, 256, 512)


def recall(head_dim: int = 16, *, tries: int = 5) -> dict[str, Any]:
    """Return the share of right signs when every key looks up its own value.

    Keys are standard normal, each value a vector of random signs. Guessing gives 1/2.
    A control has as many features as the lift: elu + 1 of random mixtures of the keys.

    Parameters
    ----------
    head_dim : int, default 16
        Features of keys and of values.
    tries : int, default 5
        Random draws that are averaged.
    """
    means: dict[str, list[float]] = {
        name: [] for name in ("softmax", "lift", "elu, more", "elu")
    }
    many = head_dim * (head_dim + 1) // 2
    for pairs in PAIRS:
        shares: dict[str, list[float]] = {name: [] for name in means}
        for seed in range(tries):
            rng = np.random.default_rng(seed)
            k = rng.normal(size=(pairs, head_dim))
            v = rng.choice([-1.0, 1.0], size=(pairs, head_dim))
            mixed = k @ rng.normal(size=(head_dim, many)) / head_dim**0.5
            answers = {
                "softmax": attention_weights(k, k) @ v,
                "lift": linear_attention(k, k, v, feature_map=polynomial_lift),
                "elu, more": linear_attention(mixed, mixed, v),
                "elu": linear_attention(k, k, v),
            }
            for name, out in answers.items():
                shares[name].append(float((np.sign(out) == v).mean()))
        for name, values in shares.items():
            means[name].append(float(np.mean(values)))
    return {"pairs": PAIRS, **means}


_RECALL: dict[str, tuple[str, str, str]] = {
    "softmax": ("softmax", "text", "D-"),
    "lift": ("linear, lift to 136 features", "key", "s-."),
    "elu, more": ("linear, elu + 1, 136 features", "value", "^-"),
    "elu": ("linear, elu + 1, 16 features", "query", "o-"),
}


def recall_curve(ax: Axes | None = None) -> Axes:
    """Draw the share of remembered signs against the number of pairs to remember.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.7, 3.9))[1] if ax is None else ax
    curves = recall()
    for name, (words, role, style) in _RECALL.items():
        look: dict[str, Any] = {"color": color(role), "lw": 2, "label": words}
        ax.plot(curves["pairs"], curves[name], style, **look)
    ax.axhline(0.5, color=color("muted"), ls="--", lw=1.2)
    ax.text(curves["pairs"][0], 0.51, "guessing", color=color("muted"), va="bottom")
    ax.set_xscale("log", base=2)
    ax.set_xticks(curves["pairs"], [str(n) for n in curves["pairs"]])
    ax.set(ylim=(0.45, 1.03), xlabel="pairs to remember", ylabel="signs recovered")
    ax.legend(fontsize=10, loc="lower left", bbox_to_anchor=(0, 1))
    return ax


def negative_share(
    seq_len: int, head_dim: int, feature_map: Any, *, seed: int = 0
) -> float:
    """Return the share of negative weights under rotated features of random data.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens and features of a head.
    feature_map : callable
        As in `posenc.linear_attention.linear_attention`; keeps the head dimension.
    seed : int, default 0
        Seed of the random numbers.
    """
    q, k = np.random.default_rng(seed).normal(size=(2, seq_len, head_dim))
    angles = rotary_angles(np.arange(float(seq_len)), head_dim)
    weights = linear_attention_weights(q, k, feature_map=feature_map, angles=angles)
    return float((weights < 0).mean())


def last_weight(angles: Any, *, others: int = 2, rotated: bool = False) -> Any:
    """Return the weight of a query's own value, with `others` keys at each angle.

    All features are 1, so that nothing but the rotation decides.

    Parameters
    ----------
    angles : array
        Radians between the query and each of the other keys.
    others : int, default 2
        Number of keys besides its own.
    rotated : bool, default False
        True to rotate the denominator, too.
    """
    ones = np.ones((others + 1, 2))
    turned = np.append(np.ones(others), 0.0)[:, None]
    return np.asarray(
        [
            linear_attention_weights(
                ones,
                ones,
                feature_map=np.asarray,
                angles=turned * angle,
                rotate_denominator=rotated,
            )[-1, -1]
            for angle in np.asarray(angles)
        ]
    )


def denominator(ax: Axes | None = None) -> Axes:
    """Draw the weight of a query's own value while two other keys turn, both ways.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.8, 3.3))[1] if ax is None else ax
    degrees = np.linspace(0, 180, 361)
    degrees = degrees[degrees != 120]  # there the denominator is 0
    angles = np.radians(degrees)
    both = last_weight(angles, rotated=True)
    numerator = last_weight(angles)
    ax.axhline(0, color=color("line"), lw=0.8)
    for side in (degrees < 120, degrees > 120):
        look: dict[str, Any] = {"color": color("key"), "lw": 2.2}
        ax.plot(degrees[side], both[side], "--", **look)
    ax.lines[-1].set_label("rotated above and below")
    ax.axvline(120, color=color("muted"), ls=":", lw=1.2)
    ax.plot(degrees, numerator, color=color("query"), lw=2.2)
    ax.lines[-1].set_label("rotated above only")
    ax.set(xlim=(0, 180), ylim=(-8, 8), xticks=range(0, 181, 30))
    ax.set_yticks(range(-8, 9, choose(2, 4)))
    ax.set_xlabel("angle of the two other keys (degrees)")
    ax.set_ylabel("weight of the own value")
    above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    ax.legend(fontsize=10, **choose({"loc": "lower left"}, above))
    return ax
