"""Names for the turns of a rotary embedding."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._frequencies import describe_frequencies
from ._report import Finding

TOLERANCE = 2e-4  # for the rounding of float32


@dataclass
class Turns:
    """Turns, as read off the matrices."""

    pairs: list[tuple[int, int]]
    theta: Any  # radians per token, signed, for each pair
    start: Any  # angle at position 0, for each pair
    size: Any  # factor at position 0, for each pair
    growth: Any  # logarithm of the factor from one position to the next
    still: list[int] = field(default_factory=list)  # features that do not turn
    rounded: str = ""  # the part that is rounded to half precision, in words
    turn: Callable[[Any], Any] = lambda angle: np.exp(1j * angle)


def describe(turns: Turns, head_dim: int) -> tuple[tuple[Finding, ...], str]:
    """Describe the turns, and write the call of posenc that makes the same."""
    turned = 2 * len(turns.pairs)
    layout, words, first = layout_of(turns.pairs, turned, head_dim)
    # Halves are ours as well, since posenc has that layout, if not first.
    findings = [Finding("layout", words, layout == "interleaved")]
    clockwise = bool((turns.theta < 0).all())
    mixed = not clockwise and bool((turns.theta < 0).any())
    direction = (
        "some pairs clockwise, some counterclockwise"
        if mixed
        else "clockwise: (0, 1) goes towards (1, 0)"
        if clockwise
        else "counterclockwise: (1, 0) goes towards (0, 1)"
    )
    findings.append(Finding("direction", direction, not (clockwise or mixed)))
    order = np.argsort([min(pair) for pair in turns.pairs])
    speeds = np.abs(turns.theta)[order]
    frequencies, angles = describe_frequencies(speeds, turned, head_dim)
    findings += frequencies
    start = np.median(turns.start / turns.theta)
    if np.allclose(turns.start, 0.0, atol=TOLERANCE):
        findings.append(Finding("start", "position 0 is not turned"))
        shift = ""
    else:
        shift = f" + {start:.4g}"
        findings.append(
            Finding("start", f"positions are counted from {start:.4g}", False)
        )
    findings += _factor(turns, turned)
    if turns.rounded:
        findings.append(Finding("precision", turns.rounded, False))
    if turns.still:
        where = f"{turned} of {head_dim} features, {first}; the others stay as they are"
        findings.append(Finding("turned", where, False))
    else:
        findings.append(Finding("turned", "all features"))
    use = ""
    alike = not (mixed or turns.rounded or turns.growth.any())
    if layout and angles and alike:
        sign = "-" if clockwise else ""
        rows = f"{sign}positions" if not shift else f"{sign}(positions{shift})"
        part = "x" if not turns.still else f"x[..., :{turned}]"
        option = "" if layout == "interleaved" else ', layout="half"'
        use = (
            f"angles = {angles.format(rows)}\n"
            f"posenc.rope.apply_rotary({part}, angles{option})"
        )
        if not np.allclose(turns.size, 1.0, atol=TOLERANCE):
            use = f"{use} * {turns.size.mean():.6g}"
    return tuple(findings), use


def _factor(turns: Turns, turned: int) -> list[Finding]:
    """Describe the lengths, which are unchanged, all multiplied, or those of xPos."""
    if turns.growth.any():
        pair = np.arange(turned // 2)
        zeta = np.log((2 * pair / turned + 0.4) / 1.4)
        base = zeta / turns.growth
        text = "lengths change with the position"
        if np.allclose(base, base[0], rtol=2e-2):
            who = "queries" if base[0] > 0 else "keys"
            middle = float(np.median(-np.log(turns.size) / turns.growth))
            text += (
                f", as xPos has it for {who}: gamma 0.4, scale base "
                f"{abs(round(float(base[0]))):.4g}, factor 1 at position {middle:.3g}"
            )
        return [Finding("factor", text, False)]
    factor = float(turns.size.mean())
    if np.isclose(factor, 1.0, atol=TOLERANCE):
        return []
    text = f"all turned features are multiplied by {factor:.6g}"
    scale = float(np.exp(10 * (factor - 1)))
    if scale > 1 and abs(scale - round(scale)) < 2e-3 * scale:
        text += f", YaRN's 0.1 ln s + 1 for s = {round(scale)}"
    return [Finding("factor", text, False)]


def layout_of(
    pairs: list[tuple[int, int]], turned: int, head_dim: int
) -> tuple[str, str, str]:
    """Return the layout's key, its description, and the features that turn."""
    first = min(a for a, _ in pairs)
    inside = sorted(feature for pair in pairs for feature in pair)
    run = inside == list(range(first, first + turned))
    where = f"from feature {first} on" if run else "not next to each other"
    if run and all(b == a + 1 for a, b in pairs):
        key = "interleaved" if first == 0 else ""
        return key, "interleaved: features 2i and 2i + 1 are a pair", where
    half = turned // 2
    if run and all(b == a + half for a, b in pairs):
        key = "half" if first == 0 else ""
        return key, f"half: features i and i + {half} are a pair", where
    across = head_dim // 2
    if turned < head_dim and all(b == a + across for a, b in pairs):
        where = f"{half} of each half, from feature {first} on"
        return "", f"half: features i and i + {across} are a pair", where
    shown = ", ".join(map(str, pairs[:4]))
    return "", f"neither interleaved nor half: the pairs are {shown}, …", where
