"""Base, exponent and scaling of rotary frequencies, from their values."""

from typing import Any

import numpy as np

from ._report import Finding

_BASE = 10_000.0
_EXACT = 1e-4  # relative; frequencies in float32 are off by about 1e-6


def describe_frequencies(
    theta: Any, turned: int, head_dim: int
) -> tuple[list[Finding], str]:
    """Findings on positive `theta`, and code for the angles, ``{}`` for positions.

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
    slope = _geometric(theta)
    if slope is None:
        return _by_bands(theta, turned)
    base = _round(slope ** (-turned / 2))
    speed = theta[0]
    over_all = _round(slope ** (-head_dim / 2))
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
    scale = _round(1 / speed)
    if scale > 1:
        text = f"position interpolation: all frequencies are divided by {scale:.6g}"
        code = (
            f'posenc.rope.scaled_angles({{}}, {turned}, method="interpolation", '
            f"scale={scale:.6g}{option})"
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


def _ntk_scale(base: float, turned: int) -> float:
    """Scale for which this is the "NTK-aware" base; 0 if it is a round number."""
    if turned <= 2 or base <= _BASE or _is_round(_round(base)):
        return 0.0
    scale = (base / _BASE) ** ((turned - 2) / turned)
    near = round(scale, 2)
    return near if abs(scale - near) < 2e-4 * scale else 0.0


def _base(base: float, turned: int) -> Finding:
    text = f"{base:,.10g}"
    if np.isclose(base, _BASE**0.5, rtol=_EXACT):
        text += " (or 10,000 with the exponent -i/D in place of -2i/D)"
    elif np.isclose(base, _BASE**2, rtol=_EXACT):
        text += " (or 10,000 with the exponent -4i/D in place of -2i/D)"
    elif np.isclose(base ** (1 - 2 / turned), _BASE, rtol=_EXACT):
        text += " (10,000 if the slowest pair is to turn by 1/base exactly)"
    return Finding("base", text, base == _BASE)


def _by_bands(theta: Any, turned: int) -> tuple[list[Finding], str]:
    """Fast pairs kept, slow ones divided, as YaRN and Llama 3 do; or no known rule."""
    # Either the first two pairs are kept, or the last two divided, or both.
    for ratio in (theta[1] / theta[0], theta[-1] / theta[-2]):
        base = _round(ratio ** (-turned / 2))
        plain = base ** (-2 * np.arange(len(theta)) / turned)
        slower = plain / theta
        scale = _round(float(slower[-1]))
        kept = int(np.isclose(slower, 1.0, rtol=1e-3).sum())
        divided = int(np.isclose(slower, scale, rtol=1e-3).sum())
        found = kept and divided and kept + divided > 2 and scale > 1.001
        if found and _is_round(base) and _is_ramp(slower, scale, plain):
            text = (
                f"by bands, as in YaRN and Llama 3: {kept} fast pairs are kept, "
                f"{divided} slow ones divided by {scale:.6g}, those between in part"
            )
            listed = [Finding("base", f"{base:,.10g}", base == _BASE)]
            return [*listed, Finding("scaling", text, False)], ""
    shown = ", ".join(f"{value:.4g}" for value in theta[:6])
    text = f"no known rule; radians per token: {shown}" + ", …" * (len(theta) > 6)
    plain = _BASE ** (-2 * np.arange(len(theta)) / turned)
    first = int(np.argmin(np.isclose(theta, plain, rtol=_EXACT)))
    text += f" (for base {_BASE:,.0f} they differ first at pair {first}: "
    text += f"{theta[first]:.4g}, not {plain[first]:.4g})"
    return [Finding("frequencies", text, False)], ""


def _is_ramp(slower: Any, scale: float, plain: Any) -> bool:
    """Whether the share that is kept falls in a straight line, from 1 down to 0.

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


def _round(value: float) -> float:
    """Nearest number of few digits, if it is within rounding."""
    for digits in (1, 2, 3, 4):
        near = float(f"{value:.{digits}g}")
        if abs(near - value) <= 3e-4 * abs(value):
            return near
    return float(f"{value:.8g}")


def _is_round(value: float) -> bool:
    return value == float(f"{value:.3g}")
