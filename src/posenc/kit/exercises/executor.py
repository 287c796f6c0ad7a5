"""Run an answer in a forked process with a time limit, or here if nothing can fork.

The forked process can be ended when its time is over, and what the answer breaks there
(modules, memory, the interpreter) stays there. In the browser and on Windows the answer
runs in this process. Nothing here can end a loop then: a page terminates its worker,
and in a notebook the kernel has to be restarted, as `check` says while the loop runs.
"""

import contextlib
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any, Protocol, runtime_checkable

from posenc.core.platform import IN_BROWSER

from .call import Outcome, Request, call

_HEADROOM = 4 * 2**30  # bytes that an answer may add to the memory in use


@runtime_checkable
class Executor(Protocol):
    """Something that calls the answer."""

    @property
    def note(self) -> str:
        """A remark on how it ran, or nothing."""

    def ask(self, request: Request) -> Outcome:
        """Call the answer once."""

    def close(self) -> None:
        """Stop, and end whatever is still running."""


def start(function: Callable[..., Any], time_limit: float, isolate: bool) -> Executor:
    """Return what calls `function`: a process of its own if that is possible.

    Parameters
    ----------
    function : function
        What is called.
    time_limit : float
        Seconds for all calls.
    isolate : bool
        Whether to run it in a process of its own.
    """
    if isolate and hasattr(os, "fork") and not IN_BROWSER:
        with contextlib.suppress(OSError):  # no process left, no memory left
            return ForkedExecutor(function, time_limit)
    return LocalExecutor(function, time_limit)


class ForkedExecutor:
    """Executor that calls the answer in a child process, over a pipe.

    Parameters
    ----------
    function : function
        What is called.
    time_limit : float
        Seconds for all calls.
    prepare : function, optional
        Called once in the child, before the first request.
    """

    note = ""

    def __init__(
        self,
        function: Callable[..., Any],
        time_limit: float,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        from multiprocessing import Pipe  # not at the top: absent in the browser

        self._limit = self._left = time_limit
        self._pipe, child_end = Pipe()
        with warnings.catch_warnings():
            # A fork copies one thread only. The child starts no other and leaves by
            # os._exit, so what the rest of a notebook's threads hold is not touched.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if self._pid == 0:
            self._pipe.close()
            _serve(function, child_end, time_limit, prepare)
        child_end.close()

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
            kill_group(self._pid)
            os.waitpid(self._pid, 0)
            self._pid = 0

    def _cause_of_death(self) -> str:
        kill_group(self._pid)  # a child that closed the pipe may live on
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        code = os.waitstatus_to_exitcode(status)
        if code >= 0 or -code == signal.SIGKILL:
            return "its process ended without an answer"
        return f"its process was ended by {signal.Signals(-code).name}"


def kill_group(pid: int) -> None:
    """Kill a process and those of its group."""
    for kill in (os.killpg, os.kill):  # a child makes its group after it has begun
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def limit_resource(name: str, amount: int, *, for_good: bool = False) -> None:
    """Lower a limit of this process, such as "CPU", where the system can.

    `for_good` lowers the hard limit, too, which no process can raise again.
    """
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource  # not at the top: absent on Windows and in the browser

        what = getattr(resource, f"RLIMIT_{name}")
        hard = amount if for_good else resource.getrlimit(what)[1]
        resource.setrlimit(what, (amount, hard))


def _serve(
    function: Callable[..., Any],
    pipe: Any,
    time_limit: float,
    prepare: Callable[[], object] | None,
) -> None:
    """Answer requests in the child until the pipe closes. Never return."""
    try:
        _detach(time_limit)
        if prepare is not None:
            prepare()
        while True:
            pipe.send_bytes(pickle.dumps(call(function, pipe.recv_bytes())))
    finally:
        os._exit(0)


def _detach(time_limit: float) -> None:
    """Cut the child off from the notebook, and bound what it may use."""
    import faulthandler

    faulthandler.disable()  # the check reports a crash; the notebook's log need not
    os.setsid()  # an interrupt of the notebook is the parent's; close() ends the group
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    limit_resource("CPU", int(time_limit) + 2)  # should the parent be gone
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])  # Linux alone
        limit_resource("AS", pages * os.sysconf("SC_PAGE_SIZE") + _HEADROOM)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)  # its thread pool did not survive the fork


class LocalExecutor:
    """Executor that calls the answer here. A late answer is reported; no loop is ended.

    Parameters
    ----------
    function : function
        What is called.
    time_limit : float
        Seconds for all calls.
    """

    #: A remark on an answer that no other process kept apart.
    note = (
        "Your function ran here, not in a process of its own: if it loops for ever, "
        "only a restart of Python (the kernel) ends it."
    )

    def __init__(self, function: Callable[..., Any], time_limit: float) -> None:
        self._function, self._limit, self._left = function, time_limit, time_limit

    def ask(self, request: Request) -> Outcome:
        """Call the answer with a copy of the arguments; tell one that does not end."""
        begin = monotonic()
        with _watched(self._left, f"{_STILL_RUNNING.format(self._limit)}\n"):
            outcome = call(self._function, pickle.dumps(request))
        self._left -= monotonic() - begin
        return outcome if self._left > 0 else _time_over(self._limit)

    def close(self) -> None:
        """Do nothing: nothing is running."""


#: Said while it runs: the note on a result would never come.
_STILL_RUNNING = (
    "check: your function has not ended after {:g} s. It runs here, not in a process "
    "of its own, and cannot be ended: if it loops for ever, restart Python (the kernel)"
)


@contextlib.contextmanager
def _watched(seconds: float, words: str) -> Iterator[None]:
    """Write `words` to the error stream if the time is over before the block ends."""
    if IN_BROWSER:  # no threads there, and pages end what takes too long
        yield
        return
    # Its own stream: `call` puts another in its place.
    timer = Timer(max(seconds, 0), sys.stderr.write, [words])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # the next fork meets no other thread


def _time_over(limit: float) -> Outcome:
    return Outcome("time", error=f"{limit:g} s")
