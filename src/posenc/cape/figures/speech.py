"""Models of speech: CTC's paths and lattice, and errors of trained models."""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from posenc.kit.figures.lines import DASHES
from posenc.kit.figures.themes import color

#: CTC's blank in a path.
BLANK = "–"


def collapse(path: str) -> str:
    """Read a path as CTC does, with one symbol for each run, and no blanks."""
    return re.sub(r"(.)\1*", r"\1", path).replace(BLANK, "")


def alignments(target: str, num_frames: int) -> list[str]:
    """Return all paths of so many frames that collapse to a target, blanks last."""
    symbols = [*dict.fromkeys(target), BLANK]
    paths = map("".join, itertools.product(symbols, repeat=num_frames))
    return [path for path in paths if collapse(path) == target]


def forward_sums(
    chances: Float[np.ndarray, "num_frames num_symbols"], target: Sequence[int]
) -> list[list[float]]:
    """Return sums over all paths in a state, before frame 1 and at each frame.

    Parameters
    ----------
    chances : array of shape (num_frames, num_symbols)
        Probability of each symbol at each frame; the last symbol is the blank.
    target : sequence of int
        Symbols, without blanks. The states are these, with blanks around them.
    """
    blank = chances.shape[1] - 1
    states = [blank]
    for symbol in target:
        states += [symbol, blank]
    sums = [[1.0] + [0.0] * (len(states) - 1)]
    for row in chances:
        before, reached = sums[-1], []
        for s, symbol in enumerate(states):
            total = before[s] + (before[s - 1] if s else 0.0)
            if s > 1 and symbol not in (blank, states[s - 2]):
                total += before[s - 2]
            reached.append(float(total * row[symbol]))
        sums.append(reached)
    return sums


def ctc_probability(
    chances: Float[np.ndarray, "num_frames num_symbols"], target: Sequence[int]
) -> float:
    """Return the probability of a target, a sum over its paths, frame by frame.

    Parameters
    ----------
    chances, target
        As for `forward_sums`.
    """
    return float(sum(forward_sums(chances, target)[-1][-2:]))


def reading(path: str = "–hh–el–lloo–", *, ax: Axes | None = None) -> Axes:
    """Draw a path, its runs, and the word that it stands for.

    Parameters
    ----------
    path : str
        One symbol or blank for each frame.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 2.6))[1]
    ax.set(xlim=(-0.6, len(path) + 2.2), ylim=(-0.4, 3.0))
    ax.set_axis_off()
    runs: list[list[int]] = []
    for frame, symbol in enumerate(path):
        if runs and path[runs[-1][0]] == symbol:
            runs[-1].append(frame)
        else:
            runs.append([frame])
    for y, words in ((2.6, "frames"), (1.3, "no runs"), (0.0, "no blanks")):
        ax.text(len(path) - 0.2, y, words, fontsize=12, va="center")
    for run in runs:
        middle, symbol = (run[0] + run[-1]) / 2, path[run[0]]
        for frame in run:
            _box(ax, frame, 2.6, symbol)
            ax.plot([frame, middle], [2.27, 1.63], color=color("line"), lw=1)
        _box(ax, middle, 1.3, symbol)
        if symbol != BLANK:
            ax.plot([middle, middle], [0.97, 0.33], color=color("line"), lw=1)
            _box(ax, middle, 0.0, symbol)
    return ax


def _box(ax: Axes, x: float, y: float, symbol: str) -> None:
    blank = symbol == BLANK
    shape: dict[str, Any] = {"boxstyle": "round,pad=0,rounding_size=0.12"}
    fill = color("raised") if blank else color("value")
    edge = color("line") if blank else color("value")
    ax.add_patch(
        FancyBboxPatch((x - 0.38, y - 0.3), 0.76, 0.6, fc=fill, ec=edge, **shape)
    )
    at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 13}
    ink = color("muted") if blank else color("surface")
    ax.text(x, y, symbol, color=ink, **at)


def lattice(
    target: str = "ab",
    num_frames: int = 5,
    *,
    path: str = "a–bb–",
    ax: Axes | None = None,
) -> Axes:
    """Draw all paths of a target, from left to right, and never upward.

    Parameters
    ----------
    target : str
        Result of the paths' collapse.
    num_frames : int
        Frames, from left to right.
    path : str
        The path that is drawn thick.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.7))[1]
    states = BLANK + "".join(symbol + BLANK for symbol in target)
    alive = _nodes(states, num_frames)
    for frame, state in sorted(alive):
        for after in _steps(states, state):
            if (frame + 1, after) in alive:
                line: dict[str, Any] = {"color": color("line"), "lw": 1, "zorder": 0}
                ax.plot([frame, frame + 1], [state, after], **line)
    visited = _states_of(states, path)
    thick: dict[str, Any] = {"color": color("position"), "lw": 3.2, "zorder": 1}
    ax.plot(range(num_frames), visited, label=f"{path} → {collapse(path)}", **thick)
    for frame, state in sorted(alive):
        _node(ax, frame, state, states[state])
    ax.set(xlim=(-0.5, num_frames - 0.5), ylim=(len(states) - 0.5, -0.6))
    ax.set_xticks(range(num_frames), [str(n) for n in range(1, num_frames + 1)])
    ax.set_xlabel("frame")
    ax.set_yticks(range(len(states)), list(states), fontsize=13)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.legend(loc="upper right", fontsize=11)
    return ax


