"""Exercises of the chapter on linear attention. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import hand, features, order, causal, rotation, explore  # noqa: I001

__all__ = ["causal", "explore", "features", "hand", "order", "rotation"]
