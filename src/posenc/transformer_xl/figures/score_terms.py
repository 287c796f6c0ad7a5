"""The four terms of a score, their sum, and the weights."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.core.arrays import relative_positions
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.themes import color
from posenc.sinusoidal import sinusoidal_encoding
from posenc.transformer_xl import ScoreTerms, score_terms

TERM_COLORS = "coolwarm"


#: Names of the four terms and what each multiplies.
TERMS = {
    "a": "query · key",
    "b": "query · distance",
    "c": "u · key",
    "d": "v · distance",
}


#: A memory of four tokens, then a segment of six.
WORDS = ("the", "cat", "sat", "on", "the", "mat", "and", "the", "cat", "ran")


MEMORY_LEN = 4


_HEAD_DIM = 8


def term_limit(terms: ScoreTerms) -> float:
    """Largest size of a term or a sum that is seen, with u and v or without them."""
    a, b, c, d = (np.asarray(term) for term in terms)
    sums = [a + b, a + b + c, a + b + d, a + b + c + d]
    q_len, k_len = a.shape
    past = np.tril(np.ones((q_len, k_len), dtype=bool), k_len - q_len)
    return max(float(np.abs(x[past]).max()) for x in [a, b, c, d, *sums])


def example_terms() -> ScoreTerms:
    """Return the four terms of six queries and ten keys, made up, divided by sqrt(d).

    Equal words have equal vectors; u likes the word "cat", v likes near keys.

    Returns
    -------
    ScoreTerms
        Arrays of shape (6, 10), rounded to two decimals.
    """
    rng = np.random.default_rng(3)
    vectors = {w: 0.8 * rng.normal(size=_HEAD_DIM) for w in dict.fromkeys(WORDS)}
    k: Float[np.ndarray, "10 8"] = np.stack([vectors[word] for word in WORDS])
    distances = np.arange(len(WORDS) - 1, -1, -1.0)
    r = sinusoidal_encoding(distances, _HEAD_DIM, base=100.0, layout="half")
    u = 0.5 * vectors["cat"]
    v = np.asarray([0, 0, 0, 0, 0.7, 4, 4, 0])  # slow cosines: they fall all the way
    terms: Any = score_terms(k[MEMORY_LEN:], k, r, u, v)
    scaled = [np.round(term / np.sqrt(_HEAD_DIM), 2) for term in terms]
    return ScoreTerms(*scaled)


def four_terms(terms: ScoreTerms | None = None, *, off: str = "") -> Figure:
    """Heat maps of the four terms, of their sum, and of the attention weights.

    Parameters
    ----------
    terms : ScoreTerms of shape (6, 10), optional
        Divided by sqrt(head_dim) (default: `example_terms`).
    off : str
        Letters of the terms that take no part, as in ``"cd"``.
    """
    terms = example_terms() if terms is None else terms
    parts: list[Any] = [
        np.asarray(term) * (letter not in off)
        for letter, term in zip(TERMS, terms, strict=True)
    ]
    total = sum(parts)
    q_len, k_len = total.shape
    past = relative_positions(q_len, k_len, q_offset=k_len - q_len) <= 0
    weights = _softmax(total, past)
    figure, axes = plt.subplots(3, 2, figsize=(4.7, 5.9))
    limit = term_limit(terms)  # the same whatever is off
    names = [f"({key})  {words}" for key, words in TERMS.items()] + ["sum", "weights"]
    for name, values, ax in zip(
        names, [*parts, total, weights], axes.flat, strict=True
    ):
        _heat_map(ax, name, values, past, limit)
    return figure


def _softmax(scores: Any, mask: Any) -> Any:
    exponentials = np.where(mask, np.exp(scores), 0.0)
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def _heat_map(ax: Axes, name: str, values: Any, past: Any, limit: float) -> None:
    norm = mpl.colors.CenteredNorm(halfrange=limit)
    shades = mpl.colormaps[TERM_COLORS](norm(values))
    if name == "weights":
        shades = mpl.colormaps["viridis"](values)
    shades[~past] = mpl.colors.to_rgba(color("raised"))
    draw_matrix(shades, q_offset=MEMORY_LEN, ax=ax)
    ax.axvline(MEMORY_LEN - 0.5, color=color("text"), lw=1.2)
    ax.set(xlabel="", ylabel="")
    ax.set_xticks(range(len(WORDS)), WORDS, rotation=90, color=color("key"), fontsize=8)
    queries = WORDS[MEMORY_LEN:]
    ax.set_yticks(range(len(queries)), queries, color=color("query"), fontsize=8)
    ax.set_title(name, fontsize=11)
