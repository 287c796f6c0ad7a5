"""Positional encodings for Transformers, one module per chapter of the book.

Use as ``posenc.t5.relative_position_bucket``. Importing this package loads neither
torch nor matplotlib: functions take NumPy arrays or torch tensors and answer in kind.
"""

from . import (
    alibi,
    attention,
    cape,
    convolutional,
    linear_attention,
    music_transformer,
    rope,
    rotation,
    running_example,
    shaw,
    sinusoidal,
    swin,
    t5,
    transformer_xl,
)

__all__ = [
    "alibi",
    "attention",
    "cape",
    "convolutional",
    "linear_attention",
    "music_transformer",
    "rope",
    "rotation",
    "running_example",
    "shaw",
    "sinusoidal",
    "swin",
    "t5",
    "transformer_xl",
]
__version__ = "0.1.0"
