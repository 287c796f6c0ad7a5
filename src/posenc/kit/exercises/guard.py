"""What an answer shares with all other code, put back after each call.

In the forked process this is for the report alone. Where an answer has to run here, in
the browser and on Windows, it protects the checks that come later, as far as that goes:
nothing can put back what C code holds, or what is hidden in a closure.
"""

import builtins
import cmath
import contextlib
import functools
import itertools
import math
import operator
import os
import pickle
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

_MODULES: tuple[ModuleType, ...] = (
    *(builtins, cmath, contextlib, functools, itertools, math, operator, os, pickle),
    *(random, sys, threading, time, np, np.fft, np.linalg, np.random),
)
_NAMES = {module.__name__ for module in _MODULES}
#: Names in `sys` and builtins that a shell or the tracing of an answer changes itself.
_VOLATILE = {
    *("sys.stdout", "sys.stderr", "sys.stdin", "sys.displayhook", "sys.excepthook"),
    *("sys.last_exc", "sys.last_type", "sys.last_value", "sys.last_traceback"),
    *("sys.ps1", "sys.ps2", "builtins.input", "builtins.display"),
}
#: Parts of posenc that no check stands on, and that change names of their own.
_NOT_IN_CHECKS = {"figures", "widgets", "lab", "conventions", "pages", "__main__"}
_CODE = ("__code__", "__defaults__", "__kwdefaults__")
_code_of = operator.attrgetter(*_CODE)


@dataclass
class Changes:
    """What an answer changed for others: names it replaced, threads it left running."""

    replaced: list[str] = field(default_factory=list)
    threads: int = 0


class Guard:
    """Puts back what an answer replaces, as it was when this was made.

    With `settings` it also puts back settings and random numbers, as they were before
    the call. A process that the answer has to itself does not need that.
    """

    def __init__(self, *, settings: bool = True) -> None:
        self._names, self._with_settings = _Names(), settings

    @contextlib.contextmanager
    def watch(self) -> Iterator[Changes]:
        """Put things back after the block; tell in `Changes` what was changed."""
        changes = Changes()
        settings = _settings() if self._with_settings else []
        threads = set(threading.enumerate())
        asks, builtins.input = builtins.input, _no_input
        try:
            yield changes
        finally:
            if builtins.input is _no_input:
                builtins.input = asks
            changes.replaced = self._names.put_back()
            for put_back in settings:
                put_back()
            changes.threads = len(set(threading.enumerate()) - threads)


