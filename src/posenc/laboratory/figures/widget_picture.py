"""The widget of the laboratory as a still picture: chosen encodings in one drawing."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from posenc.kit.figures.lines import DASHES
from posenc.kit.figures.themes import color
from posenc.laboratory import lengths

from .looks import LOOKS, own_model, shown


def overlay(task: str, encodings: list[str], measure: str = "accuracy") -> Figure:
    """Chosen encodings in one picture: against length, and while training.

    Parameters
    ----------
    task : str
        A task with results.
    encodings : list of str
        Keys of `LOOKS`; those without results are left out.
    measure : {"accuracy", "loss"}
        Share of right answers, or cross-entropy above the least possible, in nats.
    """
    tested = shown(task)
    ticks = lengths(tested.values())
    fig, (left, right) = plt.subplots(2, 1, figsize=(6.0, 6.2), sharey=True)
    for name in encodings:
        if name not in tested:
            continue
        one, look = tested[name], LOOKS[name]
        values = one.accuracy if measure == "accuracy" else one.loss
        dots: dict[str, Any] = {"marker": f"${look.letter}$", "ms": 8}
        for seed, (run, solved) in enumerate(zip(one.runs, one.solved, strict=True)):
            style: dict[str, Any] = {"color": color(look.role), "lw": 1.6}
            style["ls"] = "-" if solved else DASHES[2]
            words = look.title if seed == 0 else None
            points = [(n, of_seeds[seed]) for n, of_seeds in values.items()]
            left.plot(*zip(*points, strict=True), label=words, **style, **dots)
            if own_model(name, one):
                right.plot(run["curve"]["step"], run["curve"][measure], **style)
                end = run["curve"]["step"][-1:], run["curve"][measure][-1:]
                right.plot(*end, **style, **dots)
    left.set_xscale("log")
    left.set_xticks(ticks, labels=[f"{n:,}" for n in ticks])
    left.minorticks_off()
    left.set_xlabel("length of the test (tokens)")
    right.set_xlabel("steps of training, at the trained length")
    for ax in (left, right):
        ax.set_ylabel(measure)
        ax.grid(visible=True)
    if left.lines:
        left.legend(fontsize=10)
    return fig
