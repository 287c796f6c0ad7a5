"""Torch modules: each holds parameters and calls the array function of its chapter."""

from .alibi import AlibiAttention
from .cape import CapeEncoding
from .convolutional import ConvolutionalEncoding
from .rope import RotaryAttention, RotaryEmbedding
from .sinusoidal import LearnedEncoding, SinusoidalEncoding
from .swin import WindowAttention
from .t5 import RelativePositionBias

__all__ = [
    "AlibiAttention",
    "CapeEncoding",
    "ConvolutionalEncoding",
    "LearnedEncoding",
    "RelativePositionBias",
    "RotaryAttention",
    "RotaryEmbedding",
    "SinusoidalEncoding",
    "WindowAttention",
]
