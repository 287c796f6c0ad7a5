"""Exercises of the chapter on rotary embedding. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import turns, scores, repairs, decoding, explore  # noqa: I001

__all__ = ["decoding", "explore", "repairs", "scores", "turns"]
