"""Positional encodings for Transformers, one module per chapter of the book.

Use as ``posenc.t5.relative_position_bucket``. Importing this package loads neither
torch nor matplotlib: functions take NumPy arrays or torch tensors and answer in kind.
"""

from . import attention, linear_attention, running_example, t5

__all__ = ["attention", "linear_attention", "running_example", "t5"]
__version__ = "0.1.0"
