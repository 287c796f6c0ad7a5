"""Conventions of sinusoidal encodings: layout, frequencies, first position."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ._frequencies import doubled_exponent, geometric_ratio, round_number
from ._rounding import (
    DIGITS,
    base_within,
    rounded_frequencies,
    to_half,
    words_of_rounding,
)
from ._search import Args, Choice, Kind, Trait

_SINUSOIDAL = (
    Trait(
        "layout",
        {
            "interleaved": "sine and cosine of a pair side by side",
            "half": "all sines, then all cosines",
            "interleaved, cosine first": "cosine and sine of a pair side by side",
            "half, cosine first": "all cosines, then all sines",
        },
    ),
    Trait(
        "frequencies",
        {
            "paper": "base^(-2i/d), as in the paper",
            "tensor2tensor": "from 1 down to 1/base exactly: base^(-i/(d/2 - 1))",
        },
    ),
    Trait(
        "base",
        {str(n): f"{n:,}" for n in (10_000, 100, 1000, 100_000, 500_000, 1_000_000)},
    ),
    Trait(
        "start",
        {
            "0": "positions as given, from 0",
            "1": "one is added first",
            "-1": "one is subtracted first",
        },
    ),
    Trait(
        "size",
        {
            "1": "sines and cosines as they are",
            "root": "all multiplied by the root of d_model",
        },
    ),
)

#: Past what eight bits hold, with and without a sign, and a usual clip.
_FAR_AWAY = (127, 128, 255, 256, 511)


def _encoding(choice: Choice, positions: Any, d_model: int) -> Any:
    layout, _, swapped = choice["layout"].partition(",")
    m = np.asarray(positions, np.float64) + int(choice["start"])
    base, exponents = float(choice["base"]), _exponents(choice["frequencies"], d_model)
    theta = base**-exponents
    precision, _, table = choice.get("precision", "").partition(" ")
    if precision and not table:
        theta = to_half(precision, theta)
    waves = [np.sin(m[..., None] * theta), np.cos(m[..., None] * theta)]
    axis = -2 if layout == "half" else -1
    pairs = np.stack(waves[::-1] if swapped else waves, axis)
    encoding = pairs.reshape(*m.shape, d_model)
    if table:
        encoding = to_half(precision, encoding)
    return encoding * (d_model**0.5 if choice["size"] == "root" else 1.0)


def _exponents(rule: str, d_model: int) -> Any:
    i = np.arange(d_model // 2)
    return 2 * i / d_model if rule == "paper" else i / max(d_model // 2 - 1, 1)


#: Features of the call whose frequencies are read, and their places in each layout.
_READ = 16
_PLACES = {
    "interleaved": (slice(0, None, 2), slice(1, None, 2)),
    "half": (slice(0, _READ // 2), slice(_READ // 2, None)),
}


def _extend(kind: Kind, received: list[tuple[Args, Any]]) -> Kind:
    """Add the bases, and the rounding, of the received frequencies to the kind."""
    (trait,) = (candidate for candidate in kind.traits if candidate.name == "base")
    bases, rounded = dict(trait.options), {"": "frequencies in full"}
    for theta, table in _speeds(received):
        for rule in ("paper", "tensor2tensor"):
            exponents = _exponents(rule, _READ)
            ratio, fits = geometric_ratio(theta), []
            if table:
                fits.append(base_within(table, theta, exponents, wider=4))
                words = f"sines and cosines are rounded to {table}"
                rounded[f"{table} table"] = words
            elif ratio is not None:
                exact = ratio ** (-1 / exponents[1])
                fits += [round_number(exact), exact]
            elif half := rounded_frequencies(theta, exponents):
                precision, base = half
                fits.append(base)
                rounded[precision] = words_of_rounding(precision, base, exponents)
            for base in fits:
                if base:
                    bases.setdefault(f"{base:.10g}", _words_of_base(base))
    traits = [
        replace(candidate, options=bases) if candidate is trait else candidate
        for candidate in kind.traits
    ]
    if len(rounded) > 1:
        traits.append(Trait("precision", rounded))
    return replace(kind, traits=tuple(traits))


def _speeds(received: list[tuple[Args, Any]]) -> Iterator[tuple[Any, str]]:
    """Yield frequencies of `_READ` features, for any layout and start.

    And the type of half precision that all sines and cosines were rounded to, if any.
    """
    for (positions, d_model), got in received:
        rows = np.squeeze(got)
        in_order = np.ndim(positions) == 0 or list(positions[:3]) == [0, 1, 2]
        if d_model != _READ or not in_order or rows.shape != (len(rows), _READ):
            continue
        halves = [kind for kind in DIGITS if np.array_equal(to_half(kind, rows), rows)]
        table = halves[-1] if halves else ""  # the coarsest
        for row in rows[:3]:  # one of them stands at position 1
            for places in _PLACES.values():
                for sine, cosine in (places, places[::-1]):
                    theta = np.arctan2(row[sine], row[cosine])
                    if (
                        np.isclose(theta[0], 1, rtol=5e-3)
                        and (np.diff(theta) < 0).all()
                    ):
                        yield theta, table


def _words_of_base(base: float) -> str:
    base = round_number(base)
    root = doubled_exponent(base)
    twice = f" (or {root:,.10g} with the exponent counted twice)" if root else ""
    return f"{base:,.10g}{twice}"


def _use_encoding(choice: Choice, call: str) -> str:
    if "first" in choice["layout"] or choice.get("precision"):
        return ""
    options = {
        "base": "" if choice["base"] == "10000" else choice["base"],
        "layout": "'half'" if choice["layout"] == "half" else "",
        "frequencies": "'tensor2tensor'" if choice["frequencies"] != "paper" else "",
    }
    given = "".join(f", {name}={value}" for name, value in options.items() if value)
    return f"{'d_model**0.5 * ' * (choice['size'] == 'root')}{call}{given})"


ENCODING = Kind(
    "sinusoidal_encoding(positions, d_model)",
    _SINUSOIDAL,
    lambda rng: (
        [
            (np.asarray(positions, np.float64), d_model)
            for d_model in (4, 8, 16)
            for positions in ([0], [1], [0, 1, 2], rng.integers(40, size=5))
        ]
        + [(np.asarray(_FAR_AWAY, np.float64), 8)]
    ),
    _encoding,
    lambda c: _use_encoding(
        c,
        "posenc.sinusoidal.sinusoidal_encoding(positions"
        + {"0": "", "1": " + 1", "-1": " - 1"}[c["start"]]
        + ", d_model",
    ),
    scalable=True,
    extend=_extend,
)

TABLE = Kind(
    "sinusoidal_table(seq_len, d_model)",
    _SINUSOIDAL,
    lambda rng: (
        [(n, d_model) for d_model in (4, 8, 16) for n in (1, 2, 5, 30)]
        + [(_FAR_AWAY[-1] + 1, 8)]
    ),
    lambda choice, n, d_model: _encoding(choice, np.arange(n), d_model),
    lambda c: _use_encoding(
        c,
        "posenc.sinusoidal.sinusoidal_table(seq_len, d_model"
        + {"0": "", "1": ", offset=1", "-1": ", offset=-1"}[c["start"]],
    ),
    scalable=True,
    extend=_extend,
)
