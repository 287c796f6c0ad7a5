"""Exercises of the chapter on T5. `oracle` is the judge: plain loops, whole numbers."""

# In the order of the page, which is the order of `posenc.exercises.names`.
from . import buckets, edges, bias  # noqa: I001

__all__ = ["bias", "buckets", "edges"]
