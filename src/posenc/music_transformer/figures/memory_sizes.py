"""Bytes of what relative attention keeps."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color


def memory_bytes(
    seq_len: int,
    d_model: int,
    num_heads: int,
    *,
    num_layers: int = 1,
    itemsize: int = 4,
) -> dict[str, int]:
    """Bytes of what relative attention keeps, if every head has a table of its own.

    Parameters
    ----------
    seq_len : int
        Tokens, L.
    d_model, num_heads : int
        Features of a token; d_model / num_heads of them go to each head.
    num_layers : int, default 1
        Layers that are counted.
    itemsize : int, default 4
        Bytes of a number.

    Returns
    -------
    dict
        ``"vectors"``, a vector for each pair of tokens, L × L × head_dim; ``"table"``,
        one for each offset, L × head_dim; ``"scores"``, a number for each pair, L × L.

    Examples
    --------
    >>> memory_bytes(2048, 512, 8)
    {'vectors': 8589934592, 'table': 4194304, 'scores': 134217728}
    """
    times = num_layers * itemsize
    return {
        "vectors": seq_len**2 * d_model * times,
        "table": seq_len * d_model * times,
        "scores": seq_len**2 * num_heads * times,
    }


def bytes_in_words(count: float) -> str:
    """Three digits and a unit: 524288 is ``"524 kB"``; a unit is 1,000 of the last."""
    unit = 0
    while count >= 999.5 and unit < len(_UNITS) - 1:
        count /= 1000
        unit += 1
    digits = 0 if unit == 0 or count >= 99.95 else 1 if count >= 9.995 else 2
    return f"{count:.{digits}f} {_UNITS[unit]}"


_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")


def memory(
    *,
    d_model: int = 512,
    num_heads: int = 8,
    num_layers: int = 1,
    itemsize: int = 4,
    lengths: tuple[int, ...] = (650, 2048, 3500),
    ax: Axes | None = None,
) -> Axes:
    """Megabytes of all heads and layers against length: vectors, scores, table.

    Parameters
    ----------
    d_model, num_heads, num_layers, itemsize
        As in `memory_bytes`.
    lengths : tuple of int
        Lengths that are marked.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.4, 3.9))[1]
    every = [2**i for i in range(7, 17)]
    labels = {
        "vectors": ("key", "-", "o", "$R$: vector per pair"),
        "scores": ("value", "--", "^", "scores: number per pair"),
        "table": ("position", "-", "D", "$E$: vector per offset"),
    }

    def megabytes(length: int, name: str) -> float:
        sizes: Any = {"num_layers": num_layers, "itemsize": itemsize}
        return memory_bytes(length, d_model, num_heads, **sizes)[name] / 1e6

    for name, (role, line, marker, label) in labels.items():
        style: Any = {"color": color(role)}
        curve = [megabytes(length, name) for length in every]
        points = [megabytes(length, name) for length in lengths]
        ax.plot(every, curve, line, label=label, **style)
        ax.plot(lengths, points, marker, **style)
    ax.set(
        xscale="log", yscale="log", xlabel="length $L$ (tokens)", ylabel="memory (MB)"
    )
    ticks = (128, 1024, 8192, 65536)
    ax.set_xticks(ticks, labels=[f"{tick:,}" for tick in ticks])
    ax.minorticks_off()
    ax.grid(visible=True)
    ax.legend(fontsize=10)
    return ax
