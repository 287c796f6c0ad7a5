"""Distance and crowd one by one: bars, and curves of sharper scores."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from posenc.kit.figures.themes import choose, color
from posenc.laboratory.apart import apart

from .looks import LOOKS, look_of, named

#: Lengths of the bars' panels, and the words and color of each bar.
_LENGTHS = 256, 1024
_BARS = (
    ("gap", "gap: new between the parts", "position"),
    ("inside", "gap inside: new in the first part, too", "query"),
    ("crowd", "crowd: more keys, no new distance", "key"),
    ("long", "a long text", "muted"),
)


def apart_bars(task: str) -> Figure:
    """Draw right answers with a gap, in a crowd, and with both, for each encoding.

    A bar is the mean of the runs that solved the task, and a dot is one of them.

    Parameters
    ----------
    task : str
        "copy" or "index".
    """
    tested = {name: parts for name, parts in apart(task).items() if name in LOOKS}
    bars = [bar for bar in _BARS if any(getattr(x, bar[0]) for x in tested.values())]
    size = 4.8, 1.1 + choose(0.2, 0.23) * len(bars) * len(tested)
    fig, axes = plt.subplots(1, len(_LENGTHS), figsize=size, sharey=True)
    for ax, length in zip(axes, _LENGTHS, strict=True):
        for row, parts in enumerate(tested.values()):
            ax.plot(
                parts.trained,
                [row] * len(parts.trained),
                "|",
                color=color("text"),
                ms=24,
            )
            for place, (kind, words, role) in enumerate(bars):
                shares = getattr(parts, kind).get(length)
                height = row + 0.8 * ((place + 0.5) / len(bars) - 0.5)
                if shares is None:
                    ax.text(0.02, height, "no such test", fontsize=9, va="center")
                    continue
                label = words if row == 0 else None
                mean = np.mean(shares)
                ax.barh(height, mean, 0.74 / len(bars), color=color(role), label=label)
                dots = {"color": color("text"), "mec": color("surface"), "ms": 4}
                ax.plot(shares, [height] * len(shares), "o", **dots)
        ax.set_title(f"{length:,} tokens" if length == _LENGTHS[0] else f"{length:,}")
        ax.set(xlim=(0, 1.04), xticks=(0, 0.5, 1))
        ax.set_xticklabels(["0", choose("50 %", ""), "100 %"])
        ax.get_xticklabels()[-1].set_ha(choose("center", "right"))
        ax.grid(visible=True, axis="x")
        ax.set_axisbelow(True)
    axes[0].set_yticks(range(len(tested)), labels=[named(name) for name in tested])
    axes[0].invert_yaxis()
    handles, labels = axes[0].get_legend_handles_labels()
    fig.legend(
        handles, labels, loc="outside upper center", ncols=1, fontsize=10, frameon=False
    )
    fig.supxlabel("right answers", fontsize=11)
    return fig


def sharper_curves(task: str) -> Figure:
    """Draw right answers against a factor of all scores, for each encoding.

    A line is the mean of the runs that solved the task, and a band goes from the worst
    of them to the best. On the left at the trained length, where the factor alone can
    do harm; on the right on the longest texts.

    Parameters
    ----------
    task : str
        "copy" or "index".
    """
    tested = apart(task)
    lengths = sorted(next(iter(tested.values())).sharper)
    fig, axes = plt.subplots(1, len(lengths), figsize=(4.8, 3.4), sharey=True)
    ends: list[tuple[float, str, str, float]] = []
    for ax, length in zip(axes, lengths, strict=True):
        for name, parts in tested.items():
            look = look_of(name)
            factors = parts.sharper[length]
            means = [float(np.mean(shares)) for shares in factors.values()]
            dash = "-" if name in LOOKS else "--"
            ends_of_band = [
                [f(shares) for shares in factors.values()] for f in (min, max)
            ]
            ax.fill_between(
                [*factors], *ends_of_band, color=color(look.role), alpha=0.2
            )
            ax.plot(
                [*factors], means, marker="o", ms=4, color=color(look.role), ls=dash
            )
            if length == lengths[0] and means[-1] < 0.95:
                end = max(factors), min(parts.sharper[length][max(factors)])
                below = {"textcoords": "offset points", "ha": "right", "va": "top"}
                ax.annotate(named(name), end, (0, -5), color=color(look.role), **below)
            if length == lengths[-1]:
                ends.append((means[-1], named(name), look.role, max(factors)))
        ax.set_title(f"{length:,} tokens")
        ax.set(ylim=(-0.04, 1.06), yticks=(0, 0.5, 1), xticks=(1, 2, 3))
        ax.set_yticklabels(["0", "50 %", "100 %"])
        ax.grid(visible=True)
    apart_by, top = (
        0.085,
        choose(1.1, 1.03),
    )  # at most `top`, then downward where names would touch
    heights = [value for value, *_ in sorted(ends)]
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + apart_by)
    for i in reversed(range(len(heights))):
        heights[i] = min(heights[i], top - apart_by * (len(heights) - 1 - i))
    for height, (_, title, role, last) in zip(heights, sorted(ends), strict=True):
        axes[-1].annotate(
            title,
            (last, height),
            (7, 0),
            textcoords="offset points",
            color=color(role),
            fontsize=10,
            va="center",
            annotation_clip=False,
        )
    fig.supxlabel("all scores are multiplied by", fontsize=11)
    axes[0].set_ylabel("right answers")
    return fig
