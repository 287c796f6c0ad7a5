"""Exercises of the chapter on ALiBi. `oracle` is the judge: plain loops and sums."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import slopes, reach  # noqa: I001

__all__ = ["reach", "slopes"]
