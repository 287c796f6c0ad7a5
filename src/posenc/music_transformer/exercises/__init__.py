"""Exercises of the chapter on the skew. `oracle` is the judge: plain loops alone."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import skewing, garbage, repairs, window, amounts  # noqa: I001

__all__ = ["amounts", "garbage", "repairs", "skewing", "window"]
