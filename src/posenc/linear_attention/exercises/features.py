"""Exercise 2: a lift whose dot product is the beginning of the exponential."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown
from posenc.kit.exercises.mistakes import Mistakes, name_mistake
from posenc.kit.exercises.registry import exercise

from .oracle import close

_HALF = math.sqrt(0.5)


def _features(
    x: Any,
    *,
    constant: float = 1,
    linear: float = 1,
    square: float = _HALF,
    mixed: float = 1,
) -> Any:
    """1, the x_i, their squares, and their products x_i x_j with i < j, with factors.

    The products of the features are ``1 + s + s²/2`` if the factors are those given.
    """
    d = np.shape(x)[1]
    pairs = [(i, j) for i in range(d) for j in range(i, d)]
    columns = [constant * np.ones(len(x)), *(linear * x.T)]
    columns += [(square if i == j else mixed) * x[:, i] * x[:, j] for i, j in pairs]
    return np.stack(columns, axis=1)


#: Features with one mistake: right ones may stand in any order, so products are judged.
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
    """Whether products are those of two tables of features."""
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
                (told, lambda x, y, f=made: (f(x), f(y))) for told, made in _MISTAKES
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
