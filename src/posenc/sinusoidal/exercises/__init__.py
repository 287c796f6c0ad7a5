"""Exercises of the chapter on sinusoids. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import encoding, waves

__all__ = ["encoding", "waves"]
