"""Exercises 1 to 3: a state by hand, a lift, and the cheaper order of products."""

import math
from functools import partial
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown
from posenc.kit.exercises.mistakes import Mistakes, name_mistake
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_function, ask_for_value

from .oracle import close

_KEYS = ((1, 0), (2, 1), (0, 3))
_VALUES = ((2, 0), (1, 4), (3, 1))
_QUERY = (1, 2)


def _answers(
    last: int = 3,
    *,
    first: int = 0,
    turned: bool = False,
    swapped: bool = False,
    outer: bool = True,
    summed: Any = _KEYS,
) -> list[float]:
    """Return state by rows, normalizer, denominator and output of the last query."""
    k, v = np.asarray(_KEYS[first:last]), np.asarray(_VALUES[first:last])
    S, z = k.T @ v, np.asarray(summed[first:last]).sum(0)
    S = S if outer else np.outer(k.sum(0), v.sum(0))
    total = int(np.asarray(_QUERY) @ z)
    top = np.asarray(_QUERY) @ (S.T if swapped else S)
    S = S.T if turned else S
    return [*S.ravel().tolist(), *z.tolist(), total, *(top / total).tolist()]


_TRANSPOSED = (
    "The state is transposed: features go down (rows), values across (columns)."
)
_SWAPPED = "The query runs over the features of the keys, which are the rows of S."
_STATE_MISTAKES: Mistakes = [
    (_TRANSPOSED, _answers(turned=True)),
    (_TRANSPOSED, _answers(turned=True, swapped=True)),
    ("The newest token is missing: query i sees its own key, too.", _answers(last=2)),
    ("That is the newest token alone. S and z are sums over all.", _answers(first=2)),
    (
        "The output is not divided by the denominator yet.",
        [*_answers()[:7], *(x * _answers()[6] for x in _answers()[7:])],
    ),
    (
        "The sum of the values is in the place of z. It is the keys that are summed.",
        _answers(summed=_VALUES),
    ),
    (
        "That is the outer product of the two sums. Each key is multiplied by its own "
        "value, and then the products are summed.",
        _answers(outer=False),
    ),
]


_NAMES = (
    *(f"S, row {i}, column {j}" for i in (0, 1) for j in (0, 1)),
    *(f"z, entry {i}" for i in (0, 1)),
    "the denominator",
    *(f"the output, entry {i}" for i in (0, 1)),
)


@ask_for_value(
    "The outer product of a key (a, b) and a value (c, d) is the matrix with rows "
    "a * (c, d) and b * (c, d).",
    "S is the sum of three such matrices, z the sum of the three keys.",
    "The denominator is 1 * z[0] + 2 * z[1]; the output is (1 * first row of S + 2 * "
    "second row of S), divided by it.",
    what="The list of numbers",
    entry="a number",
    line=lambda i, number: f"{_NAMES[i]}: not {number:g}",
    mistakes=_STATE_MISTAKES,
    held=["the state and the normalizer", "the output of the query"],
    close=partial(np.isclose, rtol=0.01),  # two digits are enough by hand
    slips=[
        (
            6,
            sum(_answers()[4:6]),
            "That is the sum of z. The denominator is its dot product with the query.",
        ),
        *((7 + i, _answers(swapped=True)[7 + i], _SWAPPED) for i in (0, 1)),
    ],
)
def state_by_hand() -> Any:
    """State, normalizer, denominator and output of the third query, by hand."""
    return np.asarray(_answers())


_HALF = math.sqrt(0.5)


def _features(
    x: Any,
    *,
    constant: float = 1,
    linear: float = 1,
    square: float = _HALF,
    mixed: float = 1,
) -> Any:
    """Return 1, the x_i, their squares, and x_i x_j with i < j, times factors.

    The products of the features are ``1 + s + s²/2`` if the factors are those given.
    """
    d = np.shape(x)[1]
    pairs = [(i, j) for i in range(d) for j in range(i, d)]
    columns = [constant * np.ones(len(x)), *(linear * x.T)]
    columns += [(square if i == j else mixed) * x[:, i] * x[:, j] for i, j in pairs]
    return np.stack(columns, axis=1)


#: Features with one mistake. Products are judged, since the order is free.
_MISTAKES: Mistakes = [
    (
        "The constant feature 1 is missing: the kernel is s + s²/2.",
        lambda x: _features(x, constant=0),
    ),
    (
        "The features x themselves are missing: the kernel is 1 + s²/2.",
        lambda x: _features(x, linear=0),
    ),
    (
        "The products x_i x_j are missing: the kernel is 1 + s.",
        lambda x: _features(x, square=0, mixed=0),
    ),
    (
        "The kernel is 1 + s + s²: a kernel is halved by dividing its features by the "
        "square root of 2.",
        lambda x: _features(x, square=1, mixed=2 * _HALF),
    ),
    (
        "The kernel is 1 + s + s²/4: dividing the features by 2 divides their products "
        "by 4. Divide by the square root of 2.",
        lambda x: _features(x, square=0.5, mixed=_HALF),
    ),
    (
        "No product has a factor. Divide the lift by the square root of 2: mixed "
        "products become x_i x_j, but squares become x_i x_i / √2.",
        lambda x: _features(x, square=1, mixed=1),
    ),
    (
        "Only the squares x_i x_i are there. The square of a sum has mixed terms, too.",
        lambda x: _features(x, mixed=0),
    ),
    (
        "Each mixed product x_i x_j, i < j, stands for two terms of the square, "
        "x_i x_j and x_j x_i: it needs the factor √2.",
        lambda x: _features(x, mixed=_HALF),
    ),
    (
        "These are the entries of the square with weights 2 on the mixed products; as "
        "features they need √2, since two features are multiplied.",
        lambda x: _features(x, mixed=2 * _HALF),
    ),
]


