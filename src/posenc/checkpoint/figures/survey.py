"""Models side by side: kinds of layers, positions of pictures, and methods by year."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from posenc.checkpoint import Layer, describe
from posenc.checkpoint.published import config, models, rows
from posenc.kit.figures.themes import NARROW, choose, color

LAYER_MODELS = (
    "Llama 3.1 8B",
    "Gemma 3 4B",
    "gpt-oss 20B",
    "Llama 4 Scout",
    "SmolLM3 3B",
)
#: Words, color and hatch of each kind of layer.
KINDS = {
    "all tokens": ("position", ""),
    "window": ("key", "//"),
    "no rotation": ("raised", ".."),
}


def kind_of(layer: Layer) -> str:
    """Return the layer's kind, one of `KINDS`."""
    if layer.method == "none":
        return "no rotation"
    return "window" if layer.window else "all tokens"


def layer_kinds(ax: Axes | None = None, *, first: int = 24) -> Axes:
    """Draw the first layers of some models, colored by kind.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    first : int, default 24
        Layers that are drawn.
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 2.7))[1]  # narrow: a phone shows it large
    for row, name in enumerate(LAYER_MODELS):
        for layer in describe(config(name)).layers[:first]:
            shade, hatch = KINDS[kind_of(layer)]
            ax.barh(
                row,
                0.86,
                left=layer.number - 0.43,
                height=0.66,
                color=color(shade),
                edgecolor=color("surface" if shade != "raised" else "muted"),
                hatch=hatch,
                lw=0,
            )
    ax.set_yticks(range(len(LAYER_MODELS)), labels=LAYER_MODELS)
    ax.set(
        xlim=(-0.7, first - 0.3), ylim=(len(LAYER_MODELS) - 0.4, -0.6), xlabel="layer"
    )
    handles = [
        Patch(facecolor=color(shade), edgecolor=color("muted"), hatch=hatch, label=kind)
        for kind, (shade, hatch) in KINDS.items()
    ]
    ax.legend(
        handles=handles,
        ncols=3,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        fontsize=9,
        columnspacing=choose(1.2, 0.9),
        handlelength=choose(1.6, 1.2),
    )
    return ax


_AXES = ("time", "row", "column")


def places_of(before: int, rows: int, columns: int, after: int) -> np.ndarray:
    """Return positions (3, tokens) of a picture between two texts, as in Qwen2-VL."""
    text = np.arange(before)
    row, column = np.indices((rows, columns)).reshape(2, -1)
    patches = before + np.stack([0 * row, row, column])
    rest = before + max(rows, columns) + np.arange(after)
    return np.concatenate([[text] * 3, patches, [rest] * 3], axis=1)


def places(ax: Axes | None = None) -> Axes:
    """Draw two tokens of text, a picture of 2 × 3 patches, and two tokens of text.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 2.0))[1]  # narrow: a phone shows it large
    before, rows, columns, after = 2, 2, 3, 2
    table = places_of(before, rows, columns, after)
    patches = rows * columns
    for line, numbers in enumerate(table):
        for place, number in enumerate(numbers):
            picture = before <= place < before + patches
            fill = color("raised") if picture else "none"
            box = Rectangle(
                (place - 0.47, line - 0.44), 0.94, 0.88, fc=fill, ec=color("line")
            )
            ax.add_patch(box)
            shade = "position" if picture else "text"
            ax.text(
                place, line, str(number), ha="center", va="center", color=color(shade)
            )
    first = 0
    for name, count in (("text", before), ("patches", patches), ("text", after)):
        middle = first + (count - 1) / 2
        ax.text(middle, -0.75, name, ha="center", va="center", fontsize=10)
        first += count
    ax.set_yticks(range(3), labels=_AXES)
    ax.set(xlim=(-0.6, first - 0.4), ylim=(2.6, -1.1))
    ax.set_xticks([])
    ax.spines[:].set_visible(False)
    ax.tick_params(left=False)
    return ax


#: Names below their dots, or that end or begin there, so that neighbors do not meet.
_BELOW = {"Llama 3.1 8B", "SmolLM3 3B", "Gemma 3 4B", "DeepSeek-V3"}
_BELOW |= {"GPT-NeoX 20B", "gpt-oss 20B"}
_SIDES = dict.fromkeys(
    ("Gemma 3 4B", "Code Llama 7B", "Llama 4 Scout", "DeepSeek-V2"), "right"
) | dict.fromkeys(("ModernBERT", "gpt-oss 20B"), "left")


def year_of(month: str) -> float:
    """Return the middle of a month, in years: ``"2024-07"`` is 2024.54."""
    year, number = month.split("-")
    return int(year) + (int(number) - 0.5) / 12


def history(ax: Axes | None = None) -> Axes:
    """Draw models in time, a row for each way to tell positions apart.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if choose(False, True):
        return _listed(plt.subplots(figsize=(NARROW, 6.8))[1] if ax is None else ax)
    if ax is None:
        ax = plt.subplots(figsize=(7.6, 5.0))[1]
    places = {name: number for number, name in enumerate(rows())}
    rotary = places["rotation, plain"]
    for model in models():
        row = places[model["row"]]
        shade = "position" if row <= rotary else "query"
        when = year_of(model["month"])
        ax.plot(when, row, "o" if row <= rotary else "s", color=color(shade), ms=6)
        below = model["name"] in _BELOW
        ax.annotate(
            model["name"],
            (when, row),
            xytext=(0, -7 if below else 7),
            textcoords="offset points",
            ha=_SIDES.get(model["name"], "center"),
            va="top" if below else "bottom",
            fontsize=8.5,
        )
    ax.set_yticks(range(len(places)), labels=list(places))
    ax.set(xlim=(2016.6, 2027.1), ylim=(len(places) - 0.4, -0.6))
    ax.set_xticks(range(2017, 2027))
    ax.grid(visible=True, axis="y")
    return ax


def _listed(ax: Axes) -> Axes:
    """Draw the narrow version: a line for each model, the oldest on top."""
    places = {name: number for number, name in enumerate(rows())}
    rotary = places["rotation, plain"]
    ordered = sorted(models(), key=lambda model: str(model["month"]))
    for line, model in enumerate(ordered):
        place = places[model["row"]]
        shade, mark = ("position", "o") if place <= rotary else ("query", "s")
        ax.plot(place, line, mark, color=color(shade), ms=6)
    labels = [f"{model['name']}, {model['month'][:4]}" for model in ordered]
    ax.set_yticks(range(len(ordered)), labels=labels, fontsize=10)
    ax.set_xticks(range(len(places)), labels=list(places), rotation=90)
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    ax.set(xlim=(-0.5, len(places) - 0.5), ylim=(len(ordered) - 0.5, -0.5))
    ax.spines[:].set_visible(False)
    ax.grid(visible=True)
    return ax
