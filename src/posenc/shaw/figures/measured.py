"""Measured and published numbers: translation, time and memory, trained tables."""

from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from posenc.core import data
from posenc.core.markdown import Markdown
from posenc.kit.figures.cost import scaling_curve
from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import color

#: BLEU on newstest2013 by clipping distance (Shaw et al. 2018, table 2), base model.
BLEU_BY_CLIP = {0: 12.5, 1: 25.5, 2: 25.8, 4: 25.9, 16: 25.8, 64: 25.9, 256: 25.8}


#: The same by where the vectors enter (table 3 of the paper).
BLEU_BY_PLACE = {"both": 25.8, "keys only": 25.8, "values only": 25.3, "neither": 12.5}


def bleu(ax: Any = None) -> Figure:
    """Draw the paper's BLEU scores, by clipping distance and by use of the vectors."""
    if ax is None:
        _, ax = plt.subplots(2, 1, figsize=(4.8, 4.9), height_ratios=(7, 4))
    clips, places = list(BLEU_BY_CLIP), list(BLEU_BY_PLACE)
    at: dict[str, Any] = {"va": "center", "fontsize": 10}
    for axes, title, names, scores in (
        (ax[0], "clipped at", [f"k = {n}" for n in clips], [*BLEU_BY_CLIP.values()]),
        (ax[1], "vectors on", places, [*BLEU_BY_PLACE.values()]),
    ):
        rows = np.arange(len(names))
        axes.hlines(rows, 0, scores, color=color("line"), lw=1)
        axes.plot(scores, rows, "o", color=color("position"), ms=7)
        for row, score in zip(rows, scores, strict=True):
            axes.text(score + 0.6, row, f"{score}", **at)
        axes.set_title(title, fontsize=11, x=-0.02, ha="right")
        axes.set(xlim=(0, 30.5), ylim=(len(names) - 0.4, -0.6))
        axes.set_yticks(rows, names)
        axes.tick_params(length=0)
        axes.spines["left"].set_visible(False)
    ax[0].set_xticks([])
    ax[0].spines["bottom"].set_visible(False)
    ax[1].set_xlabel("BLEU")
    figure: Figure = ax[0].figure
    return figure


#: Forms of the position scores in ``bench_shaw.json``, and their words in the legend.
_FORMS = {
    "broadcast": "every pair a vector, B·H·L²·d",
    "batched": "L products, L²·d",
    "clipped": "2k + 1 products, then look up",
    "blocked_clipped": "the same in blocks of rows",
}


def cost_over_length(
    forward: Mapping[str, Mapping[str, Mapping[str, float]]], *, ax: Any = None
) -> Figure:
    """Draw the forms' measured time and memory against length, on logarithmic axes.

    Parameters
    ----------
    forward : mapping
        Length (as text) to form to ``{"ms", "mib"}``, as ``benchmarks/shaw.py`` writes.
    ax : pair of Axes, optional
        Axes to draw on (default: a new figure).
    """
    if ax is None:
        _, ax = plt.subplots(2, 1, figsize=(5.0, 6.8), sharex=True)
    scaling_curve(forward, _FORMS, "ms", ax=ax[0]).set_xlabel("")
    ax[0].legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=10)  # off the curves
    legend = scaling_curve(forward, _FORMS, "mb", ax=ax[1]).get_legend()
    if legend:  # one legend serves both
        legend.remove()
    figure: Figure = ax[0].figure
    return figure


#: Forms of ``bench_shaw.json`` in words, and True if they look up rows by an index.
FORMS = {
    "broadcast": ("as the formula reads", True),
    "batched": ("$L$ matrix products", True),
    "clipped": ("$2k + 1$ products, then look up", True),
    "blocked_clipped": ("the same, 128 rows at a time", True),
    "skew": ("the skew", False),
    "blocked_skew": ("the skew, 128 rows at a time", False),
}


def megabytes(form: str, num_heads: int) -> float:
    """Return the measured peak of one form beyond its inputs, in 10⁶ bytes.

    Parameters
    ----------
    form : str
        One of `FORMS`.
    num_heads : int
        1 or 8: those that were measured.
    """
    peaks = data.load("bench_shaw")["results"]["memory"]["mib"]
    mib: float = peaks[form][str(num_heads)]
    return mib * 2**20 / 1e6