def _products(x: Any, y: Any) -> Any:
    return np.asarray(
        [[sum(a * b for a, b in zip(r, s, strict=True)) for s in y] for r in x]
    )


def _same(received: Any, features: Any) -> bool:
    """Return True if products are those of two tables of features."""
    return bool(close(received, _products(*features)).all())


@exercise(
    "A sum of kernels is a kernel: put the features of all of them side by side. Which "
    "features have the product 1? Which have the product x · y?",
    "The lift of the chapter has the product (x · y)². Which factor on the features "
    "halves it?",
    "[1, x_1, …, x_d, lift(x) / √2]. Without the lift you may take all d² products "
    "x_i x_j, divided by √2.",
    mistakes=_MISTAKES,
    uses=("linear_attention.polynomial_lift",),
)
def taylor_features(attempt: Attempt, rng: Any) -> None:
    """Features whose dot product is 1 + s + s²/2, with s = x · y."""
    received: list[tuple[tuple[Any, ...], Any]] = []
    for number, (rows, d) in enumerate([(1, 1), (2, 2), (3, 3), (4, 6), (5, 10)]):
        x, y = np.round(rng.normal(size=(2, rows, d)), 1)
        styles = ("numpy", "torch")
        first = attempt.ask(x) if number else attempt.choose_style(styles, x)
        features = []
        for tokens, answer in ((x, first), (y, attempt.ask(y))):
            width = np.shape(answer)[-1] if np.ndim(answer) == 2 else 0
            features.append(
                attempt.real_numbers(answer, (len(tokens), width), "The features")
            )
        if features[0].shape != features[1].shape:
            attempt.reject("It gives another number of features for other tokens.")
        received.append(((x, y), _products(*features)))
    for (x, y), got in received:
        s = _products(x, y)
        right = 1 + s + s**2 / 2
        wrong = np.argwhere(~close(got, right))
        if wrong.size:
            i, j = wrong[0].tolist()
            pairs = [
                (text, lambda x, y, f=made: (f(x), f(y))) for text, made in _MISTAKES
            ]
            attempt.reject(
                f"The products of the features are not the kernel, for {x.shape[1]} "
                f"{'entry' if x.shape[1] == 1 else 'entries'}.",
                f"{attempt.call_text(Shown('x'))}[{i}] · "
                f"{attempt.call_text(Shown('y'))}[{j}]\nwith x = {x[i]}\nand y = {y[j]}"
                f"\ngives {got[i, j]:.4g}, should be {right[i, j]:.4g}",
                name_mistake(received, pairs, _same),
            )
    attempt.held += ["the same features for queries and keys", "the kernel, exactly"]


def _first_cheaper(r: int, d: int) -> int:
    length = 1
    while length * r * d * 2 >= length * length * (r + d):
        length += 1
    return length


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


_LENGTH_MISTAKES: Mistakes = [
    (
        "At that length both orders cost the same or the first is cheaper still. The "
        "second one must be strictly cheaper.",
        lambda r, d: _first_cheaper(r, d) - 1,
    ),
    (
        "Where 2 r d / (r + d) is a whole number, both orders cost the same at that "
        "length; strictly fewer is one token later.",
        lambda r, d: -(-2 * r * d // (r + d)),
    ),
    (
        "That is right for r = d alone. The two orders cost L²(r + d) and 2 L r d.",
        lambda r, d: d + 1,
    ),
    (
        "That is right for r = d alone. The two orders cost L²(r + d) and 2 L r d.",
        lambda r, d: r + 1,
    ),
    (
        "That is right for r = d alone. The two orders cost L²(r + d) and 2 L r d.",
        lambda r, d: max(r, d) + 1,
    ),
    (
        "Two products are needed in the second order as well, L r d each: one makes "
        "the state, the other reads it.",
        lambda r, d: r * d // (r + d) + 1,
    ),
    (
        "In the first order the weights must be applied to the values, too: L² d more.",
        lambda r, d: 2 * d + 1,
    ),
]


@ask_for_function(
    "A product of an (a, b) and a (b, c) matrix takes a * b * c multiplications. Write "
    "down all four products.",
    "First order: L² r + L² d. Second order: L r d + L r d. When is the second sum "
    "smaller?",
    "L > 2 r d / (r + d). The smallest whole L above a fraction: divide with // and "
    "add 1.",
    right=_first_cheaper,
    what="The length",
    problem=lambda failure: (
        f"The length is wrong for {_counted(failure.args[0], 'feature')} and values of "
        f"{_counted(failure.args[1], 'number')}."
    ),
    mistakes=_LENGTH_MISTAKES,
    held=["r = d", "more features than numbers in a value, and fewer"],
)
def crossover(rng: Any) -> Any:
    """Smallest length for which keys times values first takes fewer multiplications."""
    drawn = rng.integers(1, 3000, size=(5, 2)).tolist()
    fixed = [(1, 1), (2, 2), (64, 64), (2, 6), (3, 5), (136, 16), (2145, 64)]
    return [*fixed, *map(tuple, drawn)]
