"""A panel for every encoding: accuracy against length, and learning curves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.kit.figures.lines import DASHES
from posenc.kit.figures.themes import color
from posenc.laboratory import SOLVED, Tested, lengths

from .looks import LOOKS, own_model, shown

_COLUMNS = 2
#: Models of the opening picture: equal where they were trained.
_OPENING = ("shaw", "t5", "rope", "sinusoidal")
OPENING_ALT = (
    "Right answers against the length of the test, from 64 to 1,024 tokens. All lines "
    "begin near 100 percent. Shaw stays there, T5 falls slowly to about a fifth, RoPE "
    "and sinusoids fall at once and end near zero."
)

#: Lines of a panel: horizontal and vertical places; True if the task was solved.
Curves = list[tuple[Sequence[Any], Sequence[Any], bool]]
#: Right answers by length of each rule, by its name.
Rules = Mapping[str, Mapping[int, float]]


def opening() -> Figure:
    """Draw models that are equally good where they were trained, and beyond."""
    fig, ax = plt.subplots(figsize=(6.0, 3.6))
    tested = shown("copy")
    ticks = lengths(tested.values())
    ends = []
    for name in _OPENING:
        model, look = tested[name], LOOKS[name]
        for *points, _ in _by_length(model):
            ax.plot(*points, color=color(look.role), lw=1.8, marker="o", ms=4)
        last = [values[-1] for *_, values, _ in _by_length(model)]
        ends.append((sum(last) / len(last), look))
    height = float("inf")
    for value, look in sorted(ends, key=lambda end: -end[0]):
        height = min(value, height - 0.085)
        ax.annotate(
            look.title,
            (ticks[-1], height),
            (8, 0),
            textcoords="offset points",
            color=color(look.role),
            fontsize=11,
            va="center",
            annotation_clip=False,
        )
    ax.axvspan(ticks[0] / 1.35, ticks[0], color=color("raised"), zorder=0)
    ax.text(ticks[0] / 1.16, 0.5, "trained", rotation=90, va="center", ha="center")
    _length_axis(ax, ticks)
    ax.set(
        xlim=(ticks[0] / 1.35, ticks[-1] * 1.1), xlabel="length of the test (tokens)"
    )
    ax.set(ylabel="right answers", ylim=(-0.1, 1.05), yticks=(0, 0.5, 1))
    ax.set_yticklabels(["0", "50 %", "100 %"])
    ax.grid(visible=True, axis="y")
    return fig


def against_length(task: str, rules: Rules | None = None) -> Figure:
    """Draw the accuracy of every encoding against the length of the test, in panels.

    Each seed is a line with a dot at each length. Where it did not solve the task, its
    dots are empty, and its line is dashed. Dotted lines are rules. The lines of the
    other encodings stand behind in gray.

    Parameters
    ----------
    task : str
        A task with results.
    rules : mapping, optional
        Right answers of simple rules, by their name and the length.
    """
    tested = shown(task)
    ticks = lengths(tested.values())

    def finish(ax: Axes) -> None:
        _length_axis(ax, ticks, rotation=60)
        for rule, dash in zip((rules or {}).values(), DASHES[:0:-1], strict=False):
            ax.plot([*rule], [*rule.values()], color=color("text"), ls=dash, lw=1.1)
        trained = next(iter(tested.values())).trained_length
        ax.axvline(trained, color=color("line"), lw=0.8)

    return _panels(
        tested, _by_length, finish, "length of the test (tokens)", marker="o"
    )


def learning_curves(task: str) -> Figure:
    """Draw the accuracy at the trained length against the steps, in panels.

    Behind its lines stands in gray one run of every encoding.

    Parameters
    ----------
    task : str
        A task with results. Scaled rotations are left out: they were not trained.
    """
    tested = {
        name: model for name, model in shown(task).items() if own_model(name, model)
    }

    def curves(model: Tested) -> Curves:
        return [
            (run["curve"]["step"], run["curve"]["accuracy"], solved)
            for run, solved in zip(model.runs, model.solved, strict=True)
        ]

    def finish(ax: Axes) -> None:
        ax.axhline(SOLVED, color=color("text"), ls=DASHES[-1], lw=1.1)
        ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")

    return _panels(tested, curves, finish, "steps of training", marker="", behind=1)


def _by_length(tested: Tested) -> Curves:
    of_runs = zip(*tested.accuracy.values(), strict=True)
    return [
        (list(tested.accuracy), list(values), solved)
        for values, solved in zip(of_runs, tested.solved, strict=True)
    ]


def _length_axis(ax: Axes, ticks: Sequence[int], rotation: float = 0) -> None:
    ax.set_xscale("log")
    ax.set_xticks(ticks, labels=[f"{n:,}" for n in ticks], rotation=rotation)
    ax.minorticks_off()


def _panels(
    tested: Mapping[str, Tested],
    curves: Callable[[Tested], Curves],
    finish: Callable[[Axes], object],
    x: str,
    *,
    marker: str,
    behind: int | None = None,
) -> Figure:
    """Draw a panel for each encoding, its lines in color and the others' in gray.

    Of each encoding the first `behind` lines are in gray, or all.
    """
    rows = -(-len(tested) // _COLUMNS)
    size = 4.8, 0.6 + 1.3 * rows  # narrow: its words stay readable on a phone
    fig, axes = plt.subplots(
        rows, _COLUMNS, figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for ax in axes.flat[len(tested) :]:
        ax.set_axis_off()
    everything = _joined(
        [curve for model in tested.values() for curve in curves(model)[:behind]]
    )
    for ax, (name, model) in zip(axes.flat, tested.items(), strict=False):
        ax.plot(*everything, color=color("line"), lw=0.5, alpha=0.5)
        look = LOOKS[name]
        for *points, solved in curves(model):
            ax.plot(
                *points,
                color=color(look.role),
                ls="-" if solved else DASHES[2],
                lw=1.8 if solved else 1.2,
                mfc=color(look.role if solved else "surface"),
                marker=marker,
                ms=4,
            )
        finish(ax)
        ax.set_title(look.title, fontsize=11, color=color(look.role))
        ax.set(ylim=(-0.04, 1.06), yticks=(0, 0.5, 1))
        ax.set_yticklabels(["0", "50 %", "100 %"])
        ax.grid(visible=True)
    for ax in axes.flat[max(len(tested) - _COLUMNS, 0) : len(tested)]:
        ax.tick_params(labelbottom=True)  # the lowest of a column, in whatever row
    fig.supxlabel(x, fontsize=11)
    fig.supylabel("right answers", fontsize=11)
    return fig


def _joined(curves: Curves) -> tuple[list[Any], list[Any]]:
    """Join all curves as one line with gaps, which makes a smaller picture."""
    gap = float("nan")
    x, y = ([v for curve in curves for v in (*curve[axis], gap)] for axis in (0, 1))
    return x, y
