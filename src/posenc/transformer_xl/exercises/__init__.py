"""Exercises of the chapter on Transformer-XL. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import shift, memory  # noqa: I001

__all__ = ["memory", "shift"]
