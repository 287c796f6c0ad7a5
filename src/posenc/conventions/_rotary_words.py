"""What the turns of a rotary embedding are called."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._frequencies import describe_frequencies
from ._report import Finding

TOLERANCE = 2e-4  # for the rounding of float32


@dataclass
class Turns:
    """What the matrices say."""

    pairs: list[tuple[int, int]]
    theta: Any  # radians per token, signed, for each pair
    start: Any  # angle at position 0
    factor: float = 1.0
    still: list[int] = field(default_factory=list)  # features that do not turn


def describe(turns: Turns, head_dim: int) -> tuple[tuple[Finding, ...], str]:
    """Findings on the turns, and the call of posenc that makes the same."""
    turned = 2 * len(turns.pairs)
    layout, words, first = _layout(turns.pairs, turned)
    # Halves are ours as well: a layout that posenc has, but not the book's first.
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
    frequencies, angles = describe_frequencies(speeds, turned)
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
    if not np.isclose(turns.factor, 1.0, atol=TOLERANCE):
        text = f"all turned features are multiplied by {turns.factor:.6g}"
        findings.append(Finding("factor", text + " (YaRN's attention factor?)", False))
    if turns.still:
        where = f"{turned} of {head_dim} features, {first}; the others stay as they are"
        findings.append(Finding("turned", where, False))
    else:
        findings.append(Finding("turned", "all features"))
    use = ""
    if layout and angles and not mixed:
        sign = "-" if clockwise else ""
        rows = f"{sign}positions" if not shift else f"{sign}(positions{shift})"
        part = "x" if not turns.still else f"x[..., :{turned}]"
        option = "" if layout == "interleaved" else ', layout="half"'
        use = f"posenc.rope.apply_rotary({part}, {angles.format(rows)}{option})"
    return tuple(findings), use


def _layout(pairs: list[tuple[int, int]], turned: int) -> tuple[str, str, str]:
    """Key of the layout, words for it, and which features turn."""
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
    shown = ", ".join(map(str, pairs[:4]))
    return "", f"neither interleaved nor half: the pairs are {shown}, …", where
