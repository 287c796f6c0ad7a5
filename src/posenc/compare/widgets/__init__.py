"""The widget of the comparison: matrices of all methods side by side."""

from .method_matrices import MethodMatrices

__all__ = ["MethodMatrices"]
