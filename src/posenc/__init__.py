"""Positional encodings for Transformers, one folder per chapter of the book.

Use as ``posenc.t5.relative_position_bucket``. Importing this package loads neither
torch nor matplotlib: functions take NumPy arrays or torch tensors and answer in kind.
A chapter is loaded when it is first named; so is ``posenc.nn``, which needs torch.
"""

from importlib import import_module
from typing import Any

from .core import old_names, running_example
from .core.chapters import chapters

__all__ = ["running_example", *chapters()]
__version__ = "0.1.0"

old_names.install()


def __getattr__(name: str) -> Any:
    if name in chapters() or name in ("nn", "exercises", "conventions"):
        return import_module(f"{__name__}.{name}")
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*globals(), *chapters()])
