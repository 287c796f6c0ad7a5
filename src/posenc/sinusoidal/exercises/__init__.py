"""Exercises of the chapter on sinusoids. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import by_hand, encoding, waves, repairs, explore  # noqa: I001

__all__ = ["by_hand", "encoding", "explore", "repairs", "waves"]
