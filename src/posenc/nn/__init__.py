"""Torch modules: each holds parameters and calls the array function of its chapter."""

from .rope import RotaryAttention, RotaryEmbedding
from .swin import WindowAttention
from .t5 import RelativePositionBias

__all__ = [
    "RelativePositionBias",
    "RotaryAttention",
    "RotaryEmbedding",
    "WindowAttention",
]
