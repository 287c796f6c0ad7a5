"""Detection of half precision: its numbers are those of a rule, rounded."""

from collections.abc import Callable
from typing import Any

import numpy as np

#: Binary digits of the half-precision types, with the leading one.
DIGITS = {"float16": 11, "bfloat16": 8}
_READ = 2e-6  # relative error of a function in float32


def to_half(kind: str, numbers: Any) -> Any:
    """Round the numbers to a half-precision type, as float64."""
    if kind == "float16":
        return np.asarray(numbers).astype(np.float16).astype(np.float64)
    bits = np.asarray(numbers, np.float32).view(np.uint32).astype(np.uint64)
    bits += 0x7FFF + ((bits >> 16) & 1)  # to the nearest, to even if both are as near
    high_bits = (bits & 0xFFFF0000).astype(np.uint32)
    return high_bits.view(np.float32).astype(np.float64)


def rounded_frequencies(theta: Any, exponents: Any) -> tuple[str, float] | None:
    """Return type and base b so that `theta` is b to the power -exponents, rounded."""
    for kind in DIGITS:
        base = base_within(kind, theta, exponents)
        if base and _same(to_half(kind, base**-exponents), theta):
            return kind, base
    return None


def base_within(kind: str, theta: Any, exponents: Any, *, wider: int = 1) -> float:
    """Return the shortest number that rounding may have led from to `theta`, or 0."""
    slack = wider * np.maximum(theta * 2.0 ** -DIGITS[kind], 2.0**-25)
    use = (exponents > 0) & (theta > slack)
    if not use.any():
        return 0.0
    power = -1 / exponents[use]
    low = float(((theta + slack)[use] ** power).max())
    high = float(((theta - slack)[use] ** power).min())
    for digits in range(1, 9):
        base = float(f"{(low + high) / 2:.{digits}g}")
        if low <= base <= high:
            return base
    return 0.0


def rounded_turns(
    factors: dict[int, Any],
) -> tuple[str, float, Callable[[Any], Any]] | None:
    """Return what was rounded, the base, and the factor of an angle.

    `factors` holds those of the positions 1, 2, … for each pair, the first pair first.
    """
    theta = np.abs(np.angle(factors[1]))
    exponents = np.arange(len(theta)) / len(theta)
    sign = -1 if (np.angle(factors[1]) < 0).all() else 1
    for kind in DIGITS:
        base = base_within(kind, theta, exponents, wider=4)
        if not base:
            continue
        for what, factor in _ROUNDED.items():

            def turn(angle: Any, kind: str = kind, factor: Any = factor) -> Any:
                return factor(kind, angle)

            exact = sign * base**-exponents
            if all(
                np.allclose(turn(p * exact), received, rtol=0, atol=5e-6)
                for p, received in factors.items()
            ):
                return what.format(kind), sign * base, turn
    return None


_ROUNDED: dict[str, Callable[[str, Any], Any]] = {
    "angles are rounded to {}, before their sine and cosine": lambda kind, angle: (
        np.exp(1j * to_half(kind, angle))
    ),
    "cosines and sines are rounded to {}": lambda kind, angle: (
        to_half(kind, np.cos(angle)) + 1j * to_half(kind, np.sin(angle))
    ),
}


def words_of_rounding(kind: str, base: float, exponents: Any) -> str:
    """Describe the first frequency that rounding changed."""
    plain = base**-exponents
    change = to_half(kind, plain) - plain
    first = int(np.argmax(np.abs(change) > 1e-5 * plain))
    sign, size = "-" if change[first] < 0 else "+", abs(change[first])
    short = f"{size:.0e}".replace("e-0", "e-")
    shown = f"{plain[first]:.4g}"
    return f"half-precision frequencies ({kind}): {shown} became {shown} {sign} {short}"


def apart(first: float, second: float) -> tuple[str, str]:
    """Write both numbers with four digits, or as many as they need to differ."""
    for digits in range(4, 12):
        texts = f"{first:.{digits}g}", f"{second:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts


def _same(first: Any, second: Any) -> bool:
    return bool(np.allclose(first, second, rtol=_READ, atol=1e-9))
