"""Exercises of the chapter on Shaw's vectors. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import index, attention  # noqa: I001

__all__ = ["attention", "index"]
