"""The widget of the chapter on ALiBi: slopes, bias, weights, and T5 beside them."""

from .linear_bias import LinearBias

__all__ = ["LinearBias"]
