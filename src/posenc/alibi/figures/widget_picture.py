"""The widget on ALiBi as a still picture: slopes, bias and weights of one head."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.alibi import alibi_bias
from posenc.kit.figures.themes import choose, color, panels
from posenc.t5.figures import bias_matrix

from .head_weights import SHARES, HeadView, head_view, measured_reach
from .slopes import slope_dots

#: Lowest bias that the widget draws: a factor of 1/3000.
DEEPEST = -8.0
_MATRIX = 12  # tokens of the heat map in the overview


def overview(
    *, num_heads: int = 8, head: int = 2, length: int = 64, causal: bool = True
) -> Figure:
    """Slopes, bias and weights of one head: the widget as a still picture.

    Parameters
    ----------
    num_heads, head, length, causal
        As in `head_view`.
    """
    figure, axes = panels(2, 2, figsize=(9.2, 7.2), narrow_height=12)
    view = head_view(num_heads, head, length, causal=causal)
    slope_dots(num_heads, head=head, ax=axes[0])
    size = min(length, _MATRIX)
    bias = alibi_bias(num_heads, size, size, symmetric=not causal)[head - 1]
    bias_matrix(bias, limit=-DEEPEST, causal=causal, numbers=False, ax=axes[1])
    _curves(axes[2], view, view.bias, view.t5_bias, "bias")
    axes[2].set_ylim(
        max(DEEPEST, 1.05 * min(view.bias.min(), view.t5_bias.min())),
        0.6 + max(0.0, view.t5_bias.max()),
    )
    _curves(axes[3], view, view.weights, view.t5_weights, "weight, equal scores")
    for number, share in enumerate(SHARES):
        reach = measured_reach(view.weights, view.offsets, share)
        for end in (-reach,) if causal else (-reach, reach):
            axes[3].axvline(end, color=color("muted"), ls=":", lw=1)
        at: dict[str, Any] = {
            "transform": axes[3].get_xaxis_transform(),
            "fontsize": 9,
        }
        axes[3].text(
            -reach,
            choose(1.0, 1 + 0.07 * (number % 2)),
            f"{share:.0%}",
            ha="right",
            va="bottom",
            **at,
        )
    return figure


def _curves(ax: Axes, view: HeadView, line: Any, stairs: Any, words: str) -> None:
    ax.plot(view.offsets, line, color=color("position"), lw=2, label="ALiBi")
    style: dict[str, Any] = {
        "color": color("muted"),
        "ls": "--",
        "drawstyle": "steps-mid",
    }
    ax.plot(view.offsets, stairs, label="MPNet", **style)
    ax.set_xlabel("relative position (key − query)", color=color("position"))
    ax.set_ylabel(words)
    ax.legend(fontsize=9.5, loc="best")
