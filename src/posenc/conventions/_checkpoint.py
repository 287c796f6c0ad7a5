"""Comparison of code with a configuration, layer by layer."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from posenc.checkpoint import Layer
from posenc.kit.exercises.attempt import Attempt

from ._report import Finding, Identification, Status
from ._rotary import NotRotaryError, find_call, read_turns, verify
from ._rotary_words import TOLERANCE, Turns, layout_of
from ._rounding import DIGITS, to_half

#: Names for `identify` by a layer's method; functions of others cannot be called.
ASKED = {
    "rope": "rope.apply_rotary",
    "none": "rope.apply_rotary",
    "sinusoidal": "sinusoidal.sinusoidal_table",
    "alibi": "alibi.alibi_bias",
    "t5": "t5.relative_position_bucket",
    "swin": "swin.relative_position_index",
}
#: Choices of ALiBi that the softmax, or a causal mask, does not see.
_UNSEEN = {"grows with", "axes", "keys after the query"}
_EXACT = 2e-4  # relative; frequencies in float32 are off by about 1e-6


@dataclass(frozen=True)
class Comparison(Finding):
    """One property in a configuration, compared with that of the code."""

    def __str__(self) -> str:
        mark = "" if self.is_ours else "  ← not what the configuration says"
        return f"{self.trait}: {self.words}{mark}"


class Conformity(Identification):
    """Result of comparing code with a configuration. True if both agree."""

    _HEADLINES: ClassVar[dict[str, str]] = {
        "same": "✓ {}: the code does what the configuration says",
        "other": "≠ {}: the code does not do what the configuration says",
        "unclear": "? {}: the code does nothing that is known here",
        "failed": "! {}: could not be compared",
        "unknown": "? {}: cannot be told from a function",
    }

    def __bool__(self) -> bool:
        return self.status == "same"


def compare_rotary(name: str, layer: Layer, attempt: Attempt, rng: Any) -> Conformity:
    """Compare the matrices of a rotary embedding with those of a layer."""
    size = layer.rotary_dim if layer.first_turned else layer.head_dim
    function = find_call(attempt, (size,))
    try:
        turns = read_turns(function)
        verify(function, turns, rng)
    except NotRotaryError as found:
        problem, example = found.args
        status: Status = "unclear" if layer.method == "rope" else "same"
        still = np.allclose(function.matrix(7), np.eye(size), atol=TOLERANCE)
        if layer.method == "none" and not still:
            status = "other"
        return Conformity(name, status, problem=problem, example=example)
    if layer.method == "none":
        difference = Comparison(
            "turned", f"{2 * len(turns.pairs)} features; the layer has none", False
        )
        return Conformity(name, "other", (difference,))
    findings = (*_geometry(turns, layer), *_speeds(turns, layer), _length(turns, layer))
    findings += _beyond(function, turns, layer)
    same = all(finding.is_ours for finding in findings)
    return Conformity(name, "same" if same else "other", findings)


def _geometry(turns: Turns, layer: Layer) -> tuple[Comparison, ...]:
    half = layer.rotary_dim // 2
    i = np.flatnonzero(layer.frequencies() > 0)
    pairs = (
        zip(i, half + i, strict=True)
        if layer.layout == "half"
        else zip(2 * i, 2 * i + 1, strict=True)
    )
    expected = sorted((int(a), int(b)) for a, b in pairs)
    size = layer.rotary_dim if layer.first_turned else layer.head_dim
    _, words, _ = layout_of(turns.pairs, 2 * len(turns.pairs), size)
    count = 2 * len(turns.pairs)
    asked = 2 * len(expected)
    number = f"{count} of {size} features"
    if count != asked:
        number += f", not {asked}"
    clockwise = bool((turns.theta < 0).any())
    sense = "clockwise" if clockwise else "counterclockwise: (1, 0) goes towards (0, 1)"
    start = np.allclose(turns.start, 0.0, atol=TOLERANCE)
    begins = "position 0 is not turned" if start else "position 0 is turned"
    fits = sorted(turns.pairs) == expected or (
        count != asked and layout_of(turns.pairs, count, size)[0] == layer.layout
    )
    return (
        Comparison(
            "layout", words + ("" if fits else f"; asked for: {layer.layout}"), fits
        ),
        Comparison("turned", number, count == asked),
        Comparison("direction", sense, not clockwise),
        Comparison("start", begins, start),
    )


def _speeds(turns: Turns, layer: Layer) -> tuple[Comparison, ...]:
    theta = layer.frequencies()
    theta = theta[theta > 0]
    order = np.argsort([min(pair) for pair in turns.pairs])
    got = np.abs(turns.theta)[order]
    if len(got) != len(theta):
        return (
            Comparison("frequencies", f"{len(got)} pairs, not {len(theta)}", False),
        )
    wrong = np.flatnonzero(~np.isclose(got, theta, rtol=_EXACT, atol=1e-9))
    if not wrong.size:
        return (Comparison("frequencies", f"those of all {len(theta)} pairs"),)
    pair = int(wrong[0])
    text = (
        f"{wrong.size} of {len(theta)} differ: pair {pair} turns by {got[pair]:.6g} "
        f"radians per token, not {theta[pair]:.6g}"
    )
    return (Comparison("frequencies", text + _suspect(got, layer), False),)


def _suspect(got: Any, layer: Layer) -> str:
    """Name a cause that explains all frequencies, a key or half precision."""
    assert layer.rotation is not None
    pairs = np.arange(layer.rotary_dim // 2)
    suspects = {
        f"as if the rule {layer.rotation.rope_type!r} were not there": (
            layer.rotation.unstretched()
        ),
        "as if the base were 10,000": 10_000.0 ** (-2 * pairs / layer.rotary_dim),
        f"exponents over {layer.head_dim} features, not {layer.rotary_dim}": (
            layer.rotation.base ** (-2 * pairs / layer.head_dim)
        ),
        **{f"rounded to {kind}": to_half(kind, layer.frequencies()) for kind in DIGITS},
    }
    for words, theta in suspects.items():
        theta = theta[layer.frequencies() > 0]
        if np.allclose(got, theta, rtol=_EXACT, atol=1e-9):
            return f" ({words})"
    return ""


def _length(turns: Turns, layer: Layer) -> Comparison:
    expected = layer.attention_factor()
    if turns.growth.any():
        return Comparison("factor", "lengths change with the position", False)
    factor = float(turns.size.mean())
    if np.allclose(turns.size, expected, rtol=0, atol=TOLERANCE):
        return Comparison(
            "factor", f"queries and keys are multiplied by {expected:.6g}"
        )
    text = f"queries and keys are multiplied by {factor:.6g}, not {expected:.6g}"
    return Comparison("factor", text, False)


def _beyond(function: Any, turns: Turns, layer: Layer) -> tuple[Comparison, ...]:
    """Return LongRoPE's second list, which texts beyond the trained length get."""
    rule = layer.rotation
    if rule is None or rule.rope_type != "longrope" or not function.takes_positions:
        return ()
    far = (rule.trained_len or 0) + 8
    z = [
        np.asarray([m[a, a] + 1j * m[b, a] for a, b in turns.pairs])
        for m in (function.matrix(far), function.matrix(far + 1))
    ]
    got = np.abs(np.angle(z[1] / z[0]))
    order = np.argsort([min(pair) for pair in turns.pairs])
    right = np.allclose(
        got[order], layer.frequencies(far), rtol=1e-2, atol=1e-3 + 1e-6 * far
    )
    text = f"beyond {rule.trained_len:,} tokens, the long list"
    return (Comparison("longer texts", text if right else f"not {text}", right),)


def conformity(identification: Identification, layer: Layer) -> Conformity:
    """Compare what `identify` found with a layer of another method than rotation."""
    if all(isinstance(finding, Comparison) for finding in identification.findings):
        return Conformity(**vars(identification))
    differ = {
        finding.trait for finding in identification.findings if not finding.is_ours
    }
    expected: dict[str, str] = {}
    if layer.method == "alibi":
        differ -= _UNSEEN
    if layer.method == "sinusoidal" and layer.rotation:
        paper = layer.rotation.rope_type == "default"
        expected = {
            "layout": "all sines, then all cosines",
            "frequencies": "base^(-2i/d)" if paper else "from 1 down to 1/base",
        }
        differ -= set(expected)
    words = {f.trait: f.words for f in identification.findings}
    differ |= {
        t for t, start in expected.items() if not words.get(t, "").startswith(start)
    }
    findings = tuple(
        Comparison(f.trait, f.words, f.trait not in differ)
        for f in identification.findings
    )
    known = identification.status in ("same", "other")
    status: Status = ("other" if differ else "same") if known else identification.status
    return Conformity(
        identification.name,
        status,
        findings,
        identification.problem,
        identification.example,
        "",
        identification.notes,
        identification.seed,
    )
