"""What trained models gain or lose if distances are clamped in the test."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color

_STYLES = (("query", "-", "o"), ("key", "--", "s"))


def clamp_gains(
    gains: Mapping[str, Sequence[Mapping[int, float]]], *, ax: Axes | None = None
) -> Axes:
    """Percentage points that a clamp adds to right answers, a line for each run.

    Parameters
    ----------
    gains : mapping of str to sequence of mappings
        Words of a task, two at most, to its runs: length to the points gained there.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 3.1))[1] if ax is None else ax
    ax.axhline(0, color=color("text"), lw=1.2)
    for (task, runs), (role, line, mark) in zip(gains.items(), _STYLES, strict=False):
        for n, run in enumerate(runs):
            ax.plot(
                list(run),
                list(run.values()),
                line + mark,
                color=color(role),
                lw=1.2,
                ms=4.5,
                label="_" * (n > 0) + task,
            )
    lengths = sorted(
        {length for runs in gains.values() for run in runs for length in run}
    )
    ax.set(xscale="log", xlabel="length of the test (tokens)", ylabel="points gained")
    ax.set_xticks(lengths, labels=[f"{length:,}" for length in lengths])
    ax.minorticks_off()
    ax.grid(visible=True)
    ax.legend(fontsize=10, loc="lower left", bbox_to_anchor=(0, 1))
    return ax
