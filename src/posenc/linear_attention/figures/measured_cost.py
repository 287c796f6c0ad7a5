"""Measured time and memory: curves, and bars at one length."""

from collections.abc import Mapping
from typing import Any, Literal

from matplotlib.figure import Figure

from posenc.kit.figures.themes import color, panels

#: What the measured methods are called; a file may hold more of them, or fewer.
METHODS = {
    "softmax": "softmax, fused",
    "softmax_matrix": "softmax, L × L matrix",
    "linear": "linear, all keys",
    "linear_causal": "linear, causal",
    "alibi_decay": "linear, ALiBi as decay",
    "toeplitz_fft": "linear, any bias by FFT",
}


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def cost_overview(
    cells: Mapping[str, Mapping[str, Mapping[str, float]]],
    names: Mapping[str, str],
    what: Literal["ms", "mib"],
    chosen: tuple[str, str],
    *,
    log: bool,
    length: int,
) -> Figure:
    """Measured curves, two of them in color, and the values at one length as bars.

    Parameters
    ----------
    cells : mapping
        Length (as text) to method to ``{"ms", "mib"}``.
    names : mapping
        Methods that are drawn, to their words.
    what : {"ms", "mib"}
        Time or memory.
    chosen : tuple of two str
        The methods in color.
    log : bool
        Logarithmic axes or linear ones.
    length : int
        Length of the bars, marked in the curves.
    """
    figure, (left, right) = panels(
        1, 2, figsize=(7.6, 3.8), narrow_height=7, ratios=(11, 9)
    )
    unit = "time (ms)" if what == "ms" else "memory (MiB)"
    styles: dict[str, dict[str, Any]] = {
        chosen[1]: {"color": color("key"), "marker": "s", "mfc": "none", "ls": "--"},
        chosen[0]: {"color": color("query"), "marker": "o"},
    }
    quiet: dict[str, Any] = {"color": color("muted"), "ls": ":", "lw": 1}
    for name, words in names.items():
        points = [(int(n), row[name][what]) for n, row in cells.items() if name in row]
        label = words if name in styles else None
        left.plot(*zip(*points, strict=True), label=label, **styles.get(name, quiet))
    left.axvline(length, color=color("position"), lw=1)
    scale = "log" if log else "linear"
    left.set(xlabel="length L (tokens)", ylabel=unit, xscale=scale, yscale=scale)
    if log:
        left.set_xticks([int(n) for n in cells], [f"{int(n):,}" for n in cells])
        left.minorticks_off()
    left.grid(visible=True)
    left.legend(fontsize=10)
    values = [cells[str(length)].get(name, {}).get(what) for name in names]
    shades = [styles.get(name, quiet)["color"] for name in names]
    right.barh(range(len(names)), [value or 0 for value in values], 0.4, color=shades)
    for i, (words, value) in enumerate(zip(names.values(), values, strict=True)):
        amount = "not measured" if value is None else _three_digits(value)
        right.text(0, i - 0.42, f"{words}: {amount}", fontsize=10, va="center")
    right.set(ylim=(len(names) - 0.5, -0.8), xticks=[], yticks=[])
    right.spines[:].set_visible(False)
    right.set_title(f"{unit} at {length:,} tokens", fontsize=11, loc="left")
    return figure
