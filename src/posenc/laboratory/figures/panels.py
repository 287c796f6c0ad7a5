"""A panel for every encoding: accuracy against length, and learning curves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.kit.figures.themes import color

from .trained_results import LOOKS, Tested, lengths, results

_COLUMNS = 3


#: What is drawn at a time: horizontal and vertical places of each curve.
Curves = list[tuple[Sequence[Any], Sequence[Any]]]


def against_length(task: str) -> Figure:
    """Accuracy of every encoding against the length of the test, a panel for each.

    Each seed is a line. The lines of the other encodings stand behind it in gray.

    Parameters
    ----------
    task : str
        A task with results.
    """
    tested = results(task)
    ticks = lengths(tested.values())

    def curves(one: Tested) -> Curves:
        of_seeds = zip(*one.accuracy.values(), strict=True)
        return [(list(one.accuracy), list(values)) for values in of_seeds]

    def finish(ax: Axes) -> None:
        ax.set_xscale("log")
        ax.set_xticks(ticks, labels=[str(n) for n in ticks], rotation=60)
        ax.minorticks_off()
        ax.axvline(
            next(iter(tested.values())).trained_length, color=color("line"), ls=":"
        )

    return _panels(tested, curves, finish, "length of the test (tokens)", marker="o")


def learning_curves(task: str) -> Figure:
    """Accuracy at the trained length against the steps, a panel for each encoding.

    Parameters
    ----------
    task : str
        A task with results. Scaled rotations are left out: nobody trained them.
    """
    tested = {
        name: one
        for name, one in results(task).items()
        if one.runs[0]["plan"]["encoding"] == name
    }

    def curves(one: Tested) -> Curves:
        return [(run["curve"]["step"], run["curve"]["accuracy"]) for run in one.runs]

    return _panels(tested, curves, lambda ax: None, "steps of training", marker="")


def _panels(
    tested: Mapping[str, Tested],
    curves: Callable[[Tested], Curves],
    finish: Callable[[Axes], object],
    x: str,
    *,
    marker: str,
) -> Figure:
    """A panel for each encoding: its own lines, and all others in gray."""
    rows = -(-len(tested) // _COLUMNS)
    size = 6.4, 0.6 + 1.6 * rows
    fig, axes = plt.subplots(
        rows, _COLUMNS, figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for ax in axes.flat[len(tested) :]:
        ax.set_axis_off()
    everything = _joined([curve for one in tested.values() for curve in curves(one)])
    for ax, (name, one) in zip(axes.flat, tested.items(), strict=False):
        ax.plot(*everything, color=color("line"), lw=0.5, alpha=0.5)
        look = LOOKS[name]
        own: dict[str, Any] = {"color": color(look.role), "lw": 1.8}
        for curve in curves(one):
            ax.plot(*curve, **own, marker=marker, ms=3.5)
        finish(ax)
        ax.set_title(look.title, fontsize=11, color=color(look.role))
        ax.set(ylim=(-0.03, 1.05), yticks=(0, 0.5, 1))
        ax.grid(visible=True)
    for ax in axes.flat[max(len(tested) - _COLUMNS, 0) : len(tested)]:
        ax.tick_params(labelbottom=True)  # the lowest of a column, in whatever row
    fig.supxlabel(x, fontsize=11)
    fig.supylabel("accuracy", fontsize=11)
    return fig


def _joined(curves: Curves) -> tuple[list[Any], list[Any]]:
    """All curves as one line with gaps: a picture of many lines is longer."""
    gap = float("nan")
    x, y = ([v for curve in curves for v in (*curve[axis], gap)] for axis in (0, 1))
    return x, y
