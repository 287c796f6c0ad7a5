"""What rounding to bfloat16 does to the bias."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Real
from matplotlib.figure import Figure

from posenc.kit.figures.lines import line_style
from posenc.kit.figures.themes import color


def to_bfloat16(values: Real[Any, "..."]) -> Float[np.ndarray, "..."]:
    """Nearest numbers that bfloat16 can hold, as float32; ties go to the even one.

    bfloat16 is the upper half of float32: 8 bits of a number count, the first one
    among them, which is not stored.
    """
    bits = np.asarray(values, np.float32).view(np.uint32)
    bits = bits + 0x7FFF + (bits >> 16 & 1)
    return (bits & 0xFFFF0000).view(np.float32)


def rounding(slope: float = 0.5, *, query: int = 2047, keys: int = 24) -> Figure:
    """Bias of the newest keys in bfloat16, in two forms, and the weights they give.

    Parameters
    ----------
    slope : float, default 0.5
        Slope of the head.
    query : int, default 2047
        Position of the query; key and query count from 0.
    keys : int, default 24
        Keys that are drawn, the newest ones.
    """
    j = np.arange(query + 1 - keys, query + 1)
    forms = (
        ("m · (j − i)", to_bfloat16(slope * (j - query)), 0, "o"),
        ("m · j", to_bfloat16(slope * j) - slope * query, 2, "s"),
    )
    figure, axes = plt.subplots(2, 1, figsize=(6.0, 4.8), sharex=True)
    exact = slope * (j - query)
    for values, ax in ((exact, axes[0]), (np.exp(exact), axes[1])):
        ax.plot(j, values, color=color("muted"), lw=4, alpha=0.4, label="exact")
    for words, bias, line, marker in forms:
        style = {"marker": marker, "ms": 4, **line_style(line)}
        axes[0].plot(j, bias, label=words, **style)
        axes[1].plot(j, np.exp(bias), label=words, **style)
    axes[0].set_ylabel("bias + constant")
    axes[1].set_ylabel("factor of the weight")
    axes[1].set_xlabel(f"key j, for the query at {query:,}", color=color("key"))
    axes[0].legend(fontsize=9.5, loc="upper left")
    axes[1].xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    return figure
