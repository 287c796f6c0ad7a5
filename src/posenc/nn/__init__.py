"""Torch modules: each holds parameters and calls the array function of its chapter."""

from .alibi import AlibiAttention
from .attention import MultiHeadAttention
from .cape import CapeEncoding
from .convolutional import ConvolutionalEncoding
from .linear_attention import LinearAttention
from .music_transformer import MusicGlobalAttention, MusicLocalAttention
from .rope import RotaryAttention, RotaryEmbedding
from .shaw import ShawAttention
from .sinusoidal import LearnedEncoding, SinusoidalEncoding
from .swin import WindowAttention
from .t5 import RelativePositionBias
from .transformer_xl import (
    TransformerXL,
    TransformerXLAttention,
    TransformerXLLayer,
    extend_memory,
)

__all__ = [
    "AlibiAttention",
    "CapeEncoding",
    "ConvolutionalEncoding",
    "LearnedEncoding",
    "LinearAttention",
    "MultiHeadAttention",
    "MusicGlobalAttention",
    "MusicLocalAttention",
    "RelativePositionBias",
    "RotaryAttention",
    "RotaryEmbedding",
    "ShawAttention",
    "SinusoidalEncoding",
    "TransformerXL",
    "TransformerXLAttention",
    "TransformerXLLayer",
    "WindowAttention",
    "extend_memory",
]
