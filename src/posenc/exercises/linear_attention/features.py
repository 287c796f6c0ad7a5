"""Exercise 2: a lift whose dot product is the beginning of the exponential."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Shown, name_mistake
from .._registry import exercise
from .oracle import close, worst


def _products(x: Any, y: Any) -> Any:
    return np.asarray(
        [[sum(a * b for a, b in zip(r, s, strict=True)) for s in y] for r in x]
    )


_MISTAKES = [
    (
        "The constant feature 1 is missing: the kernel is s + s²/2.",
        lambda s, x, y: s + s**2 / 2,
    ),
    (
        "The features x themselves are missing: the kernel is 1 + s²/2.",
        lambda s, x, y: 1 + s**2 / 2,
    ),
    ("The products x_i x_j are missing: the kernel is 1 + s.", lambda s, x, y: 1 + s),
    (
        "The kernel is 1 + s + s²: a kernel is halved by dividing its features by the "
        "square root of 2.",
        lambda s, x, y: 1 + s + s**2,
    ),
    (
        "The kernel is 1 + s + s²/4: dividing the features by 2 divides their products "
        "by 4. Divide by the square root of 2.",
        lambda s, x, y: 1 + s + s**2 / 4,
    ),
    (
        "Only the squares x_i x_i are there. The square of a sum has mixed terms, too.",
        lambda s, x, y: 1 + s + (x**2) @ (y**2).T / 2,
    ),
    (
        "Each mixed product x_i x_j, i < j, stands for two terms of the square, "
        "x_i x_j and x_j x_i: it needs the factor √2.",
        lambda s, x, y: 1 + s + (s**2 + (x**2) @ (y**2).T) / 4,
    ),
    (
        "These are the entries of the square with weights 2 on the mixed products; as "
        "features they need √2, since two features are multiplied.",
        lambda s, x, y: 1 + s + (2 * s**2 - (x**2) @ (y**2).T) / 2,
    ),
]


@exercise(
    "A sum of kernels is a kernel: put the features of all of them side by side. Which "
    "features have the product 1? Which have the product x · y?",
    "The lift of the chapter has the product (x · y)². Which factor on the features "
    "halves it?",
    "[1, x_1, …, x_d, lift(x) / √2]. Without the lift you may take all d² products "
    "x_i x_j, divided by √2.",
)
def taylor_features(attempt: Attempt, rng: Any) -> None:
    """Features whose dot product is 1 + s + s²/2, with s = x · y."""
    received: list[tuple[tuple[Any, ...], Any]] = []
    for number, (rows, d) in enumerate([(1, 1), (2, 2), (3, 3), (4, 6), (5, 10)]):
        x, y = np.round(rng.normal(size=(2, rows, d)), 1)
        if number:
            first = attempt.ask(x.copy())
        else:
            first = attempt.choose_style(("numpy", "torch"), x.copy())
        features = []
        for tokens, answer in ((x, first), (y, attempt.ask(y.copy()))):
            width = np.shape(answer)[-1] if np.ndim(answer) == 2 else 0
            features.append(
                attempt.real_numbers(answer, (len(tokens), width), "The features")
            )
        if features[0].shape != features[1].shape:
            attempt.reject("It gives another number of features for other tokens.")
        got = _products(*features)
        received.append(((_products(x, y), x, y), got))
    for (s, x, y), got in received:
        right = 1 + s + s**2 / 2
        if not close(got, right):
            i, j = worst(got, right)
            attempt.reject(
                f"The products of the features are not the kernel, for {x.shape[1]} "
                f"{'entry' if x.shape[1] == 1 else 'entries'}.",
                f"{attempt.call_text(Shown('x'))}[{i}] · "
                f"{attempt.call_text(Shown('y'))}[{j}]\nwith x = {x[i]}\nand y = {y[j]}"
                f"\ngives {got[i, j]:.4g}, should be {right[i, j]:.4g}",
                name_mistake(received, _MISTAKES, close),
            )
    attempt.held += ["the same features for queries and keys", "the kernel, exactly"]
