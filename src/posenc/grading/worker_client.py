"""Start a worker for the grader, send it cells and requests, and end it.

Everything that comes back is validated; see `worker` for the other end.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posenc.core.chapters import PACKAGE
from posenc.kit.exercises.call import Outcome, Request
from posenc.kit.exercises.result import Result

from . import process_tree
from .grades import Limits
from .notebook_cells import Cell
from .protocol import (
    Channel,
    Facts,
    ProtocolError,
    decode_as,
    decode_outcome,
    encode_request,
)

#: Starts a worker in its sandbox; nothing of the grader's Python goes with it.
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from posenc.grading.worker import main; main()"
)
#: Seconds that an interrupted cell has to end.
_GRACE = 5.0

Ask = Callable[[dict[str, Any], float], dict[str, Any]]


class WorkerDiedError(Exception):
    """The worker has ended, or does not react."""


class RemoteExecutor:
    """An executor that calls the answer in the worker."""

    note = ""

    def __init__(self, ask: Ask, time_limit: float, **options: Any) -> None:
        self._ask, self._left = ask, time_limit
        self._options = {"time_limit": time_limit, **options}

    def ask(self, request: Request) -> Outcome:
        """Call the answer once."""
        begin = time.monotonic()
        message = {"request": encode_request(request), **self._options}
        # The worker ends an answer in time, unless the submission prevents that.
        received = self._ask(message, max(self._left, 0.0) + _GRACE)
        self._left -= time.monotonic() - begin
        try:
            return decode_outcome(received["outcome"])
        except (KeyError, TypeError, ProtocolError) as error:
            raise WorkerDiedError(_NO_MESSAGE.format(error)) from error

    def close(self) -> None:
        """Do nothing: the worker ends the answer."""


@dataclass(frozen=True)
class Sandbox:
    """The folder of a submission, its time limits, and places that it must not open."""

    folder: Path
    limits: Limits
    forbidden: Sequence[str] = ()


class WorkerClient:
    """The grader's end of a worker process.

    Parameters
    ----------
    check : function
        Returns the result of a submitted answer, from the exercise's name, facts on the
        answer, and a function that sends requests to it.
    sandbox : Sandbox
        Where the worker runs, and its limits.
    """

    def __init__(
        self, check: Callable[[str, Facts, Ask], Result], sandbox: Sandbox
    ) -> None:
        self._check, self._sandbox, self._limits = check, sandbox, sandbox.limits
        self._interrupted = False
        self._start()

    def _start(self) -> None:
        folder = self._sandbox.folder
        home, places = folder / "home", [*_forbidden(), *self._sandbox.forbidden]
        kept = {k: v for k, v in os.environ.items() if k in _ENVIRONMENT}
        own = {"HOME": home, "IPYTHONDIR": home, "TMPDIR": folder / "temporary"}
        log = folder / "start.log"  # until it is ready: then it writes nowhere
        with log.open("wb") as errors:
            self._process = process_tree.start(
                [sys.executable, "-I", "-c", _START, str(folder), *places],
                stderr=errors,
                cwd=home,
                env={**kept, **_SETTINGS, **{k: str(v) for k, v in own.items()}},
            )
        self._deadline = time.monotonic() + 120.0
        reader = _Timed(self._process.stdout, lambda: self._deadline)
        self._channel = Channel(reader, self._process.stdin)
        try:
            self._receive()
        except BaseException as error:
            self.close()
            if isinstance(error, WorkerDiedError):
                output = log.read_text("utf-8", "replace")[-2000:]
                msg = f"a submission's process did not start: it {error}\n{output}"
                raise RuntimeError(msg) from error
            raise

    def restart(self) -> None:
        """End the worker, and start another one in the same sandbox."""
        self.close()
        self._start()

    def cell(self, cell: Cell) -> tuple[str, list[str]]:
        """Run a cell; return its error, if any, and its flags."""
        return self._carry_out({"cell": cell.source, "may_call": cell.may_call})

    def evaluate(self, name: str, expression: str) -> tuple[str, list[str]]:
        """Submit the value of an expression as an answer; return error and flags."""
        return self._carry_out({"evaluate": expression, "name": name})

    def close(self) -> None:
        """End the worker, and all that the submission has started."""
        process_tree.end(self._process)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _carry_out(self, message: dict[str, Any]) -> tuple[str, list[str]]:
        self._deadline = time.monotonic() + self._limits.cell
        self._interrupted = False
        self._send(message)
        while True:
            received = self._receive(interrupts=True)
            if "ended" in received:
                error, flags = str(received["ended"]), received.get("flags")
                if self._interrupted and error.startswith("KeyboardInterrupt"):
                    error = _INTERRUPTED.format(self._limits.cell)
                flags = flags if isinstance(flags, list) else []
                return error[:1000], [str(f)[:200] for f in flags[:20]]
            self._answer(received)

    def _answer(self, message: dict[str, Any]) -> None:
        """Check a submitted answer; the time that this takes is not the cell's."""
        left = self._deadline - time.monotonic()
        try:
            facts = decode_as(Facts, message.get("facts"))
        except ProtocolError as error:
            raise WorkerDiedError(_NO_MESSAGE.format(error)) from error
        result = self._check(str(message.get("submitted")), facts, self._ask)
        self._deadline = time.monotonic() + left
        self._send({"verdict": [result.status, result.problem]})

    def _ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._deadline = time.monotonic() + seconds
        self._send(message)
        return self._receive()

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._channel.send(message)
        except OSError as error:
            msg = "ended Python."
            raise WorkerDiedError(msg) from error

    def _receive(self, interrupts: bool = False) -> dict[str, Any]:
        try:
            return self._channel.receive()
        except TimeoutError as error:
            if interrupts:
                self._interrupted = True
                os.kill(self._process.pid, signal.SIGINT)
                self._deadline = time.monotonic() + _GRACE
                return self._receive()
            raise WorkerDiedError(_TOO_LONG) from error
        except (EOFError, OSError) as error:
            if not process_tree.is_running(self._process):
                raise KeyboardInterrupt from error  # `end_all` ended it
            msg = "ended Python."
            raise WorkerDiedError(msg) from error
        except ProtocolError as error:
            raise WorkerDiedError(_NO_MESSAGE.format(error)) from error


