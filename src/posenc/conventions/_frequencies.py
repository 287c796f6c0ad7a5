"""Base, exponent and scaling of rotary frequencies, from their values."""

from typing import Any

import numpy as np

from ._report import Finding
from ._rounding import apart, rounded_frequencies, words_of_rounding

_BASE = 10_000.0
_EXACT = 1e-4  # relative; frequencies in float32 are off by about 1e-6


def describe_frequencies(
    theta: Any, turned: int, head_dim: int
) -> tuple[list[Finding], str]:
    """Describe positive `theta`; return code for the angles, ``{}`` for positions.

    `turned` is the number of features that turn, twice as many as `theta` has entries,
    `head_dim` that of all.
    """
    if len(theta) > 1 and (np.diff(theta) > 0).all():
        findings, _ = describe_frequencies(theta[::-1], turned, head_dim)
        text = "reversed: the last pair is the fastest"
        return [*findings, Finding("order", text, False)], ""
    if len(theta) < 2:
        text = f"one pair, {theta[0]:.6g} radians per token"
        ours = bool(np.isclose(theta[0], 1.0, rtol=_EXACT))
        code = f"posenc.rope.rotary_angles({{}}, {turned})" if ours else ""
        return [Finding("frequencies", text, ours)], code
    slope = geometric_ratio(theta)
    if slope is None:
        return _rounded(theta, turned) or _by_bands(theta, turned)
    base = round_number(slope ** (-turned / 2))
    speed = theta[0]
    over_all = round_number(slope ** (-head_dim / 2))
    if turned < head_dim and _is_round(over_all) and np.isclose(speed, 1, rtol=_EXACT):
        text = f"{over_all:,.10g} with exponents over all {head_dim} features"
        if _is_round(base):
            text = f"{base:,.10g}, or {text}"
        else:
            base = 0.0
        text += " (a proportional rotary embedding)"
        option = "" if base == _BASE else f", base={base:.12g}"
        code = f"posenc.rope.rotary_angles({{}}, {turned}{option})" if base else ""
        none = Finding("scaling", "none: the first pair turns by 1 radian")
        return [Finding("base", text, base == _BASE), none], code
    scale = _ntk_scale(slope ** (-turned / 2), turned)
    if scale and np.isclose(speed, 1.0, rtol=_EXACT):
        text = (
            f'"NTK-aware", by {scale:.6g}: the base is {base:,.10g}, not {_BASE:,.0f}'
        )
        code = (
            f'posenc.rope.scaled_angles({{}}, {turned}, method="ntk", '
            f"scale={scale:.6g})"
        )
        return [_base(_BASE, turned), Finding("scaling", text, False)], code
    findings = [_base(base, turned)]
    option = "" if base == _BASE else f", base={base:.12g}"
    if np.isclose(speed, 1.0, rtol=_EXACT):
        findings.append(Finding("scaling", "none: the first pair turns by 1 radian"))
        return findings, f"posenc.rope.rotary_angles({{}}, {turned}{option})"
    scale = round_number(1 / speed)
    if scale > 1:
        text = f"position interpolation: all frequencies are divided by {scale:.6g}"
        code = (
            f'posenc.rope.scaled_angles({{}}, {turned}, method="interpolation", '
            f"scale={scale:.6g}{option})"
        )
    else:
        factor = f"{round_number(speed):.6g}"
        text = f"all frequencies are multiplied by {factor}"
        code = f"{factor} * posenc.rope.rotary_angles({{}}, {turned}{option})"
    return [*findings, Finding("scaling", text, False)], code


def _rounded(theta: Any, turned: int) -> tuple[list[Finding], str] | None:
    """Describe frequencies in half precision."""
    exponents = 2 * np.arange(len(theta)) / turned
    fit = rounded_frequencies(theta, exponents)
    if fit is None:
        return None
    kind, base = fit
    text = words_of_rounding(kind, base, exponents)
    return [_base(base, turned), Finding("frequencies", text, False)], ""


def geometric_ratio(theta: Any) -> float | None:
    """Return the ratio of neighbors, if it is one for all."""
    ratio = (theta[-1] / theta[0]) ** (1 / (len(theta) - 1))
    expected = theta[0] * ratio ** np.arange(len(theta))
    fits = np.allclose(theta, expected, rtol=_EXACT, atol=1e-9)
    return float(ratio) if fits and ratio > 0 else None


