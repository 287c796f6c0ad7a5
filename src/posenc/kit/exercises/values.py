"""Arguments in the answer's style, and results as plain data that can be compared.

An answer may be written for NumPy arrays, for torch tensors, or for one number at a
time. The checkers speak NumPy; the *style* of an answer says how it is called.
"""

import sys
from typing import Any

import numpy as np

#: Entries of a result that are looked at; larger ones are described only.
MAX_ENTRIES = 1_000_000
_MAX_BITS = 10_000  # of a whole number
_MAX_TEXT = 10_000  # characters of a string
_MAX_DEPTH = 4  # of lists in lists


class Unusable:
    """A result that no check can use, in words."""

    def __init__(self, description: str) -> None:
        self.description = description


class CountedTable(np.ndarray[Any, Any]):
    """An array that counts the entries read from it by index or by ``take``.

    Slices and transposes are views and cost nothing; they count on the same counter.
    """

    reads: list[int]

    def __array_finalize__(self, source: Any) -> None:
        self.reads = getattr(source, "reads", [0])

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        if all(part is None or isinstance(part, slice | type(...)) for part in parts):
            return super().__getitem__(index)
        return self._count(np.asarray(self)[index])

    def take(self, *args: Any, **kwargs: Any) -> Any:
        """Take entries, and count them."""
        return self._count(np.asarray(self).take(*args, **kwargs))

    def _count(self, entries: Any) -> Any:
        self.reads[0] += np.size(entries)
        return entries


def to_style(value: Any, style: str) -> Any:
    """Convert one argument to the answer's style: torch tensors from NumPy arrays."""
    if style == "torch" and isinstance(value, np.ndarray):
        return sys.modules["torch"].from_numpy(value)
    return value


def array_digest(value: Any) -> Any:
    """Return shape, dtype and bytes, which a call should leave unchanged."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    return repr(value)


def describe(value: Any) -> str:
    """Return a value's kind in words: ``a NumPy array of int64, shape (3,)``."""
    if isinstance(value, np.ndarray):
        return f"a NumPy array of {value.dtype}, shape {value.shape}"
    if type(value).__module__ == "torch" and hasattr(value, "detach"):
        dtype = str(value.dtype).removeprefix("torch.")
        return f"a torch tensor of {dtype}, shape {tuple(value.shape)}"
    if isinstance(value, list | tuple | dict | set | frozenset):
        return f"a {type(value).__name__} of {len(value)}"
    return "None" if value is None else with_article(type(value).__name__)


def with_article(noun: str) -> str:
    """Return a noun with its article: ``an int``."""
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"


#: Spacing of numbers at 1.
_HALF_PRECISION = {"float16": 2.0**-10, "bfloat16": 2.0**-7}


def half_precision(kind: str) -> tuple[str, float]:
    """Return `describe`'s word for a half-precision dtype, and its spacing at 1.

    Nothing and 0 for any other kind.
    """
    for name, spacing in _HALF_PRECISION.items():
        if f" of {name}," in kind:
            return name, spacing
    return "", 0.0


def snap(received: Any, right: Any, spacing: float) -> Any:
    """Replace entries that agree within half precision's rounding by the right ones.

    A result is a sum of a few rounded terms, which may be larger than the sum: so the
    size of the whole result counts, beside that of the entry.

    Parameters
    ----------
    received, right : array
        Real or complex numbers.
    spacing : float
        That of the dtype at 1; 0 leaves all entries as they are.
    """
    if not spacing or np.shape(received) != np.shape(right) or not np.size(received):
        return received
    finite = np.abs(right)[np.isfinite(right)]
    typical = np.sqrt(np.mean(finite**2)) if finite.size else 0.0
    with np.errstate(invalid="ignore"):
        error = np.abs(np.subtract(received, right))
        near = np.isfinite(right) & (error <= 3 * spacing * (np.abs(right) + typical))
    return np.where(near, right, received)


def serialize(value: Any, depth: int = 0) -> Any:
    """Turn a result into plain data: arrays, numbers, text, lists and dicts."""
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        value = _from_torch(value)
    if isinstance(value, Unusable):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return _pack_array(value)
    if value is None or value is Ellipsis or type(value) in (bool, float, complex):
        return value
    if isinstance(value, int):
        small = value.bit_length() <= _MAX_BITS
        return int(value) if small else Unusable("a number with thousands of digits")
    if isinstance(value, str):
        return str(value) if len(value) <= _MAX_TEXT else Unusable("a very long text")
    if isinstance(value, list | tuple | range | dict | set | frozenset):
        return _pack_container(value, depth)
    return Unusable(describe(value))


def _pack_container(value: Any, depth: int) -> Any:
    if len(value) > MAX_ENTRIES or depth == _MAX_DEPTH:
        return Unusable(f"{describe(value)}, far too large")
    if isinstance(value, dict):
        return {str(k)[:100]: serialize(v, depth + 1) for k, v in value.items()}
    if isinstance(value, set | frozenset):  # a set has no order; numbers have one
        value = sorted(value, key=lambda entry: (str(type(entry)), entry))
    return [serialize(entry, depth + 1) for entry in value]


def _pack_array(value: Any) -> Any:
    if value.size > MAX_ENTRIES:
        return Unusable(f"{describe(np.asarray(value))}, far too large")
    if value.dtype.kind not in "biufc":
        return Unusable(f"an array of dtype {value.dtype}")
    return np.array(value)  # a plain copy: no subclass, no view of something large


def _from_torch(value: Any) -> Any:
    if value.numel() > MAX_ENTRIES:
        return Unusable(f"{describe(value)}, far too large")
    value = value.detach().cpu()
    try:
        return value.numpy()
    except TypeError:  # bfloat16 has no NumPy counterpart
        return value.float().numpy()
