"""How much a memory saves in evaluation, against the tokens that a step predicts."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color

_STYLES = (("query", "-"), ("key", "--"))


def slowdown_curves(
    tokens: Sequence[int],
    slower: Mapping[str, Sequence[float]],
    *,
    measured: float,
    marks: Sequence[int] = (),
    ax: Axes | None = None,
) -> Axes:
    """How many times slower evaluation is without a memory, on logarithmic axes.

    Parameters
    ----------
    tokens : sequence of int
        Tokens that one step predicts, L.
    slower : mapping of str to sequence of float
        Words of a curve to its ratio for each of `tokens`; two curves at most. The
        first one gets the marks.
    measured : float
        The ratio that the paper measured, drawn as a line.
    marks : sequence of int, optional
        Members of `tokens` whose ratio is written beside the curve.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 3.5))[1] if ax is None else ax
    ax.axhline(measured, color=color("muted"), ls=":", lw=1.6)
    said: dict[str, Any] = {"color": color("muted"), "fontsize": 10}
    ax.text(tokens[0], measured / 1.12, f"paper: {measured:,.0f}", va="top", **said)
    for (words, ratios), (role, line) in zip(slower.items(), _STYLES, strict=False):
        ax.plot(tokens, ratios, color=color(role), ls=line, label=words)
    ratios = next(iter(slower.values()))
    for length in marks:
        ratio = ratios[list(tokens).index(length)]
        ax.plot(length, ratio, "o", color=color("query"))
        ax.annotate(
            f"{ratio:,.0f}×",
            (length, ratio),
            (9, -3),
            textcoords="offset points",
            va="center",
            fontsize=10,
            color=color("query"),
        )
    ax.set(xscale="log", yscale="log", xlabel="tokens predicted in one step, L")
    ax.set_ylabel("times slower without a memory")
    ax.set_xticks(marks, labels=[f"{length:,}" for length in marks])
    ax.minorticks_off()
    ax.set(xlim=(0.7, 5 * tokens[-1]), ylim=(3, 6_000))
    ax.grid(visible=True)
    ax.legend(fontsize=10, loc="lower right")
    return ax