def _ntk_scale(base: float, turned: int) -> float:
    """Return the scale for which this is the "NTK-aware" base; 0 if it is not round."""
    if turned <= 2 or base <= _BASE or _is_round(round_number(base)):
        return 0.0
    scale = (base / _BASE) ** ((turned - 2) / turned)
    near = round(scale, 2)
    return near if abs(scale - near) < 2e-4 * scale else 0.0


def _base(base: float, turned: int) -> Finding:
    text = f"{base:,.10g}"
    if np.isclose(base, _BASE**0.5, rtol=_EXACT):
        text += " (or 10,000 with the exponent -i/D in place of -2i/D)"
    elif root := doubled_exponent(base):
        text += f" (or {root:,.10g} with the exponent -4i/D in place of -2i/D)"
    elif np.isclose(base ** (1 - 2 / turned), _BASE, rtol=_EXACT):
        text += " (10,000 if the slowest pair is to turn by 1/base exactly)"
    return Finding("base", text, base == _BASE)


def _by_bands(theta: Any, turned: int) -> tuple[list[Finding], str]:
    """Recognize fast pairs kept, slow ones divided, as in YaRN and Llama 3; or none."""
    # Either the first two pairs are kept, or the last two divided, or both.
    for ratio in (theta[1] / theta[0], theta[-1] / theta[-2]):
        base = round_number(ratio ** (-turned / 2))
        plain = base ** (-2 * np.arange(len(theta)) / turned)
        slower = plain / theta
        scale = round_number(float(slower[-1]))
        unchanged = int(np.isclose(slower, 1.0, rtol=1e-3).sum())
        divided = int(np.isclose(slower, scale, rtol=1e-3).sum())
        by_bands = unchanged and divided and unchanged + divided > 2 and scale > 1.001
        if by_bands and _is_round(base) and _is_ramp(slower, scale, plain):
            text = (
                f"by bands, as in YaRN and Llama 3: {unchanged} fast pairs are kept, "
                f"{divided} slow ones divided by {scale:.6g}, those between in part"
            )
            listed = [Finding("base", f"{base:,.10g}", base == _BASE)]
            return [*listed, Finding("scaling", text, False)], ""
    shown = ", ".join(f"{value:.4g}" for value in theta[:6])
    text = f"no known rule; radians per token: {shown}" + ", …" * (len(theta) > 6)
    plain = _BASE ** (-2 * np.arange(len(theta)) / turned)
    first = int(np.argmin(np.isclose(theta, plain, rtol=_EXACT)))
    text += f" (for base {_BASE:,.0f} they differ first at pair {first}: "
    got, expected = apart(theta[first], plain[first])
    text += f"{got}, not {expected})"
    return [Finding("frequencies", text, False)], ""


def _is_ramp(slower: Any, scale: float, plain: Any) -> bool:
    """Return True if the unchanged share falls in a straight line, from 1 to 0.

    In YaRN's paper (Peng et al., arXiv:2309.00071) and in Llama 3 the line is
    one of the frequency, in the code of both YaRN and transformers one of the pair's
    number.
    """
    share = (1 / slower - 1 / scale) / (1 - 1 / scale)
    between = np.flatnonzero((share > 2e-3) & (share < 1 - 2e-3))
    if len(between) < 2:
        return bool((np.diff(share) <= 2e-3).all())
    for x in (plain, np.arange(len(plain))):
        slope, start = np.polyfit(x[between], share[between], 1)
        if np.allclose(np.clip(slope * x + start, 0, 1), share, atol=2e-3):
            return True
    return False


def doubled_exponent(base: float) -> float:
    """Return the base's root, if that is the usual base or a simpler number; else 0."""
    root = round_number(base**0.5)
    simpler = root >= 1000 and _digits(root) < min(_digits(base), 3)
    return root if root == _BASE or simpler else 0.0


def _digits(value: float) -> int:
    return next((n for n in range(1, 9) if value == float(f"{value:.{n}g}")), 9)


def round_number(value: float) -> float:
    """Return the nearest number of few digits, if it is within rounding."""
    for digits in (1, 2, 3, 4):
        near = float(f"{value:.{digits}g}")
        if abs(near - value) <= 3e-4 * abs(value):
            return near
    return float(f"{value:.8g}")


def _is_round(value: float) -> bool:
    return value == float(f"{value:.3g}")