def _node(ax: Axes, frame: int, state: int, symbol: str) -> None:
    blank = symbol == BLANK
    style: dict[str, Any] = {
        "mfc": color("surface") if blank else color("value"),
        "mec": color("muted") if blank else color("value"),
        "ms": 19,
    }
    ax.plot(frame, state, "o", **style)
    ink = color("muted") if blank else color("surface")
    at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 11.5}
    ax.text(frame, state, symbol, color=ink, **at)


def _steps(states: str, state: int) -> list[int]:
    """Return the states that may follow: the same, the next, or beyond a blank."""
    steps = [state, state + 1, state + 2]
    if (
        states[state] == BLANK
        or states[state] == states[min(state + 2, len(states) - 1)]
    ):
        steps.pop()
    return [step for step in steps if step < len(states)]


def _nodes(states: str, num_frames: int) -> set[tuple[int, int]]:
    """Return frames and states on the paths from the beginning to the end."""
    forward = [{0, 1}]
    for _ in range(num_frames - 1):
        forward.append({b for a in forward[-1] for b in _steps(states, a)})
    alive = [forward[-1] & {len(states) - 2, len(states) - 1}]
    for reached in forward[-2::-1]:
        alive.insert(0, {a for a in reached if alive[0] & {*_steps(states, a)}})
    return {(frame, state) for frame, row in enumerate(alive) for state in row}


def _states_of(states: str, path: str) -> list[int]:
    """Return the states of a path, which must be one of the target's."""
    visited = [0 if path[0] == BLANK else 1]
    for symbol in path[1:]:
        steps = _steps(states, visited[-1])
        visited.append(next(step for step in steps if states[step] == symbol))
    return visited


def speech_errors(
    runs: Mapping[str, Any], front: str
) -> dict[tuple[str, str], dict[int, dict[int, float]]]:
    """Return the speech readers' errors by reader and encoding, seed and length.

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
    """Return errors at the longest trained length by (reader, encoding), seed, step.

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
    rows: dict[tuple[str, str], dict[int, dict[int, float]]] = {}
    for name, run in runs.items():
        plan = run["plan"]
        if name.startswith("speech-") and plan["front"] == front:
            key = plan["reader"], plan["encoding"]
            rows.setdefault(key, {})[plan["seed"]] = read(run)
    return {key: rows[key] for key in sorted(rows)}


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
    """Draw the share of right answers while models without encoding learn to count.

    Parameters
    ----------
    runs : mapping
        Results of the laboratory by name.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw the speech readers' errors against the number of symbols.

    Thin lines are the seeds, marked lines their means.

    Parameters
    ----------
    runs : mapping
        Results of the laboratory by name.
    front : str
        "convolution" or "linear".
    ax : Axes, optional
        Axes to draw on (default: new).
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
