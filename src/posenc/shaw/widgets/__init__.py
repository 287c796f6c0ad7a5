"""The widget of the chapter on Shaw: index table, vectors of a query, graphs."""

from .relative_vectors import RelativeVectors

__all__ = ["RelativeVectors"]
