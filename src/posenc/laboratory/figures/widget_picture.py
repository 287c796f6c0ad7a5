"""The widget of the laboratory as a still picture: a chart for each encoding."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.kit.figures.lines import DASHES
from posenc.kit.figures.themes import color
from posenc.laboratory import Tested, lengths

from .looks import LOOKS, own_model, shown

_COLUMNS = 3


def overlay(
    task: str, encodings: list[str], measure: str = "accuracy", length: int = 128
) -> Figure:
    """Draw every encoding against length, and the learning curves of marked ones.

    Parameters
    ----------
    task : str
        A task with results.
    encodings : list of str
        Keys of `LOOKS` to mark; those without results are left out. Their runs stand
        in gray behind those of the others.
    measure : {"accuracy", "loss"}
        Share of right answers, or cross-entropy above the least possible, in nats.
    length : int, default 128
        Length of the test at which each chart has a line and a number.
    """
    tested = shown(task)
    marked = {name: tested[name] for name in encodings if name in tested}
    rows = -(-len(tested) // _COLUMNS)
    fig = plt.figure(figsize=(6.4, 1.35 * rows + 2.4))
    charts, below = fig.subfigures(2, 1, height_ratios=(1.35 * rows, 2.4))
    axes = charts.subplots(rows, _COLUMNS, sharex=True, sharey=True, squeeze=False)
    for ax in axes.flat[len(tested) :]:
        ax.set_axis_off()
    for ax, (name, model) in zip(axes.flat, tested.items(), strict=False):
        for other in marked.values():
            if other is not model:
                _runs(ax, other, measure, color="line", lw=0.8)
        _runs(ax, model, measure, color=LOOKS[name].role, lw=1.6, marker=".")
        ax.axvline(length, color=color("position"), lw=1.2)
        ax.set_title(
            f"{LOOKS[name].title}\n{_words(model, measure, length)}", fontsize=9
        )
        ax.set_xscale("log")
        ax.minorticks_off()
    ticks = lengths(tested.values())
    axes[0, 0].set_xticks(ticks, labels=[f"{n:,}" for n in ticks])
    for ax in axes.flat:
        ax.tick_params(labelsize=8, labelrotation=0)
        ax.tick_params(axis="x", labelrotation=60)
    charts.supxlabel("length of the test (tokens)", fontsize=11)
    charts.supylabel(measure, fontsize=11)
    _training(below.subplots(), marked, measure)
    return fig


def _runs(ax: Axes, tested: Tested, measure: str, **look: Any) -> None:
    """Draw the runs of an encoding against length."""
    values = tested.accuracy if measure == "accuracy" else tested.loss
    look["color"] = color(look["color"])
    for seed, solved in enumerate(tested.solved):
        of_seed = [of_seeds[seed] for of_seeds in values.values()]
        ax.plot([*values], of_seed, ls="-" if solved else DASHES[2], **look)


def _training(ax: Axes, marked: dict[str, Tested], measure: str) -> None:
    """Draw the learning curves of encodings, each with its letter at the end."""
    for name, model in marked.items():
        if not own_model(name, model):
            continue
        look = LOOKS[name]
        for seed, (run, solved) in enumerate(
            zip(model.runs, model.solved, strict=True)
        ):
            style: dict[str, Any] = {"color": color(look.role), "lw": 1.6}
            style["ls"] = "-" if solved else DASHES[2]
            steps, curve = run["curve"]["step"], run["curve"][measure]
            ax.plot(steps, curve, label=look.title if seed == 0 else None, **style)
            ax.plot(steps[-1:], curve[-1:], marker=f"${look.letter}$", ms=8, **style)
    ax.set_xlabel("steps of training, at the trained length")
    ax.set_ylabel(measure)
    ax.grid(visible=True)
    if ax.lines:
        ax.legend(fontsize=10)


def _words(tested: Tested, measure: str, length: int) -> str:
    """Write the mean at a length, of all runs if trained there, else of solved ones."""
    values = (tested.accuracy if measure == "accuracy" else tested.loss).get(length)
    if values is None:
        return "undefined"
    trained = length == tested.trained_length
    counted = [v for v, ok in zip(values, tested.solved, strict=True) if ok or trained]
    return f"{np.mean(counted):.2f}" if counted else "not solved"
