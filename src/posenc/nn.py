"""Torch modules: each holds parameters and calls the array function of its chapter.

All go through ``torch.export`` and ``torch.onnx.export(dynamo=True)``, with a sequence
length that is given or open from 2 on.
"""

from importlib import import_module
from typing import Any

from .core.chapters import with_part

__path__: list[str] = []  # for old names of modules, such as posenc.nn.t5
__all__: list[str] = []
for _slug in with_part("nn"):
    _module: Any = import_module(f"{__package__}.{_slug}.nn")
    __all__ += _module.__all__
    globals().update({name: getattr(_module, name) for name in _module.__all__})


def __getattr__(name: str) -> Any:  # for type checkers, which do not run the loop
    msg = f"module {__name__!r} has no attribute {name!r}: it has {sorted(__all__)}"
    raise AttributeError(msg)
