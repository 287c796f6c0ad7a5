"""Rotary embedding in loops over complex numbers, right or with known mistakes.

This judges answers to the exercises, and our own code: it shares nothing with
`posenc.rope`.
"""

import cmath
import math
from typing import Any

import numpy as np

OPPOSITE = (
    "It turns clockwise. The positive direction is counterclockwise: (1, 0) goes "
    "towards (0, 1)."
)
DOUBLED = (
    "The exponent is doubled: it is -2i/d for plane i. If i already goes in steps of "
    "two, it is -i/d."
)
MIXED = "Two layouts are mixed: {}. That is no rotation, and it changes the lengths."
BASE_IGNORED = "base is ignored, and 10,000 used instead."
POSITIONS_IGNORED = (
    "positions are ignored: token number 0, 1, 2, … is used for them. They need not "
    "begin at 0, nor follow one another."
)
HALF = (
    "These are half-split pairs, features i and i + d/2. Here neighbors are a pair: "
    "2i and 2i + 1."
)
INTERLEAVED = (
    "These are interleaved pairs, features 2i and 2i + 1. The weights were trained "
    "with half-split pairs: i and i + d/2."
)

#: Positions far apart, and features for which float32 is exact enough at them: pairs
#: turn by whole numbers, or slowly.
FAR_APART = (((-3, -700, 300, 700), 4), ((40_000, -40_000), 2))


