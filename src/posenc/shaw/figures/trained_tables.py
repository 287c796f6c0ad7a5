"""The key vectors that a VITS model learned, compared with one another."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from posenc.core import data
from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import color


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
    """One panel for each layer: the cosines of its vectors.

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
