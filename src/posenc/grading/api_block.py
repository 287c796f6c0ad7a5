"""Block posenc's own functions while an answer of a submission is called.

An exercise asks for code of the student's own. So an answer that calls a function of
the book gets no points. Where an exercise builds on such a function, `allowed_in` names
it.
"""

import functools
import importlib
import inspect
import os
import pkgutil
import sys
import threading
import types
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import posenc
from posenc.core.chapters import chapters
from posenc.kit.exercises.call import RefusedError
from posenc.kit.exercises.registry import Exercise

__all__ = ["ApiBlocker", "allowed_in", "load_api"]

#: The first chapter's functions, with which answers of later ones may compute.
BASICS = (
    "attention.attention_weights",
    "attention.scaled_dot_product_attention",
    "attention.causal_mask",
)
#: Packages of posenc that are never blocked: they call the answer.
_NOT_BLOCKED = (
    *("posenc.kit", "posenc.grading", "posenc.exercises", "posenc.core.platform"),
)
_REFUSAL = (
    "Your answer calls posenc.{}, a function of the book's. This exercise asks you to "
    "write what it does yourself: the book's is there to compare with."
)


def allowed_in(exercise: Exercise) -> tuple[str, ...]:
    """Return names that an answer may call, such as ``"t5.bucket_starts"``."""
    first = exercise.name.startswith("attention.")
    return (*exercise.uses, *(() if first else BASICS))


def load_api() -> None:
    """Import all of the book's functions on arrays, so that none is left to import."""
    for slug in chapters():
        package = importlib.import_module(f"posenc.{slug}")
        for inner in pkgutil.iter_modules(package.__path__):
            if not inner.ispkg and inner.name != "nn":
                importlib.import_module(f"posenc.{slug}.{inner.name}")


class ApiBlocker:
    """Blocks the functions of posenc, but for some, while this context is entered.

    Their code is replaced, so that no reference to one is left out. They still call
    each other. A call from elsewhere raises `RefusedError`.

    Parameters
    ----------
    allowed : collection of str
        Functions that an answer may call: see `allowed_in`.
    """

    def __init__(self, allowed: Collection[str]) -> None:
        load_api()
        check = _CallerCheck(frozenset(allowed))
        self._functions = [
            (function, _parts(function), check.parts_for(name, function))
            for name, function in _every_function()
        ]

    def __enter__(self) -> None:
        for function, _, blocked in self._functions:
            _set(function, blocked)

    def __exit__(self, *_: object) -> None:
        for function, original, _ in self._functions:
            _set(function, original)


#: Code, defaults, and defaults of keywords.
_Parts = tuple[types.CodeType, Any, Any]


def _parts(function: types.FunctionType) -> _Parts:
    return function.__code__, function.__defaults__, function.__kwdefaults__


def _set(function: types.FunctionType, parts: _Parts) -> None:
    function.__code__, function.__defaults__, function.__kwdefaults__ = parts


class _CallerCheck:
    """Check before each function that lets through permitted callers.

    Parameters
    ----------
    allowed : frozenset of str
        See `ApiBlocker`.
    """

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed, self._inside = allowed, threading.local()
        package = os.path.dirname(posenc.__file__)  # noqa: PTH120
        self._package = package + os.sep
        #: Files that call an answer, which may itself be a function of the book.
        self._callers = tuple(
            os.path.join(package, *place, "")  # noqa: PTH118
            for place in (("kit", "exercises"), ("grading",))
        )

    def parts_for(self, name: str, function: types.FunctionType) -> _Parts:
        """Return parts for a function that run this check first."""
        original = types.FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        original.__kwdefaults__ = function.__kwdefaults__
        enter = functools.partial(self._enter, name, original)
        # A generator function gets generator code: Python warns of another kind.
        checked = (
            _checked_steps if inspect.isgeneratorfunction(function) else _checked_call
        )
        code = checked.__code__.replace(
            co_consts=tuple(
                enter if value == "enter" else value
                for value in checked.__code__.co_consts
            ),
            co_freevars=function.__code__.co_freevars,
        )
        return code, None, None

    def _enter(self, name: str, original: Any, args: Any, kwargs: Any) -> Any:
        caller = sys._getframe(2).f_code.co_filename
        # Importing a part of posenc calls functions of the core's.
        free = self._is_inside() or name.startswith("posenc.core.")
        if free and self._is_book(caller):
            return original(*args, **kwargs)
        if _short(name) not in self._allowed or caller.startswith(self._callers):
            raise RefusedError(_REFUSAL.format(_short(name)))
        before, self._inside.now = self._is_inside(), True
        try:
            return original(*args, **kwargs)
        finally:
            self._inside.now = before

    def _is_book(self, file: str) -> bool:
        return file.startswith(self._package) and not file.startswith(self._callers)

    def _is_inside(self) -> bool:
        """Return True if an allowed function of the book runs in this thread."""
        return getattr(self._inside, "now", False)


def _checked_call(*args: Any, **kwargs: Any) -> Any:
    enter: Any = "enter"  # replaced by the check
    return enter(args, kwargs)


def _checked_steps(*args: Any, **kwargs: Any) -> Iterator[Any]:
    enter: Any = "enter"
    yield from enter(args, kwargs)


def _short(name: str) -> str:
    """Return ``"t5.bucket_starts"`` for ``"posenc.t5.buckets.bucket_starts"``."""
    parts = name.split(".")
    return f"{parts[1]}.{parts[-1]}"


def _every_function() -> Iterator[tuple[str, types.FunctionType]]:
    """Yield the functions of posenc that are loaded, with names for `_short`."""
    for name, module in list(sys.modules.items()):
        if name.startswith("posenc.") and not name.startswith(_NOT_BLOCKED):
            for function in _functions(vars(module).values(), name):
                yield f"{name}.{function.__qualname__}", function


def _functions(values: Iterable[Any], module: str) -> list[types.FunctionType]:
    """Return functions that a module defines, methods of its classes among them."""
    functions: list[types.FunctionType] = []
    for value in list(values):
        value = inspect.unwrap(value) if callable(value) else value
        if getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, types.FunctionType):
            if not value.__name__.startswith("__"):  # __getattr__ of a module, say
                functions.append(value)
        elif isinstance(value, type):
            functions += _functions(vars(value).values(), module)
    return functions
