"""Exercises of the chapter on CAPE. `oracle` is the judge: loops and enumeration."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import paths, moving, chances, counting, repairs, explore  # noqa: I001

__all__ = ["chances", "counting", "explore", "moving", "paths", "repairs"]
