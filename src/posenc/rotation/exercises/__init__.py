"""Exercises of the chapter on rotation. `oracle`, the judge, computes in loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import shifts, distances  # noqa: I001

__all__ = ["distances", "shifts"]
