"""Exercises of the chapter on today's models. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import by_hand, turns, repairs, picture_places, explore  # noqa: I001

__all__ = ["by_hand", "explore", "picture_places", "repairs", "turns"]
