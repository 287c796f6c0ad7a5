"""Exercises of the chapter on the skew. `oracle` is the judge: plain loops alone."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import skewing, repairs  # noqa: I001

__all__ = ["repairs", "skewing"]
