"""Exercises of the chapter TITLE. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import scale

__all__ = ["scale"]
