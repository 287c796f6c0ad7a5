"""Which published model took which method, and when."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.checkpoint.published import models, rows
from posenc.kit.figures.themes import NARROW, choose, color

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
    """Models in time, a row for each way to tell positions apart.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
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
    found = sorted(models(), key=lambda model: str(model["month"]))
    for line, model in enumerate(found):
        place = places[model["row"]]
        shade, mark = ("position", "o") if place <= rotary else ("query", "s")
        ax.plot(place, line, mark, color=color(shade), ms=6)
    labels = [f"{model['name']}, {model['month'][:4]}" for model in found]
    ax.set_yticks(range(len(found)), labels=labels, fontsize=10)
    ax.set_xticks(range(len(places)), labels=list(places), rotation=90)
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    ax.set(xlim=(-0.5, len(places) - 0.5), ylim=(len(found) - 0.5, -0.5))
    ax.spines[:].set_visible(False)
    ax.grid(visible=True)
    return ax
