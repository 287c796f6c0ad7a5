"""Exercises of the chapter on attention. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import by_hand, functions, symmetry, tests, counting, shuffles  # noqa: I001

__all__ = ["by_hand", "counting", "functions", "shuffles", "symmetry", "tests"]
