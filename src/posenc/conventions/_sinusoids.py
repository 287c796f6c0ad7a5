"""Conventions of sinusoidal encodings: layout, frequencies, first position."""

from typing import Any

import numpy as np

from posenc import sinusoidal

from ._search import Choice, Kind, Trait

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
    encoding = sinusoidal.sinusoidal_encoding(
        np.asarray(positions, np.float64) + int(choice["start"]),
        d_model,
        base=float(choice["base"]),
        layout="half" if layout == "half" else "interleaved",
        frequencies="paper" if choice["frequencies"] == "paper" else "tensor2tensor",
    )
    if swapped:
        pairs = (2, d_model // 2) if layout == "half" else (d_model // 2, 2)
        axis = -2 if layout == "half" else -1
        grouped = encoding.reshape(*encoding.shape[:-1], *pairs)
        encoding = np.flip(grouped, axis).reshape(encoding.shape)
    return encoding * (d_model**0.5 if choice["size"] == "root" else 1.0)


def _use_encoding(choice: Choice, call: str) -> str:
    if "first" in choice["layout"]:
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
)
