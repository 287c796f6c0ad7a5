"""The book's own functions, out of order while an answer is called.

An exercise asks for code of the reader's own. So an answer that is a function of the
book's, or that calls one, is refused with a sentence, in a notebook as in grading.
Where an exercise builds on such a function, `allowed_in` names it.
"""

import functools
import importlib
import inspect
import operator
import os
import pkgutil
import sys
import threading
import types
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import posenc
from posenc.core.chapters import chapters

from .registry import Exercise

#: What says so if the answer itself is one.
OURS = "That is our own function: now write yours."
#: The first chapter's functions, with which answers of later ones may compute.
BASICS = (
    "attention.attention_weights",
    "attention.scaled_dot_product_attention",
    "attention.causal_mask",
)
#: Packages of posenc that stay in order while an answer is called: they call it.
_IN_ORDER = ("posenc.kit", "posenc.grading", "posenc.exercises", "posenc.core.platform")


class BookFunctionError(Exception):
    """An answer called a function of the book's, where it should be one itself."""


def allowed_in(exercise: Exercise) -> tuple[str, ...]:
    """Functions that an answer may call, such as ``"t5.relative_position_bucket"``."""
    first = exercise.name.startswith("attention.")
    return (*exercise.uses, *(() if first else BASICS))


def is_ours(answer: Any) -> bool:
    """Whether the answer itself is code of the book's, rather than calls it."""
    while isinstance(answer, functools.partial):
        answer = answer.func
    if isinstance(answer, types.MethodType):
        answer = answer.__func__
    if isinstance(answer, types.FunctionType):
        module = answer.__globals__.get("__name__")
    elif isinstance(answer, type):
        module = answer.__module__
    else:
        module = type(answer).__module__
    return isinstance(module, str) and module.partition(".")[0] == "posenc"


def load_book() -> None:
    """Import all of the book's functions on arrays, so that none is left to import."""
    for slug in chapters():
        package = importlib.import_module(f"posenc.{slug}")
        for inner in pkgutil.iter_modules(package.__path__):
            if not inner.ispkg and inner.name != "nn":
                importlib.import_module(f"posenc.{slug}.{inner.name}")


class Book:
    """The functions of the book, which are shut inside this context, but for some.

    Their code is replaced, so that no reference to one is left out. They still call
    each other.

    Parameters
    ----------
    allowed : collection of str
        Functions that an answer may call: see `allowed_in`.
    """

    def __init__(self, allowed: Collection[str]) -> None:
        load_book()
        gate = _Gate(frozenset(allowed))
        self._doors = [
            (function, _parts(function), gate.before(key, function))
            for key, function in _every_function()
        ]

    def __enter__(self) -> None:
        for function, _, shut in self._doors:
            _set(function, shut)

    def __exit__(self, *_: object) -> None:
        for function, was, shut in self._doors:
            # What an answer has put there meanwhile is left for the guard to tell.
            if _all(_map(_is, _parts(function), shut)):
                _set(function, was)


# By name, since an answer may replace these.
_all, _map, _is = all, map, operator.is_
#: Code, defaults, and defaults of keywords.
_Parts = tuple[types.CodeType, Any, Any]


def _parts(function: types.FunctionType) -> _Parts:
    return function.__code__, function.__defaults__, function.__kwdefaults__


def _set(function: types.FunctionType, parts: _Parts) -> None:
    function.__code__, function.__defaults__, function.__kwdefaults__ = parts


class _Gate:
    """Stands before each function, and lets in what is allowed.

    Parameters
    ----------
    allowed : frozenset of str
        See `Book`.
    """

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed, self._inside = allowed, threading.local()
        self._own = os.path.dirname(posenc.__file__) + os.sep  # noqa: PTH120
        self._judge = os.path.dirname(__file__) + os.sep  # noqa: PTH120

    def before(self, key: str, function: types.FunctionType) -> _Parts:
        """Parts for a function that ask this gate first."""
        original = types.FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        original.__kwdefaults__ = function.__kwdefaults__
        enter = functools.partial(self._enter, key, original)
        # A function that yields gets code that yields: Python minds another kind.
        gated = _gated_steps if inspect.isgeneratorfunction(function) else _gated
        code = gated.__code__.replace(
            co_consts=tuple(
                enter if value == "enter" else value
                for value in gated.__code__.co_consts
            ),
            co_freevars=function.__code__.co_freevars,
        )
        return code, None, None

    def _enter(self, key: str, original: Any, args: Any, kwargs: Any) -> Any:
        caller = sys._getframe(2).f_code.co_filename
        # Importing a part of posenc calls functions of the core's.
        free = self._is_inside() or key.startswith("posenc.core.")
        if free and self._is_book(caller):
            return original(*args, **kwargs)
        if _short(key) not in self._allowed or caller.startswith(self._judge):
            raise BookFunctionError(_short(key))
        before, self._inside.now = self._is_inside(), True
        try:
            return original(*args, **kwargs)
        finally:
            self._inside.now = before

    def _is_book(self, file: str) -> bool:
        return file.startswith(self._own) and not file.startswith(self._judge)

    def _is_inside(self) -> bool:
        """Whether a function of the book's that is allowed runs, in this thread."""
        return getattr(self._inside, "now", False)


def _gated(*args: Any, **kwargs: Any) -> Any:
    enter: Any = "enter"  # in its place stands the gate
    return enter(args, kwargs)


def _gated_steps(*args: Any, **kwargs: Any) -> Iterator[Any]:
    enter: Any = "enter"
    yield from enter(args, kwargs)


def _short(key: str) -> str:
    """``"t5.bucket_starts"`` for ``"posenc.t5.buckets.bucket_starts"``."""
    parts = key.split(".")
    return f"{parts[1]}.{parts[-1]}"


def _every_function() -> Iterator[tuple[str, types.FunctionType]]:
    """Functions of the book that are loaded, with names such as `_short` takes."""
    for name, module in list(sys.modules.items()):
        if name.startswith("posenc.") and not name.startswith(_IN_ORDER):
            for function in _functions(vars(module).values(), name):
                yield f"{name}.{function.__qualname__}", function


def _functions(values: Iterable[Any], module: str) -> list[types.FunctionType]:
    """Functions that a module defines, methods of its classes among them."""
    found: list[types.FunctionType] = []
    for value in list(values):
        value = inspect.unwrap(value) if callable(value) else value
        if getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, types.FunctionType):
            if not value.__name__.startswith("__"):  # __getattr__ of a module, say
                found.append(value)
        elif isinstance(value, type):
            found += _functions(vars(value).values(), module)
    return found
