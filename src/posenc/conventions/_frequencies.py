"""Base, exponent and scaling of rotary frequencies, from their values."""

from typing import Any

import numpy as np

from ._report import Finding

_BASE = 10_000.0
_EXACT = 1e-4  # relative; frequencies in float32 are off by about 1e-6


def describe_frequencies(theta: Any, turned: int) -> tuple[list[Finding], str]:
    """Findings on positive `theta`, and code for the angles, ``{}`` for positions.

    `turned` is the number of features that turn, twice as many as `theta` has entries.
    """
    if len(theta) < 2:
        text = f"one pair, {theta[0]:.6g} radians per token"
        ours = bool(np.isclose(theta[0], 1.0, rtol=_EXACT))
        code = f"posenc.rope.rotary_angles({{}}, {turned})" if ours else ""
        return [Finding("frequencies", text, ours)], code
    slope = _geometric(theta)
    if slope is None:
        return _by_bands(theta, turned)
    base = _round(slope ** (-turned / 2))
    speed = theta[0]
    findings = [_base(base, turned, bool(np.isclose(speed, 1.0, rtol=_EXACT)))]
    option = "" if base == _BASE else f", base={base:.12g}"
    if np.isclose(speed, 1.0, rtol=_EXACT):
        findings.append(Finding("scaling", "none: the first pair turns by 1 radian"))
        return findings, f"posenc.rope.rotary_angles({{}}, {turned}{option})"
    scale = _round(1 / speed)
    if scale > 1:
        text = f"position interpolation: all frequencies are divided by {scale:.6g}"
        code = (
            f'posenc.rope.scaled_angles({{}}, {turned}, method="interpolation", scale={scale:.6g}'
            f"{option})"
        )
    else:
        text = f"all frequencies are multiplied by {_round(speed):.6g}"
        code = (
            f"{_round(speed):.6g} * posenc.rope.rotary_angles({{}}, {turned}{option})"
        )
    return [*findings, Finding("scaling", text, False)], code


def _geometric(theta: Any) -> float | None:
    """Ratio of neighbors, if it is one for all."""
    ratio = (theta[-1] / theta[0]) ** (1 / (len(theta) - 1))
    expected = theta[0] * ratio ** np.arange(len(theta))
    fits = np.allclose(theta, expected, rtol=_EXACT, atol=1e-9)
    return float(ratio) if fits and ratio > 0 else None


def _base(base: float, turned: int, unscaled: bool) -> Finding:
    text = f"{base:,.10g}"
    if np.isclose(base, _BASE**0.5, rtol=_EXACT):
        text += " (or 10,000 with the exponent -i/D in place of -2i/D)"
    elif np.isclose(base, _BASE**2, rtol=_EXACT):
        text += " (or 10,000 with the exponent -4i/D in place of -2i/D)"
    elif np.isclose(base ** (1 - 2 / turned), _BASE, rtol=_EXACT):
        text += " (10,000 if the slowest pair is to turn by 1/base exactly)"
    elif unscaled and turned > 2 and base > _BASE and not _is_round(base):
        scale = (base / _BASE) ** ((turned - 2) / turned)
        if abs(scale - round(scale, 2)) < 2e-3 * scale:
            text += f' ("NTK-aware" scaling of 10,000 by {scale:.4g})'
    return Finding("base", text, base == _BASE)


def _by_bands(theta: Any, turned: int) -> tuple[list[Finding], str]:
    """Fast pairs kept, slow ones divided, as YaRN and Llama 3 do; or no known rule."""
    base = _round((theta[1] / theta[0]) ** (-turned / 2))
    ratio = base ** (-2 * np.arange(len(theta)) / turned) / theta
    kept = int((np.isclose(ratio, 1.0, rtol=1e-3)).sum())
    scale = _round(float(ratio[-1]))
    divided = int(np.isclose(ratio, scale, rtol=1e-3).sum())
    rises = bool((np.diff(ratio) >= -1e-3 * scale).all())
    if kept >= 2 and rises and scale > 1 and divided:
        text = (
            f"by bands, as in YaRN and Llama 3: the {kept} fastest pairs are kept, the "
            f"{divided} slowest divided by {scale:.6g}, those between in part"
        )
        found = [Finding("base", f"{base:,.10g}", base == _BASE)]
        return [*found, Finding("scaling", text, False)], ""
    shown = ", ".join(f"{value:.4g}" for value in theta[:6])
    text = f"no known rule; radians per token: {shown}" + ", …" * (len(theta) > 6)
    return [Finding("frequencies", text, False)], ""


def _round(value: float) -> float:
    """Nearest number of few digits, if it is within rounding."""
    for digits in (1, 2, 3, 4):
        near = float(f"{value:.{digits}g}")
        if abs(near - value) <= 3e-4 * abs(value):
            return near
    return float(f"{value:.8g}")


def _is_round(value: float) -> bool:
    return value == float(f"{value:.3g}")