_INTERRUPTED = "an interrupt, since it ran for more than {:g} seconds"
_TOO_LONG = "took too long, and could not be interrupted."
_NO_MESSAGE = "sent something else than an answer: {}."
#: Environment variables for a submission, besides its settings: nothing secret, but
#: all without which Python or NumPy may not start.
_ENVIRONMENT = {
    *("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH"),
    *("DYLD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"),
}
_SETTINGS = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", "PYTHONHASHSEED": "0"}


def _forbidden() -> list[str]:
    """List places that no submission may open: posenc's own, and those of a class."""
    here = Path.cwd()
    checkouts = [c for c in (PACKAGE.parents[1], here) if (c / "_toc.yml").exists()]
    places = [checkout / name for checkout in checkouts for name in _CHECKOUT]
    places += here.glob("*.csv")  # tables of grades, whatever their names
    places += [here / name for name in _CLASS]
    return [str(place) for place in (PACKAGE, *places)]


#: Folders of a checkout that know answers; wheels and built pages hold them, too.
_CHECKOUT = (
    *("tests", "book", "scripts", "class", "graded"),
    *("src", "dist", "_build", ".git"),
)
#: Files of nbgrader, and of the guide's commands, in the folder where they run.
_CLASS = (
    *("source", "release", "submitted", "autograded", "feedback", "gradebook.db"),
    *("teacher", "handed-in", "pages"),
)


class _Timed:
    """A pipe that is read no longer than to a deadline."""

    def __init__(self, file: Any, deadline: Callable[[], float]) -> None:
        self._file, self._deadline = file, deadline
        self._poll = select.poll()  # `select.select` takes no file from 1024 on
        self._poll.register(file, select.POLLIN)

    def read(self, count: int) -> bytes:
        """Read what is there, up to `count` bytes; wait for the first."""
        left = self._deadline() - time.monotonic()
        if not self._poll.poll(max(left, 0.0) * 1000):
            raise TimeoutError
        data: bytes = self._file.read(count)
        return data
