"""Where an answer runs: in a forked process, or here if the platform cannot fork.

The forked process can be ended when its time is over, and what the answer breaks there
(modules, memory, the interpreter) stays there. Without it, in the browser and on
Windows, a clock ends loops written in Python, and what is shared is put back.
"""

import contextlib
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from time import monotonic  # by name: an answer may replace time.monotonic
from typing import Any, Protocol, runtime_checkable

from posenc.core.platform import IN_BROWSER

from .book_functions import Book
from .call import Outcome, Request, call
from .clock import Clock, TimeUp
from .guard import Guard

_Book = contextlib.AbstractContextManager[None]  # the book's functions, shut inside
_OPEN: _Book = contextlib.nullcontext()
_HEADROOM = 4 * 2**30  # bytes that an answer may add to the memory in use


@runtime_checkable
class Worker(Protocol):
    """Something that calls the answer."""

    @property
    def note(self) -> str:
        """A remark on how it ran, or nothing."""

    def ask(self, request: Request) -> Outcome:
        """Call the answer once."""

    def close(self) -> None:
        """Stop; end whatever is still running."""


def start(
    function: Callable[..., Any],
    time_limit: float,
    isolate: bool,
    allowed: Collection[str] | None = None,
) -> Worker:
    """Worker for `function`: a process of its own if asked for and possible.

    Parameters
    ----------
    function : function
        What is called.
    time_limit : float
        Seconds for all calls.
    isolate : bool
        Whether to run it in a process of its own.
    allowed : collection of str, optional
        The only functions of the book's that it may call; any, if left out.
    """
    book = _OPEN if allowed is None else Book(allowed)
    can_fork = hasattr(os, "fork") and not IN_BROWSER
    if isolate and can_fork:
        try:
            return ForkedWorker(function, time_limit, book)
        except OSError:  # no process left, no memory left
            pass
    return LocalWorker(function, time_limit, book)


class ForkedWorker:
    """Calls the answer in a child process, which waits for requests on a pipe."""

    note = ""

    def __init__(
        self, function: Callable[..., Any], time_limit: float, book: _Book = _OPEN
    ) -> None:
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
            _serve(function, theirs, time_limit, book)
        theirs.close()

    def ask(self, request: Request) -> Outcome:
        """Send the request and wait for the outcome, no longer than the time left."""
        begin = monotonic()
        try:
            self._pipe.send_bytes(pickle.dumps(request))
            if not self._pipe.poll(max(self._left, 0)):
                return _time_over(self._limit)
            outcome: Outcome = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, OSError):
            return Outcome("died", error=self._cause_of_death())
        finally:
            self._left -= monotonic() - begin
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


def _serve(
    function: Callable[..., Any], pipe: Any, time_limit: float, book: _Book
) -> None:
    """Life of the child: answer requests until the pipe closes. Never returns."""
    try:
        _detach(time_limit)
        book.__enter__()  # and never leaves
        guard = Guard(settings=False)
        while True:
            outcome = call(function, pipe.recv_bytes(), guard)
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

    def __init__(
        self, function: Callable[..., Any], time_limit: float, book: _Book = _OPEN
    ) -> None:
        self._function, self._limit, self._left = function, time_limit, time_limit
        self._book = book
        self._guard, self._warnings = Guard(), list[str]()

    @property
    def note(self) -> str:
        """What could not be protected."""
        return " ".join([HERE, *dict.fromkeys(self._warnings)])

    def ask(self, request: Request) -> Outcome:
        """Call the answer, and raise `TimeUp` inside it when the time is over."""
        begin = monotonic()
        clock, payload = Clock(self._left), pickle.dumps(request)

        def calls() -> Iterator[Outcome]:
            yield call(self._function, payload, self._guard, clock, self._book)

        try:
            # In a generator, since TimeUp may leave an except clause without cleaning
            # up (CPython 3.11): the exception being handled is then the generator's.
            outcome = next(calls())
        except TimeUp:
            return _time_over(self._limit)
        finally:
            self._left -= monotonic() - begin
        if outcome.threads:
            self._warnings.append(_THREADS)
        if outcome.replaced or clock.was_stopped:
            self._warnings.append(_RESTART)
        return outcome

    def close(self) -> None:
        """Nothing is running."""


#: Note on an answer that no other process could keep away.
HERE = (
    "Your function ran here, not in a process of its own: if it loops for ever inside "
    "a library, only a restart of Python ends it."
)
_THREADS = "It left a thread running: restart Python (the kernel) to end it."
_RESTART = (
    "It meddled with Python itself. What was found was put back; restart Python (the "
    "kernel) to be sure that nothing of it is left."
)


def _time_over(limit: float) -> Outcome:
    return Outcome("time", error=f"{limit:g} s")
