"""Exercises 4 to 7: decay in chunks, a decoder that drifts, and biases as states."""

from functools import partial
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import attend, close

#: Mistakes with and without chunks.
_SHARED: Mistakes = [
    (
        "The denominator does not fade, so that the weights no longer sum to 1.",
        lambda q, k, v, decay, **chunk: attend(q, k, v, decay=decay, bottom_decay=1.0),
    ),
    (
        "Nothing fades: decay is ignored.",
        lambda q, k, v, decay, **chunk: attend(q, k, v),
    ),
    (
        "Each row is not divided by the sum of its weights.",
        lambda q, k, v, decay, **chunk: attend(q, k, v, decay=decay, bottom=False),
    ),
    (
        "Every query sees all keys: it may see those at or before its own position.",
        lambda q, k, v, decay, **chunk: attend(q, k, v, decay=decay, causal=False),
    ),
    (
        "A query does not see its own key: it comes into the state too late.",
        lambda q, k, v, decay, **chunk: attend(q, k, v, decay=decay, extra=-1),
    ),
]

_STEPWISE: Mistakes = [
    (
        "The newest token fades in the numerator alone: its key must come into S after "
        "the old state has faded.",
        lambda q, k, v, decay: decay * attend(q, k, v, decay=decay),
    ),
    (
        "The newest token fades in the denominator alone.",
        lambda q, k, v, decay: attend(q, k, v, decay=decay) / decay,
    ),
    *_SHARED,
]

#: Steps by which key j fades for query i, if it is before the chunk that begins at c.
#: The chunk of key j ends with e.
_ACROSS: dict[str, tuple[str, Any]] = {
    "query": (
        "The way from the state to the query is missing: for the first query of a "
        "chunk the state must fade once, for the next one twice.",
        lambda i, j, c, e, chunk: c - 1 - j,
    ),
    "late": (
        "The first query of a chunk reads the state as it was after the token before: "
        "it must fade once for it.",
        lambda i, j, c, e, chunk: i - 1 - j,
    ),
    "key": (
        "The way from the key to the end of its chunk is missing: an early key of a "
        "chunk must fade more than a late one before it goes into the state.",
        lambda i, j, c, e, chunk: i - e,
    ),
    "once": (
        "From chunk to chunk the state fades by the decay once. A chunk is many steps.",
        lambda i, j, c, e, chunk: i - c + 1 + e - j + (c - e - 1) // chunk,
    ),
    "never": (
        "From chunk to chunk the state does not fade at all.",
        lambda i, j, c, e, chunk: i - c + 1 + e - j,
    ),
}


def _in_chunks(q: Any, k: Any, v: Any, *, decay: float, chunk: int, wrong: str) -> Any:
    """Attend with one power of the decay wrong.

    The mistakes are those of `_ACROSS`; ``"within"``, no decay within a chunk; and
    ``"cut"``, nothing is remembered from chunk to chunk.
    """
    out = np.zeros((len(q), np.shape(v)[1]))
    for i in range(len(q)):
        c, total = i - i % chunk, 0.0
        for j in range(i + 1):
            e = j - j % chunk + chunk - 1
            if j >= c:
                steps = 0 if wrong == "within" else i - j
            elif wrong in _ACROSS:
                steps = _ACROSS[wrong][1](i, j, c, e, chunk)
            else:
                steps = i - j
            weight = decay**steps * float(np.dot(q[i], k[j]))
            if wrong != "cut" or j >= c:
                out[i] += weight * np.asarray(v[j])
                total += weight
        out[i] /= total
    return out


_CHUNKED: Mistakes = [
    *_SHARED,
    *((text, partial(_in_chunks, wrong=name)) for name, (text, _) in _ACROSS.items()),
    (
        "Within a chunk nothing fades.",
        partial(_in_chunks, wrong="within"),
    ),
    (
        "A query sees its own chunk alone: what came before is in the state.",
        partial(_in_chunks, wrong="cut"),
    ),
]


