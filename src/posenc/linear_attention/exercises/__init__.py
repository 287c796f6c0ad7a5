"""Exercises of the chapter on linear attention. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import features, causal, rotation  # noqa: I001

__all__ = ["causal", "features", "rotation"]
