"""The grader's end of a worker: start it, run cells, ask answers, end it.

Everything that comes back is validated; see `worker` for the other end.
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posenc.core.chapters import PACKAGE
from posenc.kit.exercises.call import Outcome, Request
from posenc.kit.exercises.result import Result

from .grades import Limits
from .notebook_cells import Cell
from .protocol import Channel, ProtocolError, decode_outcome, encode_request

#: Starts a worker in its sandbox; nothing of the grader's Python goes with it.
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from posenc.grading.worker import main; main()"
)
#: Seconds that an interrupted cell has to end.
_GRACE = 5.0

Ask = Callable[[dict[str, Any], float], dict[str, Any]]


class WorkerDiedError(Exception):
    """The worker is gone, or does not react."""


class RemoteExecutor:
    """An executor that calls the answer in the worker."""

    note = ""

    def __init__(
        self, ask: Ask, time_limit: float, allowed: Sequence[str], function: bool
    ) -> None:
        self._ask, self._limit, self._left = ask, time_limit, time_limit
        self._options = {
            "time_limit": time_limit,
            "allowed": list(allowed),
            "function": function,
        }

    def ask(self, request: Request) -> Outcome:
        """Call the answer once."""
        begin = time.monotonic()
        message = {"request": encode_request(request), **self._options}
        # It ends an answer itself; this is for one that has stopped it from doing so.
        received = self._ask(message, max(self._left, 0.0) + _GRACE)
        self._left -= time.monotonic() - begin
        try:
            return decode_outcome(received["outcome"])
        except (KeyError, TypeError, ProtocolError) as error:
            msg = f"answered with something else: {error}."
            raise WorkerDiedError(msg) from error

    def close(self) -> None:
        """Nothing is running here."""


@dataclass(frozen=True)
class Ended:
    """How a cell ended: its error, if any, and what was odd."""

    error: str
    flags: list[str]


@dataclass(frozen=True)
class Sandbox:
    """Where a submission runs, how long it may take, and what it must not touch."""

    folder: Path
    limits: Limits
    forbidden: Sequence[str] = ()


class WorkerClient:
    """The grader's end of a worker process.

    Parameters
    ----------
    judge : function
        Is given name and facts of what is handed in, and a function to ask it.
    sandbox : Sandbox
        Where it runs, and within which bounds.
    """

    def __init__(
        self,
        judge: Callable[[str, dict[str, Any], Ask], Result],
        sandbox: Sandbox,
    ) -> None:
        self._judge, self._limits, folder = judge, sandbox.limits, sandbox.folder
        self._interrupted = False
        home, places = folder / "home", [*_forbidden(), *sandbox.forbidden]
        kept = {k: v for k, v in os.environ.items() if k in _ENVIRONMENT}
        own = {"HOME": home, "IPYTHONDIR": home, "TMPDIR": folder / "temporary"}
        said = folder / "start.log"  # until it is ready: then it writes nowhere
        with said.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", _START, str(folder), *places],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                cwd=home,
                env={**kept, **_SETTINGS, **{k: str(v) for k, v in own.items()}},
                start_new_session=True,
            )
        self._deadline = time.monotonic() + 120.0
        reader = _Timed(self._process.stdout, lambda: self._deadline)
        self._channel = Channel(reader, self._process.stdin)
        try:
            self._receive()
        except WorkerDiedError as lost:
            self.close()
            words = said.read_text("utf-8", "replace")[-2000:]
            msg = f"a submission's process did not start: it {lost}\n{words}"
            raise RuntimeError(msg) from lost

    def cell(self, cell: Cell) -> Ended:
        """Run a cell."""
        message: dict[str, Any] = {"cell": cell.source}
        return self._carry_out(message | {"may_call": cell.may_call})

    def evaluate(self, name: str, expression: str) -> Ended:
        """Hand in what an expression gives, as the answer to an exercise."""
        return self._carry_out({"evaluate": expression, "name": name})

    def close(self) -> None:
        """End it and its group."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _carry_out(self, message: dict[str, Any]) -> Ended:
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
                return Ended(error[:1000], [str(f)[:200] for f in flags[:20]])
            self._hear(received)

    def _hear(self, message: dict[str, Any]) -> None:
        """Judge what is handed in; the time that this takes is not the cell's."""
        left = self._deadline - time.monotonic()
        facts = _facts(message.get("answer"))
        result = self._judge(str(message.get("asked")), facts, self._ask)
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
            msg = "ended Python."
            raise WorkerDiedError(msg) from error
        except ProtocolError as error:
            msg = f"sent something else than an answer: {error}."
            raise WorkerDiedError(msg) from error


_INTERRUPTED = "an interrupt, since it ran for more than {:g} seconds"
_TOO_LONG = "took too long, and could not be interrupted."
#: What a submission gets of the environment, besides its settings: nothing secret, but
#: all without which Python or NumPy may not start.
_ENVIRONMENT = {"PATH", "LANG", "LC_ALL", "SYSTEMROOT"} | {
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
}
_SETTINGS = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", "PYTHONHASHSEED": "0"}


def _forbidden() -> list[str]:
    """Places that a submission must not touch: this posenc's, and those of a class."""
    here = Path.cwd()
    checkouts = [c for c in (PACKAGE.parents[1], here) if (c / "_toc.yml").exists()]
    beside = [checkout / name for checkout in checkouts for name in _CHECKOUT]
    tables = here.glob("*.csv")  # of grades, whatever their name
    kept = [here / name for name in _CLASS]
    return [str(place) for place in (PACKAGE, *beside, *tables, *kept)]


#: Folders of a checkout that know answers; wheels and built pages hold them, too.
_CHECKOUT = (
    *("tests", "book", "scripts", "class", "graded"),
    *("src", "dist", "_build", ".git"),
)
#: What nbgrader, and the guide's commands, keep in the folder where they run.
_CLASS = (
    *("source", "release", "submitted", "autograded", "feedback", "gradebook.db"),
    *("teacher", "handed-in", "pages"),
)


def _facts(given: Any) -> dict[str, Any]:
    """Return what a submission says of an answer, as far as it has the right form."""
    given = given if isinstance(given, dict) else {}
    replaced = given.get("replaced")
    return {
        "none": given.get("none") is True,
        "callable": given.get("callable") is True,
        "ours": given.get("ours") is True,
        "name": str(given.get("name", ""))[:100],
        "type": str(given.get("type", ""))[:100],
        "replaced": [str(n)[:100] for n in replaced[:5]]
        if isinstance(replaced, list)
        else [],
    }


class _Timed:
    """A pipe that is read no longer than to a deadline."""

    def __init__(self, file: Any, deadline: Callable[[], float]) -> None:
        self._file, self._deadline = file, deadline

    def read(self, count: int) -> bytes:
        """Read what is there, up to `count` bytes; wait for the first."""
        left = self._deadline() - time.monotonic()
        ready, _, _ = select.select([self._file], [], [], max(left, 0.0))
        if not ready:
            raise TimeoutError
        data: bytes = self._file.read(count)
        return data