class _Names:
    """What the names in shared modules stand for: functions, classes, their parts."""

    def __init__(self) -> None:
        self._loaded = {n: m for n, m in sys.modules.items() if _is_shared(n)}
        ours = [m for n, m in self._loaded.items() if n.partition(".")[0] == "posenc"]
        self._spaces: list[tuple[str, Any, dict[str, Any]]] = [
            (module.__name__, module, dict(vars(module))) for module in _MODULES
        ]
        self._code: list[tuple[str, FunctionType, tuple[Any, ...]]] = []
        for module in ours:
            self._spaces.append((module.__name__, module, dict(vars(module))))
            for name, value in vars(module).items():
                if getattr(value, "__module__", None) == module.__name__:
                    self._look_into(f"{module.__name__}.{name}", value)

    def _look_into(self, name: str, value: Any) -> None:
        if isinstance(value, FunctionType):
            self._code.append((name, value, _code_of(value)))
        elif isinstance(value, type):
            inside = dict(vars(value))
            self._spaces.append((name, value, inside))
            for part, method in inside.items():
                if isinstance(method, FunctionType):
                    self._look_into(f"{name}.{part}", method)

    def put_back(self) -> list[str]:
        """Undo what was replaced, and return the names."""
        changed = list(self._changed())
        for _, undo in changed:
            undo()
        return list(dict.fromkeys(name for name, _ in changed))

    def replaced(self) -> list[str]:
        """Names that stand for something else by now."""
        return list(dict.fromkeys(name for name, _ in self._changed()))

    def _changed(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """Yield each name that was replaced, and a function that puts it back."""
        for name, module in self._loaded.items():
            if sys.modules.get(name) is not module:
                undo = functools.partial(sys.modules.__setitem__, name, module)
                yield f'sys.modules["{name}"]', undo
        for path, space, names in self._spaces:
            is_now = vars(space)
            if _untouched(is_now, names):
                continue
            for name, value in names.items():
                if is_now.get(name, _MISSING) is value or _may_change(space, name):
                    continue
                if f"{path}.{name}" not in _VOLATILE:
                    yield (
                        f"{path}.{name}",
                        functools.partial(setattr, space, name, value),
                    )
        for path, function, parts in self._code:
            are_now = _code_of(function)
            for part, value, now in _zip(_CODE, parts, are_now):
                if now is not value:
                    yield path, functools.partial(setattr, function, part, value)


_MISSING = object()
# By name, since an answer may replace these, too.
_all, _map, _zip, _is = all, map, zip, operator.is_


def _untouched(is_now: Mapping[str, Any], was: dict[str, Any]) -> bool:
    """Whether the same names stand for the same things, in the same order.

    This is so after nearly every call, and takes a twentieth of the time that it takes
    to look at each name.
    """
    return (
        len(is_now) == len(was)
        and _all(_map(_is, is_now, was))
        and _all(_map(_is, is_now.values(), was.values()))
    )


def _is_shared(name: str) -> bool:
    package, *parts = name.split(".")
    return (package == "posenc" and not _NOT_IN_CHECKS & {*parts}) or name in _NAMES


def _may_change(space: Any, name: str) -> bool:
    """Whether Python itself writes that name."""
    if isinstance(space, type):
        return name in ("__dict__", "__weakref__", "__doc__", "__abstractmethods__")
    ours = space.__name__.partition(".")[0] == "posenc"
    return name.startswith("__" if ours else "_")


def _settings() -> list[Callable[[], Any]]:
    """Functions that put back settings of Python and NumPy, and the random numbers."""
    environment, folder = dict(os.environ), _folder()
    put_back: list[Callable[[], Any]] = [
        functools.partial(sys.setrecursionlimit, sys.getrecursionlimit()),
        functools.partial(random.setstate, random.getstate()),
        functools.partial(np.random.set_state, np.random.get_state()),  # noqa: NPY002
        functools.partial(_seterr, **np.geterr()),
        functools.partial(_set_print_options, **np.get_printoptions()),
        functools.partial(_put_back_environment, environment),
        functools.partial(_go_to, folder),
    ]
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "get_rng_state"):
        put_back += [
            functools.partial(torch.set_rng_state, torch.get_rng_state()),
            functools.partial(torch.set_default_dtype, torch.get_default_dtype()),
            functools.partial(torch.set_grad_enabled, torch.is_grad_enabled()),
        ]
    return put_back


# By name, since an answer may replace what numpy calls so.
_seterr, _set_print_options = np.seterr, np.set_printoptions


def _put_back_environment(values: dict[str, str]) -> None:
    if dict(os.environ) != values:
        os.environ.clear()
        os.environ.update(values)


def _folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was deleted
        return ""


def _go_to(folder: str) -> None:
    if folder and _folder() != folder:
        with contextlib.suppress(OSError):
            os.chdir(folder)


def _no_input(prompt: object = "") -> str:
    msg = "a checked answer cannot ask for input: give it arguments"
    raise RuntimeError(msg)


_at_import = [_Names()]


def remember() -> None:
    """Take what is loaded by now for what was there at the import."""
    _at_import[:] = [_Names()]


def replaced_before() -> list[str]:
    """Functions of NumPy, math and posenc that a cell has replaced since the import."""
    ours = ("numpy.", "math.", "posenc.")
    return [name for name in _at_import[0].replaced() if name.startswith(ours)]
