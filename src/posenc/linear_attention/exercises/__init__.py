"""Exercises of the chapter on linear attention. `oracle` is the judge: plain loops."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import by_hand, features, order, causal, bias, rotation, explore  # noqa: I001

__all__ = ["bias", "by_hand", "causal", "explore", "features", "order", "rotation"]
