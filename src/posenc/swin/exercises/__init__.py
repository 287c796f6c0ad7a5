"""Exercises of the chapter on Swin. `oracle` is the judge: plain loops over cells."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import index, table

__all__ = ["index", "table"]
