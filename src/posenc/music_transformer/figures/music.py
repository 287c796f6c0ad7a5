"""The figures on music: a melody, where its notes come from, and who has learned it."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from posenc.kit.figures.text import readable_ink, signed_offset
from posenc.kit.figures.themes import choose, color

from .skew import words

#: A tune of one bar, in steps of a scale, and where each bar begins.
TUNE = (0, 2, 4, 2, 5, 4, 2, 3)
STARTS = (3, 5, 1, 4)
#: Notes of a bar, as in the laboratory's task ``motif``.
BAR = len(TUNE)


def melody() -> list[int]:
    """Return the melody's notes: the tune in every bar, each time from another note."""
    return [start + step for start in STARTS for step in TUNE]


def piano_roll(*, asked: tuple[int, ...] = (13, 28), ax: Axes | None = None) -> Axes:
    """Draw the melody as a piano roll, and what tells the notes that are asked for.

    Parameters
    ----------
    asked : tuple of int
        Notes to be foretold: each has an arrow from the note before it, the query, to
        the two notes one bar back, and the step between these. The last one ends the
        melody, and is not known yet: a strip over all pitches.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    notes = melody()
    if ax is None:
        ax = plt.subplots(figsize=(5.8, 3.3))[1]
    last, high = max(asked), max(notes)
    for place, note in enumerate(notes[: last + 1]):
        unknown = place == last
        role = "query" if place + 1 in asked else "muted"
        if any(place + 1 + BAR - back in asked for back in (0, 1)):
            role = "key"
        if unknown:  # a strip over all pitches hides the answer
            style: Any = {"fill": False, "ls": (0, (2, 2)), "ec": color("text")}
            ax.add_patch(Rectangle((place + 0.06, 0.5), 0.88, high + 1, **style))
            words(ax, place + 0.5, high + 2, "?", size=9)
            continue
        style = {"fc": color(role), "ec": color(role)}
        ax.add_patch(Rectangle((place + 0.06, note + 0.1), 0.88, 0.8, **style))
        if role != "muted":
            mark = words(ax, place + 0.5, note + 0.5, role[0], size=9)
            mark.set_color(readable_ink(color(role)))
    for note in asked:
        query = note - 1
        for offset, rad in ((-BAR, 0.34), (1 - BAR, 0.26)):
            _arrow(ax, (query, notes[query]), (query + offset, notes[query + offset]),
                   rad, note == last)  # fmt: skip
        first = query - BAR
        _step(ax, (first, notes[first]), (first + 1, notes[first + 1]))
    for bar in range(1, len(STARTS)):
        ax.axvline(bar * BAR, color=color("line"), lw=0.8)
    label = words(ax, asked[-1] - 7.4, high - 0.2, _offsets(), "position")
    label.set_bbox({"fc": color("surface"), "ec": "none", "pad": 1})
    ax.set(xlim=(-0.3, len(notes) + 0.3), ylim=(0.4, high + 2.6))
    ax.set(xlabel="token", ylabel="pitch (steps of a scale)")
    ax.set_xticks([bar * BAR + 0.5 for bar in range(len(STARTS))],
                  labels=[str(bar * BAR) for bar in range(len(STARTS))])  # fmt: skip
    pitches = range(1, high + 1, 2)
    ax.set_yticks([pitch + 0.5 for pitch in pitches], labels=map(str, pitches))
    return ax


def _offsets() -> str:
    return f"offsets {signed_offset(-BAR)} and {signed_offset(1 - BAR)}"


def _step(ax: Axes, first: Any, second: Any) -> None:
    """Draw an elbow from one note to the next, with the steps of the scale between."""
    (x, y), (_, to) = first, second
    style: Any = {"color": color("key"), "lw": 1.2}
    start = y + 0.9 if to > y else y + 0.1
    ax.plot([x + 0.5, x + 0.5, x + 1.06], [start, to + 0.5, to + 0.5], **style)
    place, side = (
        ((x + 0.2, y + 1.5), "right") if to > y else ((x + 2.2, to + 0.4), "left")
    )
    words(ax, *place, signed_offset(to - y), "key", size=9, ha=side)


def _arrow(ax: Axes, query: Any, key: Any, rad: float, strong: bool) -> None:
    (x, y), (to_x, to_y) = query, key
    style: Any = {"arrowstyle": "-|>", "mutation_scale": 10, "shrinkA": 1, "shrinkB": 1}
    style |= {"color": color("position"), "lw": 1.6 if strong else 1.0}
    style["connectionstyle"] = f"arc3,rad={rad}"
    ax.add_patch(FancyArrowPatch((x + 0.5, y + 1), (to_x + 0.5, to_y + 1), **style))


#: Words, role of the color and marker of each encoding.
_LOOKS = {
    "shaw": ("Shaw, clipped at 16", "key", "o"),
    "music_transformer": ("Music Transformer", "position", "D"),
    "sinusoidal": ("sinusoids", "value", "^"),
    "none": ("no encoding", "muted", "s"),
}
#: The figure's names of them, for text beside it.
ENCODING_NAMES = {name: words for name, (words, _, _) in _LOOKS.items()}


def motif_accuracy(
    shares: Mapping[str, Mapping[int, Sequence[float]]],
    rules: Mapping[str, Mapping[int, float]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of right notes against length, with a mark for each seed.

    Parameters
    ----------
    shares : mapping
        Encoding to length to the shares of its seeds; lengths without any are left out.
    rules : mapping
        Name of a rule to length to its share, drawn as a dotted line.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.8, 3.8))[1]
    for name, of_length in shares.items():
        label, role, marker = _LOOKS[name]
        style: Any = {"color": color(role)}
        means = {n: sum(runs) / len(runs) for n, runs in of_length.items() if runs}
        ax.plot(list(means), list(means.values()), marker=marker, label=label, **style)
        for length in means:
            seeds = of_length[length]
            ax.plot([length] * len(seeds), seeds, marker, ms=4, mfc="none", **style)
    lengths = sorted({n for of_length in shares.values() for n in of_length})
    for rule, share in rules.items():
        values = [share[n] for n in lengths]
        ax.plot(lengths, values, ":", color=color("text"), lw=1.2)
        where: Any = {"ha": "right", "va": "top", "size": 9}
        height = min(values) - 0.02 if values[-1] < 0.5 else values[-1] - 0.11
        height -= choose(0, 0.04)
        words(ax, lengths[-1], height, choose(f"rule: {rule}", rule), **where)
    ax.set(xscale="log", xlabel="length (tokens)", ylabel="share of right notes")
    ax.set(ylim=(-0.03, 1.08))
    ax.set_xticks(lengths, labels=[f"{length:,}" for length in lengths])
    ax.minorticks_off()
    ax.grid(visible=True)
    ax.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, 1.22), ncols=2)
    return ax
