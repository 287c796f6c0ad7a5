"""Stand-in for jaxtyping: annotations such as `Float[...]` have no use in a page."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Anything


class _Anything:
    def __class_getitem__(cls, _: Any) -> Any:
        return Any