def turn(
    x: Any,
    positions: Any,
    base: float = 10_000.0,
    *,
    half: bool = False,
    sign: int = 1,
    exponent: float = -2.0,
    first: int = 0,
    unit: float = 1.0,
) -> Any:
    """Rotate the rows of `x` (L, D) at their positions, pair by pair.

    `first` is the number of the first pair, `unit` what the angles are multiplied by.
    """
    rows, d = np.shape(x)
    out = np.empty((rows, d))
    for row in range(rows):
        for i in range(d // 2):
            a, b = (i, i + d // 2) if half else (2 * i, 2 * i + 1)
            theta = base ** (exponent * (i + first) / d)
            angle = sign * unit * float(positions[row]) * theta
            z = complex(x[row][a], x[row][b]) * cmath.exp(1j * angle)
            out[row, a], out[row, b] = z.real, z.imag
    return out


def mix_layouts(
    x: Any, positions: Any, base: float = 10_000.0, *, half: bool = False
) -> Any:
    """Pair features of one layout with the angles of the other, which is no rotation.

    `half`: pairs i and i + d/2, each angle twice in a row; otherwise neighbors are
    pairs, and the angles are written twice, one after the other.
    """
    rows, d = np.shape(x)
    out = np.empty((rows, d))
    for row in range(rows):
        for n in range(d):
            i = n // 2 if half else n % (d // 2)
            angle = float(positions[row]) * base ** (-2 * i / d)
            step, is_first = (d // 2, n < d // 2) if half else (1, n % 2 == 0)
            other = -x[row][n + step] if is_first else x[row][n - step]
            out[row, n] = x[row][n] * math.cos(angle) + other * math.sin(angle)
    return out


def scores(q: Any, k: Any) -> Any:
    """Return the dot products of all rows, in loops."""
    return np.asarray(
        [[sum(a * b for a, b in zip(x, y, strict=True)) for y in k] for x in q]
    )


def matrix(position: float, head_dim: int, base: float) -> Any:
    """Return the matrix of RoFormer eq. 15, 2 x 2 rotations along the diagonal."""
    out = np.zeros((head_dim, head_dim))
    for i in range(head_dim // 2):
        angle = position * base ** (-2 * i / head_dim)
        out[2 * i, 2 * i] = out[2 * i + 1, 2 * i + 1] = math.cos(angle)
        out[2 * i, 2 * i + 1], out[2 * i + 1, 2 * i] = -math.sin(angle), math.sin(angle)
    return out


def partial_sums(distance: float, head_dim: int, base: float) -> list[float]:
    """Return |S_1|, …, |S_{d/2}| of RoFormer sec. 3.4.3."""
    total, sizes = 0j, list[float]()
    for i in range(head_dim // 2):
        total += cmath.exp(1j * distance * base ** (-2 * i / head_dim))
        sizes.append(abs(total))
    return sizes


def decay_bound(q: Any, k: Any, distance: float, base: float) -> float:
    """Return RoFormer eq. 37, largest step of h times the sum of |S_j|."""
    d = len(q)
    h = [
        complex(q[2 * i], q[2 * i + 1]) * complex(k[2 * i], -k[2 * i + 1])
        for i in range(d // 2)
    ]
    h.append(0j)
    step = max(abs(h[i + 1] - h[i]) for i in range(d // 2))
    return step * sum(partial_sums(distance, d, base))


def scaled_frequencies(
    head_dim: int,
    scale: float,
    method: str,
    base: float,
    trained_len: int,
    alpha: float,
    beta: float,
) -> list[float]:
    """Return the frequencies of the three published rules, one after the other."""
    out = []
    for i in range(head_dim // 2):
        theta = base ** (-2 * i / head_dim)
        if method == "interpolation":
            out.append(theta / scale)
        elif method == "ntk":
            stretched = base * scale ** (head_dim / (head_dim - 2))
            out.append(stretched ** (-2 * i / head_dim))
        else:
            wavelength = 2 * math.pi / theta
            ratio = trained_len / wavelength
            if ratio < alpha:
                gamma = 0.0
            elif ratio > beta:
                gamma = 1.0
            else:
                gamma = (ratio - alpha) / (beta - alpha)
            out.append((1 - gamma) * theta / scale + gamma * theta)
    return out


def yarn_in_pairs(
    head_dim: int,
    scale: float,
    base: float,
    trained_len: int,
    alpha: float,
    beta: float,
    *,
    truncate: bool,
) -> list[float]:
    """Return YaRN's frequencies as in its code, with a ramp that is linear in the pair.

    The pair that makes r turns is solved from L / wavelength = r.
    """
    first, last = (
        head_dim / 2 * math.log(trained_len / (2 * math.pi * r), base)
        for r in (beta, alpha)
    )
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, head_dim - 1)
    if first == last:
        last = first + 0.001
    out = []
    for i in range(head_dim // 2):
        theta = base ** (-2 * i / head_dim)
        slowed = min(max((i - first) / (last - first), 0.0), 1.0)
        out.append(theta / scale * slowed + theta * (1 - slowed))
    return out


def llama3(
    head_dim: int, scale: float, base: float, trained_len: int, low: float, high: float
) -> list[float]:
    """Return Llama 3's frequencies, by wavelengths as in its code."""
    out = []
    for i in range(head_dim // 2):
        theta = base ** (-2 * i / head_dim)
        wavelength = 2 * math.pi / theta
        if wavelength < trained_len / high:
            out.append(theta)
        elif wavelength * low > trained_len:
            out.append(theta / scale)
        else:
            smooth = (trained_len / wavelength - low) / (high - low)
            out.append((1 - smooth) * theta / scale + smooth * theta)
    return out


def dynamic_ntk(
    head_dim: int, seq_len: int, scale: float, base: float, trained_len: int
) -> list[float]:
    """Return NTK-aware frequencies, with a base that grows with the length."""
    if seq_len > trained_len:
        growth = scale * seq_len / trained_len - scale + 1
        base *= growth ** (head_dim / (head_dim - 2))
    return [base ** (-2 * i / head_dim) for i in range(head_dim // 2)]


def section_axes(sections: list[int], *, interleaved: bool) -> list[int] | None:
    """Return the axis of each pair of M-RoPE; None if they cannot be interleaved."""
    if not interleaved:
        return [axis for axis, size in enumerate(sections) for _ in range(size)]
    axes = []
    for pair in range(sum(sections)):
        axis, turn = pair % len(sections), pair // len(sections)
        axes.append(axis if axis and turn < sections[axis] else 0)
    if any(axes.count(axis) != size for axis, size in enumerate(sections)):
        return None
    return axes


def xpos_score(
    q: Any,
    k: Any,
    query_position: float,
    key_position: float,
    gamma: float,
    scale_base: float,
    base: float,
) -> float:
    """Return the sum of Re(q k* zeta^((n-m)/B) e^{i(n-m)theta}) over pairs (xPos)."""
    d, offset, total = len(q), query_position - key_position, 0.0
    for i in range(d // 2):
        zeta = (i / (d / 2) + gamma) / (1 + gamma)
        pair = complex(q[2 * i], q[2 * i + 1]) * complex(k[2 * i], -k[2 * i + 1])
        turned = pair * cmath.exp(1j * offset * base ** (-2 * i / d))
        total += turned.real * zeta ** (offset / scale_base)
    return total


def close(received: Any, right: Any) -> Any:
    """Tell entries that agree up to the rounding of float32."""
    return np.isclose(received, right, rtol=1e-4, atol=1e-4)
