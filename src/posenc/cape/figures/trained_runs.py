"""What trained models do: errors in speech, and counting tokens."""

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.kit.figures.lines import DASHES
from posenc.kit.figures.themes import color


def speech_errors(
    runs: Mapping[str, Any], front: str
) -> dict[tuple[str, str], dict[int, dict[int, float]]]:
    """Errors of the laboratory's readers of speech: reader and encoding, seed, length.

    Parameters
    ----------
    runs : mapping
        Results by name, as ``posenc.core.data.load_folder("cape_runs")`` gives them.
    front : str
        "convolution" or "linear".
    """
    return _by_reader(
        runs,
        front,
        lambda run: {int(n): row["error"] for n, row in run["tests"].items()},
    )


def speech_curves(
    runs: Mapping[str, Any], front: str
) -> dict[tuple[str, str], dict[int, dict[int, float]]]:
    """Errors at the longest trained length: reader and encoding, seed, step.

    Parameters
    ----------
    runs, front
        As for `speech_errors`.
    """
    return _by_reader(
        runs,
        front,
        lambda run: dict(zip(run["curve"]["step"], run["curve"]["error"], strict=True)),
    )


def _by_reader(
    runs: Mapping[str, Any], front: str, read: Callable[[Any], dict[int, float]]
) -> dict[tuple[str, str], dict[int, dict[int, float]]]:
    found: dict[tuple[str, str], dict[int, dict[int, float]]] = {}
    for name, run in runs.items():
        plan = run["plan"]
        if name.startswith("speech-") and plan["front"] == front:
            key = plan["reader"], plan["encoding"]
            found.setdefault(key, {})[plan["seed"]] = read(run)
    return {key: found[key] for key in sorted(found)}


def counting_curves(
    runs: Mapping[str, Any],
) -> dict[int, tuple[list[int], list[float]]]:
    """Return the accuracy by step of models that learned to count without encoding."""
    return {
        run["plan"]["seed"]: (run["curve"]["step"], run["curve"]["accuracy"])
        for name, run in runs.items()
        if name.startswith("count-none-")
    }


_READERS = {
    ("ctc", "sinusoidal"): ("CTC, sinusoids", "position", "o", "-"),
    ("ctc", "none"): ("CTC, nothing", "position", "s", (0, (4, 2))),
    ("decoder", "sinusoidal"): ("decoder, sinusoids", "key", "^", "-"),
    ("decoder", "none"): ("decoder, nothing", "key", "D", (0, (4, 2))),
}


def counting(runs: Mapping[str, Any], *, ax: Axes | None = None) -> Axes:
    """Share of right answers while models without an encoding learn to count.

    Parameters
    ----------
    runs : mapping
        Results of the laboratory by name.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.8, 3.2))[1]  # narrow: a phone shows it large
    for (seed, (steps, accuracy)), dash in zip(
        counting_curves(runs).items(), DASHES, strict=False
    ):
        line: dict[str, Any] = {"color": color("position"), "ls": dash, "lw": 1.8}
        ax.plot(steps, accuracy, label=f"seed {seed}", **line)
    ax.axhline(1 / 64, color=color("muted"), ls=":", label="guessing")
    ax.set(xlabel="steps of training", ylabel="right answers", ylim=(-0.02, 1.03))
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    ax.grid(visible=True, axis="y")
    ax.legend(fontsize=10, loc="best")
    return ax


def speech(runs: Mapping[str, Any], front: str, *, ax: Axes | None = None) -> Axes:
    """Errors of the readers of speech against the number of symbols.

    Thin lines are the seeds, marked lines their means.

    Parameters
    ----------
    runs : mapping
        Results of the laboratory by name.
    front : str
        "convolution" or "linear".
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.8, 3.8))[1]  # narrow: a phone shows it large
    ticks: list[int] = []
    for key, seeds in speech_errors(runs, front).items():
        words, role, marker, dash = _READERS[key]
        rows = [list(errors.values()) for errors in seeds.values()]
        lengths = ticks = list(next(iter(seeds.values())))
        for row in rows:
            ax.plot(lengths, row, color=color(role), lw=0.8, alpha=0.5, ls=dash)
        line: dict[str, Any] = {"color": color(role), "ls": dash, "marker": marker}
        empty = color("surface") if key[1] == "none" else color(role)
        ax.plot(lengths, np.mean(rows, axis=0), lw=2, mfc=empty, label=words, **line)
    ax.axvspan(4, 16, color=color("raised"), zorder=0)
    ax.text(8, 1.3, "trained", color=color("muted"), fontsize=10.5, ha="center")
    ax.set(xscale="log", yscale="symlog", ylim=(-0.0004, 2.2), xlim=(5.5, 76))
    ax.set_yscale("symlog", linthresh=0.001, linscale=0.4)
    ax.set_yticks([0, 0.001, 0.01, 0.1, 1], ["0", "0.1 %", "1 %", "10 %", "100 %"])
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    ax.set(xlabel="symbols in a sentence", ylabel="error")
    ax.grid(visible=True, axis="y")
    ax.legend(fontsize=9.5, loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2)
    return ax
