r"""Absolute positions as numbers, binary digits and sinusoids.

Companion of ``book/sinusoidal.md``, which walks from the position itself to the
encoding of the Transformer, each step mending what the one before it lacks: fractions,
binary digits, digits made smooth, slower frequencies, sine and cosine in pairs.

Axis names: ``positions`` may have any shape ``...``; ``d_model`` = D is appended.

References
----------
Vaswani et al. (2017), Attention Is All You Need, https://arxiv.org/abs/1706.03762,
sec. 3.5.
"""

from .binary import binary_encoding, continuous_binary_encoding
from .encoding import (
    Frequencies,
    Layout,
    geometric_sine_encoding,
    normalized_position,
    sinusoidal_encoding,
    sinusoidal_table,
)

__all__ = [  # noqa: RUF022  in the order of the reference
    "Layout",
    "Frequencies",
    "normalized_position",
    "binary_encoding",
    "continuous_binary_encoding",
    "geometric_sine_encoding",
    "sinusoidal_encoding",
    "sinusoidal_table",
]
