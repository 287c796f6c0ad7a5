"""Exercises 6 and 7: how many states a bias needs, and a Toeplitz matrix applied."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function, ask_for_value

from .oracle import close

_ASKED = (
    "0.9^τ",
    "0.9^τ + 0.5^τ",
    "(1 + τ) 0.9^τ",
    "0.9^τ cos τ",
    "1 up to τ = 3, then 0",
)
_ONE = (
    "Each power of its own is one product, something of i times something of j. How "
    "many are there?"
)
_OWN = (
    "That counts the query's own key, at τ = 0. It lies on the diagonal, in none of "
    "the blocks."
)


@ask_for_value(
    "Write τ = i - j into the formula and multiply out. How many products of something "
    "of i and something of j do you need?",
    "(1 + i - j) 0.9^i 0.9^(-j) is (1 + i) times one thing minus another. And "
    "cos(i - j) = cos i cos j + sin i sin j.",
    "For the window write a block down: queries after a cut, keys before it. Which of "
    "its entries are 1?",
    what="The list of numbers",
    entry="a whole number",
    line=lambda i, number: f"question {i + 1}: not {number} ({_ASKED[i]})",
    slips=[
        (1, 1, _ONE),
        (2, 1, "1 + i - j is no product of something of i and something of j."),
        (3, 1, "cos(i - j) is no product of something of i and something of j."),
        (4, 4, _OWN),
        (4, 1, "The corner of ones and zeros is a triangle, not a rectangle."),
        (4, 2, "The triangle has more rows than that. Count them."),
        *((i, 24, "That is the rank of the whole matrix.") for i in range(5)),
        *((i, 12, "No block has that rank: there are fewer products.") for i in (0, 1)),
    ],
    held=["powers, a product with τ, a wave", "a window"],
)
def block_ranks() -> list[int]:
    """Rows of state that five biases need for each feature."""
    return [1, 2, 2, 2, 3]


def _product(factors: Any, u: Any, *, wrong: str = "") -> Any:
    """Sum over j of the factor of offset j - i times u[j], row by row.

    The mistakes: `mirrored` offsets, a list that `starts` at offset 0 though it does
    not, and one that `wraps` around after L entries.
    """
    length, size = len(u), len(factors)
    j = np.arange(length)
    out = np.zeros(length)
    for i in range(length):
        index = j - i + length - 1
        if wrong == "mirrored":
            index = i - j + length - 1
        elif wrong == "starts":
            index = (j - i) % size
        elif wrong == "wraps":
            index = (j - i) % length + length - 1
        out[i] = np.sum(np.asarray(factors)[index] * np.asarray(u))
    return out


_MISTAKES: Mistakes = [
    (
        "The offsets are mirrored: that is the sum of the factors of i - j. Which of "
        "the two transforms has to be conjugated?",
        lambda factors, u: _product(factors, u, wrong="mirrored"),
    ),
    (
        "The list begins with offset -(L - 1), but a list that goes around begins with "
        "offset 0: its last L - 1 entries are the negative offsets.",
        lambda factors, u: _product(factors, u, wrong="starts"),
    ),
    (
        "It wraps around: negative offsets get the factors of positive ones. There "
        "must be room for all 2L - 1 offsets.",
        lambda factors, u: _product(factors, u, wrong="wraps"),
    ),
]


@ask_for_function(
    "A list that goes around: offset 0 first, then 1, …, L - 1, and then the negative "
    "ones, -(L - 1), …, -1. How many entries is that?",
    "Fill u with zeros up to the same length. Transform both with np.fft.fft.",
    "np.fft.ifft(np.conj(transform of the factors) * transform of u), and of that the "
    "real part of the first L entries.",
    right=_product,
    what="The column",
    problem=lambda failure: (
        f"Entry {failure.entry[0]} of {len(failure.args[1])} is wrong."
    ),
    mistakes=_MISTAKES,
    held=["one token", "offsets of both signs"],
    close=close,
)
def toeplitz_product(rng: Any) -> Any:
    """Apply a matrix of factors of the offset by Fourier transforms."""
    cases = []
    for length in (2, 1, 3, 4, 7, 600):
        factors = rng.integers(-3, 4, size=2 * length - 1)
        factors[-1] += 5  # no mistake is right by chance
        cases.append((factors.astype(float), rng.normal(size=length).round(1)))
    return cases
