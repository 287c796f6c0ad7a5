"""Exercises of the chapter on attention. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import functions, symmetry, orders  # noqa: I001

__all__ = ["functions", "orders", "symmetry"]
