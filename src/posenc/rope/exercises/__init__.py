"""Exercises of the chapter on rotary embedding. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import turns, repairs  # noqa: I001

__all__ = ["repairs", "turns"]
