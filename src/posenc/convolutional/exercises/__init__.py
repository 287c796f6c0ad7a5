"""Exercises of the chapter on convolution. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import windows, repairs  # noqa: I001

__all__ = ["repairs", "windows"]
