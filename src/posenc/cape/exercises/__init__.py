"""Exercises of the chapter on CAPE. `oracle` is the judge: loops and enumeration."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import paths, counting  # noqa: I001

__all__ = ["counting", "paths"]