#: Few tokens, and what decides: some features, some entries, some decays, some chunks.
_SIZES = [(1, 1, 1), (2, 2, 2), (3, 2, 1), (6, 4, 3), (9, 3, 5)]
_DECAYS = [0.5, 1.0, 0.5, 0.9, 0.7]
_CHUNKS = [2, 1, 2, 2, 4]


def _cases(rng: Any) -> list[Case]:
    cases = []
    for (length, r, d), decay in zip(_SIZES, _DECAYS, strict=True):
        q, k = np.round(np.abs(rng.normal(size=(2, length, r))) + 0.1, 1)
        v = np.round(rng.normal(size=(length, d)), 1)
        cases.append(case(q, k, v, decay=decay))
    return cases


def _example(failure: Failure) -> str:
    i, j = failure.entry
    lines = [f"with {len(failure.args[0])} tokens, {failure.call}[{i}, {j}]"]
    if len(failure.args[0]) < 4:
        named = zip("qkv", failure.args, strict=True)
        lines += [f"{name} = {x.tolist()}" for name, x in named]
    got, right = failure.received[i, j], failure.right[i, j]
    return "\n".join([*lines, f"gives {got:.4g}, should be {right:.4g}"])


_TASK: dict[str, Any] = {
    "what": "The output",
    "problem": lambda f: f"The output of token {f.entry[0]} is wrong.",
    "held": ["the first token gets its own value", "all decays, decay 1 too"],
    "example": _example,
    "shown": ["q", "k", "v"],
    "close": close,
}


def _long(attempt: Attempt, rng: Any) -> None:
    """Judge 3,000 tokens by their last row."""
    length, decay = 3000, 0.4
    q, k, v = np.abs(rng.normal(size=(3, length, 2))) + 0.1
    answer = attempt.ask(q, k, v, decay=decay, chunk=1000)
    got = attempt.real_numbers(answer, (length, 2), "The output")
    start = length - 40  # older keys have a weight below 1e-15
    right = attend(q[start:], k[start:], v[start:], decay=decay)[-1]
    if not close(got[-1], right).all():
        finite = np.isfinite(got).all(axis=1)
        named: tuple[str, ...] = ()
        if not finite.all():
            first = int(np.argmin(finite))
            named = (
                f"From token {first} on the output is not a number: some power of "
                "1 / decay has left the range of float64. Let the state fade from "
                "chunk to chunk; all factors are then at most 1.",
            )
        attempt.reject(
            f"It fails for {length:,} tokens.",
            f"decay = {decay}; last row: got {got[-1]}, should be {right}",
            named,
        )
    attempt.held.append("3,000 tokens without an overflow")


@ask_for_function(
    "Begin with the cell of the section on chunks. Which powers of the decay are "
    "missing in it? There are three ways: from key to query within a chunk, from the "
    "state to a query, from a key to the end of its chunk.",
    "Within the chunk the power is i - j. Query 0 of a chunk is one step behind the "
    "state, query 1 two steps. And S itself fades by decay ** (length of the chunk).",
    "The key at place i of a chunk of n tokens fades by decay ** (n - 1 - i) before it "
    "goes into S, and into z, too.",
    right=lambda q, k, v, decay, chunk: attend(q, k, v, decay=decay),
    mistakes=_CHUNKED,
    then=_long,
    **_TASK,
)
def causal_attention(rng: Any) -> Any:
    """Causal linear attention with a decay, chunk by chunk, for any length."""
    return [
        case(*plain.args, **plain.kwargs, chunk=chunk)
        for plain, chunk in zip(_cases(rng), _CHUNKS, strict=True)
    ]


@ask_for_function(
    "Print the sum of the weights that each step gives. It should be 1.",
    "Two things are remembered. A fraction is right only if both are treated alike.",
    "z must fade as S does. And in which order do fading and adding come?",
    right=attend,
    mistakes=_STEPWISE,
    **_TASK,
)
def repair_decoder(rng: Any) -> Any:
    """Repair a decoder whose outputs shrink as the text grows."""
    return _cases(rng)


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
    """Sum the factor of offset j - i times u[j] over j, row by row.

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
