"""Exercises of the chapter on ALiBi. `oracle` is the judge: plain loops and sums."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import slopes, bias, reach, repairs, explore  # noqa: I001

__all__ = ["bias", "explore", "reach", "repairs", "slopes"]
