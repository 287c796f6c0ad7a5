"""CAPE and CTC in plain loops; shares no code with `posenc.cape` or its figures."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

#: Draws of the widget: as many seeds, and the settings that it offers.
DRAWS, MOST_TOKENS = 12, 16
SHIFTS = (0, 1, 2, 3, 5, 8)
JITTERS = (0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 1, 1.5, 2)
SCALES = (1, 1.1, 1.25, 1.5, 2)

#: Positions far apart, on both sides of 0.
FAR_APART = (-40_000.0, -700.5, 300.25, 900.5)


def move(
    positions: Any,
    mask: Any,
    shift: Any,
    scale: Any,
    jitter: Any,
    *,
    padded_mean: Any = 0,
    center: bool = True,
) -> Any:
    """Return scale times (position - mean + shift + jitter); padding is 0.

    Row by row, as the listing of Likhomanenko et al.
    """
    rows, length = np.shape(positions)
    out = np.zeros((rows, length))
    for b in range(rows):
        counted = [j for j in range(length) if mask[b][j] or padded_mean]
        total = sum(float(positions[b][j]) for j in counted)
        mean = total / len(counted) if counted and center else 0.0
        for j in range(length):
            if mask[b][j]:
                moved = positions[b][j] - mean + shift[b] + jitter[b][j]
                out[b, j] = scale[b] * moved
    return out


def collapse(path: Sequence[Any], blank: Any) -> list[Any]:
    """Read as CTC does: a symbol counts where it differs from the frame before."""
    read, before = [], blank
    for symbol in path:
        if symbol not in (blank, before):
            read.append(symbol)
        before = symbol
    return read


def probability(chances: Any, target: Sequence[int]) -> float:
    """Sum over all paths that collapse to the target, path by path."""
    frames, symbols = np.shape(chances)
    total = 0.0
    for path in itertools.product(range(symbols), repeat=frames):
        if collapse(path, symbols - 1) == list(target):
            total += float(np.prod([chances[t][s] for t, s in enumerate(path)]))
    return total


def paths_of(target: str, frames: int) -> int:
    """Count the paths that collapse to a word, by trying all of them."""
    symbols = [*dict.fromkeys(target), None]
    tried = itertools.product(symbols, repeat=frames)
    return sum(collapse(path, None) == list(target) for path in tried)


def swap_chance(step: float, maximum: float) -> float:
    """Return the area of a triangle, in the square of all pairs of jitters."""
    legs = max(2 * maximum - step, 0.0)
    return legs * legs / 2 / (2 * maximum) ** 2


def widget_positions(setting: dict[str, Any]) -> list[float]:
    """Return the positions that the widget shows for a setting."""
    rng = np.random.default_rng(setting["draw"])
    shift = rng.uniform(-1, 1) * setting["max_global_shift"]
    scale = setting["max_scale"] ** rng.uniform(-1, 1)
    count = setting["tokens"]
    jitter = rng.uniform(-1, 1, size=MOST_TOKENS)[:count] * setting["max_local_shift"]
    middle = (count - 1) / 2
    return [float(scale * (j - middle + shift + jitter[j])) for j in range(count)]


def swapped(places: Sequence[float]) -> int:
    """Count the pairs that are out of order."""
    return sum(a > b for a, b in itertools.combinations(places, 2))


def close(received: Any, right: Any) -> Any:
    """Return True for entries that agree, in float32 at least."""
    return np.isclose(received, right, rtol=1e-5, atol=1e-6)
