"""Exercises of the chapter on rotation. `oracle`, the judge, computes in loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import matrices, offsets, repairs, distances, commuting  # noqa: I001

__all__ = ["commuting", "distances", "matrices", "offsets", "repairs"]
