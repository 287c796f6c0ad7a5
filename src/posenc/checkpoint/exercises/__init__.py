"""Exercises of the chapter on today's models. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import turns, repairs, picture_places  # noqa: I001

__all__ = ["picture_places", "repairs", "turns"]
