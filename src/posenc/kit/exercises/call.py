"""One call of an answer: errors, output and changed inputs become an `Outcome`.

Only an interrupt by the user passes through.
"""

import builtins
import contextlib
import functools
import inspect
import io
import linecache
import pickle
import sys
import traceback
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .values import CountedTable, Unusable, array_digest, describe, serialize, to_style


class RefusedError(Exception):
    """The answer did something forbidden; the message is shown to the learner."""


@dataclass(frozen=True)
class Request:
    """Request to call the answer. `style` is "numpy", "torch" or "scalar"."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    style: str = "numpy"
    count_reads: bool = False


@dataclass
class Outcome:
    """Outcome of a call. `status` says which of the fields mean something."""

    #: "value", "error", "refused", "unanswered", "no torch", "time" or "died".
    status: str
    value: Any = None
    kind: str = ""
    error: str = ""
    line_number: int = 0
    line: str = ""
    changed: list[str] = field(default_factory=list)
    printed: str = ""
    warned: list[str] = field(default_factory=list)
    reads: int = 0


class LimitedText(io.TextIOBase):
    """A text stream that keeps the beginning of what is written."""

    def __init__(self, limit: int = 600) -> None:
        self.kept, self.limit, self.length = "", limit, 0

    def writable(self) -> bool:
        """Return True: it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep what fits, and return the full length."""
        self.kept += text[: self.limit - len(self.kept)]
        self.length += len(text)
        return len(text)

    def text(self) -> str:
        """Return what was kept, with a word on what was not."""
        dropped = self.length - len(self.kept)
        return self.kept + (f"\n… and {dropped} characters more" if dropped else "")


def is_ours(answer: Any) -> bool:
    """Return True if the answer itself is code of the book, rather than calls it."""
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


def call(function: Any, payload: bytes) -> Outcome:
    """Call `function` as the pickled `Request` says."""
    request: Request = pickle.loads(payload)
    if request.style == "torch" and "torch" not in sys.modules:
        return Outcome("no torch")
    args = [to_style(value, request.style) for value in request.args]
    counted = None
    if request.count_reads and request.style == "numpy":
        args[0] = counted = args[0].view(CountedTable)
    before = _fingerprints(args, request.kwargs)
    printed = LimitedText()
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        _without_input(),
    ):
        warnings.simplefilter("always")
        outcome = _caught(function, args, request)
    outcome.printed = printed.text()
    outcome.warned = sorted({f"{w.category.__name__}: {w.message}" for w in caught})
    after = _fingerprints(args, request.kwargs)
    names = [*_parameters(function, args)[: len(args)], *request.kwargs]
    outcome.changed = [
        name for name, was, now in zip(names, before, after, strict=True) if was != now
    ]
    outcome.reads = counted.reads[0] if counted is not None else 0
    return outcome


@contextlib.contextmanager
def _without_input() -> Iterator[None]:
    """Make `input` raise: a notebook's would wait for a reply that never comes."""
    original, builtins.input = builtins.input, _no_input
    try:
        yield
    finally:
        builtins.input = original


def _no_input(prompt: object = "") -> str:
    msg = "a checked answer cannot ask for input: give it arguments"
    raise RuntimeError(msg)


def _fingerprints(args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
    return [array_digest(value) for value in (*args, *kwargs.values())]


def _caught(function: Any, args: list[Any], request: Request) -> Outcome:
    try:
        if request.style == "scalar":
            value = _one_at_a_time(function, args, request.kwargs)
        else:
            value = function(*args, **request.kwargs)
        if value is None or value is Ellipsis or value is NotImplemented:
            return Outcome("unanswered", kind="None" if _has_code(function) else "")
        packed = serialize(value)
        if isinstance(packed, Unusable):
            return Outcome("value", packed, kind=packed.description)
        return Outcome("value", packed, kind=describe(value))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return _error(error)


def _has_code(function: Any) -> bool:
    """Return True if a function does more than return None."""
    code = getattr(function, "__code__", None)
    return code is not None and len(code.co_code) > len(_blank.__code__.co_code)


def _blank() -> None:
    pass


def _one_at_a_time(function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    first, rest = args[0], args[1:]
    values = [function(int(entry), *rest, **kwargs) for entry in first.ravel()]
    if any(value is None or value is Ellipsis for value in values):
        return None
    return np.asarray(values).reshape(first.shape)


def _parameters(function: Any, args: list[Any]) -> list[str]:
    """Return names of the positional arguments, as the answer calls them."""
    try:
        own = list(inspect.signature(function).parameters)
    except Exception:  # not every object tells
        own = []
    return own + [f"argument {i + 1}" for i in range(len(own), len(args))]


def _error(error: BaseException) -> Outcome:
    """Describe the error and the line of the answer where it came from."""
    if isinstance(error, RefusedError):
        return Outcome("refused", error=str(error))
    if isinstance(error, NotImplementedError) and _is_stub(error):
        return Outcome("unanswered")
    words = traceback.format_exception_only(error)[-1].strip()[:500]
    if isinstance(error, SystemExit):
        words = f"{words}: your code asked Python to exit"
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if frame.filename != __file__]
    if not theirs:
        return Outcome("error", error=words)
    last = [frame for frame in theirs if frame.filename == theirs[0].filename][-1]
    number, line = last.lineno or 0, last.line or ""
    return Outcome("error", error=words, line_number=number, line=line)


def _is_stub(error: BaseException) -> bool:
    """Return True if the answer itself, and no library, is not implemented."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    code = last.tb_frame.f_code
    line = linecache.getline(code.co_filename, last.tb_lineno)
    library = last.tb_frame.f_globals.get("__name__", "").partition(".")[0]
    return library not in ("numpy", "torch") and (not line or "raise" in line)
