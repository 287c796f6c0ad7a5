"""Stands in for jaxtyping: in a page nobody reads annotations such as `Float[...]`."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Anything


class _Anything:
    def __class_getitem__(cls, _: Any) -> Any:
        return Any
