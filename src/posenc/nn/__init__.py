"""Torch modules: each holds parameters and calls the array function of its chapter."""

from .attention import MultiHeadAttention
from .linear_attention import LinearAttention
from .t5 import RelativePositionBias

__all__ = ["LinearAttention", "MultiHeadAttention", "RelativePositionBias"]
