"""Exercises of the chapter on attention. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import (  # noqa: I001
    by_hand,
    functions,
    catching,
    symmetry,
    repairs,
    cross_attention,
    counting,
    explore,
    masks,
)

__all__ = [
    "by_hand",
    "catching",
    "counting",
    "cross_attention",
    "explore",
    "functions",
    "masks",
    "repairs",
    "symmetry",
]