def memory_table(forms: Iterable[str] = tuple(FORMS)) -> Markdown:
    """Return a table of the peaks of content and position scores, 1 and 8 heads.

    Above the measured rows stand two that are calculated: the scores themselves, which
    every form returns (a peak may lie before them), and the index of 64-bit whole
    numbers. Below the table stands the machine.

    Parameters
    ----------
    forms : iterable of str
        Rows, in this order; by default all of `FORMS`.

    Raises
    ------
    ValueError
        If a form is not one of `FORMS`.
    """
    forms = tuple(forms)
    unknown = [form for form in forms if form not in FORMS]
    if unknown:
        msg = f"forms must be some of {list(FORMS)}, got {unknown}"
        raise ValueError(msg)
    memory = data.load("bench_shaw")["results"]["memory"]
    pairs = memory["settings"]["length"] ** 2 / 1e6
    rows = [
        "| memory (MB) | one head | eight heads |",
        "|:--|--:|--:|",
        f"| calculated: the scores | {4 * pairs:,.0f} | {32 * pairs:,.0f} |",
    ]
    if any(FORMS[form][1] for form in forms):
        index = f"{8 * pairs:,.0f}"
        rows.append(f"| calculated: one index for all heads | {index} | {index} |")
    for form in forms:
        peaks = " | ".join(f"{megabytes(form, heads):,.0f}" for heads in (1, 8))
        rows.append(f"| measured: {FORMS[form][0]} | {peaks} |")
    rows += ["", f"Measured on {memory['machine']['processor']}."]
    return Markdown("\n".join(rows))


def vits_products(kind: str = "keys") -> Float[np.ndarray, "6 9 9"]:
    """Return the dot products of a VITS model's vectors, layer by layer.

    Rows and columns are the relative positions -4 to 4.
    ``book/data/vits_products.json``
    has their origin and license.

    Parameters
    ----------
    kind : str, default "keys"
        ``"keys"`` or ``"values"``.
    """
    return np.asarray(data.load("vits_products")[kind])


def cosines(
    products: Float[np.ndarray, "*layers n n"],
) -> Float[np.ndarray, "*layers n n"]:
    """Return the cosine of each two vectors, from their dot products."""
    norms = np.sqrt(np.diagonal(products, axis1=-2, axis2=-1))
    return products / (norms[..., :, None] * norms[..., None, :])


def trained_cosines(products: Float[np.ndarray, "layers n n"]) -> Figure:
    """Draw the cosines of each layer's vectors, in a panel of their own.

    Parameters
    ----------
    products : array of shape (layers, 2 k + 1, 2 k + 1)
        Dot products of the vectors, by relative position from -k to k.
    """
    layers, n = products.shape[:2]
    columns = 2  # narrow: its numbers stay readable on a phone
    rows = -(-layers // columns)
    size = (2.3 * columns, 2.35 * rows + 0.5)
    figure, axes = plt.subplots(
        rows, columns, figsize=size, squeeze=False, layout="constrained"
    )
    places = [0, n // 2, n - 1]
    words = [signed_offset(place - n // 2) for place in places]
    for layer, (ax, table) in enumerate(zip(axes.flat, cosines(products), strict=True)):
        mesh = ax.pcolormesh(
            table, cmap="coolwarm", vmin=-1, vmax=1, edgecolors=color("surface"), lw=0.5
        )
        ax.set(aspect="equal", ylim=(n, 0))
        ax.set_title(f"layer {layer}", fontsize=11, pad=3)
        ax.set_xticks([place + 0.5 for place in places], words, fontsize=10)
        ax.set_yticks([place + 0.5 for place in places], words, fontsize=10)
        ax.tick_params(length=0)
    bar: dict[str, Any] = {
        "location": "bottom",
        "shrink": 0.8,
        "aspect": 30,
        "pad": 0.02,
    }
    bar["ticks"] = [-1, 0, 1]
    figure.colorbar(mesh, ax=axes, label="cosine", **bar)
    return figure
