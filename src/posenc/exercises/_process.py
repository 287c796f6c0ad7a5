"""Where an answer runs: in a forked process, or here if the platform cannot fork.

The forked process can be ended when its time is over, and what the answer breaks there
(modules, memory, the interpreter) stays there. Without it, in the browser and on
Windows, a trace function looks at the clock at every line: that ends loops written in
Python, but not those inside C code such as ``sum(itertools.count())``.
"""

import contextlib
import gc
import os
import pickle
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, runtime_checkable

from ._call import Outcome, Request, TimeUp, call

_HEADROOM = 4 * 2**30  # bytes that an answer may add to the memory in use


@runtime_checkable
class Worker(Protocol):
    """Something that calls the answer."""

    note: str

    def ask(self, request: Request) -> Outcome:
        """Call the answer once."""

    def close(self) -> None:
        """Stop; end whatever is still running."""


def start(function: Callable[..., Any], time_limit: float, isolate: bool) -> Worker:
    """Worker for `function`: a process of its own if asked for and possible."""
    can_fork = hasattr(os, "fork") and sys.platform != "emscripten"
    if isolate and can_fork:
        try:
            return ForkedWorker(function, time_limit)
        except OSError:  # no process left, no memory left
            pass
    return LocalWorker(function, time_limit)


class ForkedWorker:
    """Calls the answer in a child process, which waits for requests on a pipe."""

    note = ""

    def __init__(self, function: Callable[..., Any], time_limit: float) -> None:
        from multiprocessing import Pipe  # not at the top: absent in the browser

        self._limit = self._left = time_limit
        self._pipe, theirs = Pipe()
        with warnings.catch_warnings():
            # A fork copies one thread only. The child starts no other and leaves by
            # os._exit, so what the rest of a notebook's threads hold is not touched.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if self._pid == 0:
            self._pipe.close()
            _serve(function, theirs, time_limit)
        theirs.close()

    def ask(self, request: Request) -> Outcome:
        """Send the request and wait for the outcome, no longer than the time left."""
        begin = time.monotonic()
        try:
            self._pipe.send_bytes(pickle.dumps(request))
            if not self._pipe.poll(max(self._left, 0)):
                return _time_over(self._limit)
            outcome: Outcome = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, OSError):
            return Outcome("died", error=self._cause_of_death())
        finally:
            self._left -= time.monotonic() - begin
        return outcome

    def close(self) -> None:
        """End the child and everything it started."""
        self._pipe.close()
        if self._pid:
            self._kill()
            os.waitpid(self._pid, 0)
            self._pid = 0

    def _kill(self) -> None:
        for end in (os.killpg, os.kill):  # its group exists once it has begun to serve
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(self._pid, signal.SIGKILL)

    def _cause_of_death(self) -> str:
        self._kill()  # a child that closed the pipe may live on
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        code = os.waitstatus_to_exitcode(status)
        if code >= 0 or -code == signal.SIGKILL:
            return "its process ended without an answer"
        return f"its process was ended by {signal.Signals(-code).name}"


def _serve(function: Callable[..., Any], pipe: Any, time_limit: float) -> None:
    """Life of the child: answer requests until the pipe closes. Never returns."""
    try:
        _detach(time_limit)
        while True:
            outcome = call(function, pipe.recv_bytes())
            pipe.send_bytes(pickle.dumps(outcome))
    finally:
        os._exit(0)


def _detach(time_limit: float) -> None:
    """Cut the child off from the notebook, and bound what it may use."""
    import faulthandler
    import resource  # not at the top: absent on Windows and in the browser

    def limit(what: int, amount: int) -> None:
        resource.setrlimit(what, (amount, resource.getrlimit(what)[1]))

    faulthandler.disable()  # a crash is told by the check, not in the notebook's log
    os.setsid()  # an interrupt of the notebook is the parent's; close() ends the group
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    with contextlib.suppress(OSError, ValueError):
        limit(resource.RLIMIT_CPU, int(time_limit) + 2)  # should the parent be gone
        pages = int(Path("/proc/self/statm").read_text().split()[0])  # Linux alone
        limit(resource.RLIMIT_AS, pages * resource.getpagesize() + _HEADROOM)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)  # its thread pool did not survive the fork


class LocalWorker:
    """Calls the answer here, with a clock that ends loops written in Python."""

    note = (
        "Your function ran here, not in a process of its own: if it loops for ever "
        "inside a library, only a restart of Python ends it."
    )

    def __init__(self, function: Callable[..., Any], time_limit: float) -> None:
        self._function, self._limit, self._left = function, time_limit, time_limit

    def ask(self, request: Request) -> Outcome:
        """Call the answer, and raise `TimeUp` inside it when the time is over."""
        begin = time.monotonic()
        deadline = begin + self._left

        callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}

        def clock(frame: FrameType, event: str, _: Any) -> Any:
            # What is raised while garbage is collected is lost: wait for the answer.
            if frame.f_code in callbacks or frame.f_code.co_name == "__del__":
                return None
            if time.monotonic() > deadline:
                raise TimeUp
            library = frame.f_globals.get("__name__", "").partition(".")[0]
            return None if library in ("numpy", "torch", "posenc") else clock

        def calls() -> Iterator[Outcome]:
            yield call(self._function, payload)

        payload, before = pickle.dumps(request), sys.gettrace()
        sys.settrace(clock)
        try:
            # In a generator, since TimeUp may leave an except clause without cleaning
            # up (CPython 3.11): the exception being handled is then the generator's.
            return next(calls())
        except TimeUp:
            return _time_over(self._limit)
        finally:
            sys.settrace(before)
            self._left -= time.monotonic() - begin

    def close(self) -> None:
        """Nothing is running."""


def _time_over(limit: float) -> Outcome:
    return Outcome("time", error=f"{limit:g} s")
