"""The worker: it runs the cells of a submission, and calls answers for the grader.

Nothing here decides about points, and nothing here is trusted: whatever a notebook does
to this process, the grader sees only answers to its own questions.

It runs in a `sandbox`, whose ``posenc`` has this file, and no oracle. While an answer
is called, `api_block` blocks posenc's own functions, unless the exercise allows them.
"""

import contextlib
import importlib
import inspect
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from posenc.kit.exercises.call import Outcome, is_ours
from posenc.kit.exercises.executor import ForkedExecutor
from posenc.kit.exercises.result import Result

from .api_block import ApiBlocker, load_api
from .api_calls import ApiCallMonitor
from .audit_hook import PROCESS, install_audit_hook
from .globals_snapshot import GlobalsSnapshot
from .landlock import restrict
from .protocol import Channel, decode_request, encode_outcome

_GIGABYTE = 2**30


def main() -> None:
    """Serve the grader at the other end of standard input and output."""
    sandbox_folder, forbidden = Path(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    channel = _take_streams()
    _bound()
    restrict(sandbox_folder, forbidden)
    _leave_checkout(sandbox_folder)
    worker = Worker(channel)
    install_audit_hook(forbidden, sandbox_folder, worker.notice)
    worker.refuse_programs()
    worker.calls.watch_threads()
    sys.path.insert(0, "")  # as in Jupyter: a notebook may import files that it writes
    worker.snapshot = GlobalsSnapshot()
    channel.send({"ready": sys.platform})
    with contextlib.suppress(EOFError):
        while True:
            worker.serve(channel.receive())
    os._exit(0)


class Worker:
    """Runs cells and calls answers for the grader.

    Parameters
    ----------
    channel : Channel
        To the grader.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel, self._pid = channel, os.getpid()
        self._judging = False
        self._flags: dict[str, None] = {}
        # Answers are called in processes of their own, whose flags come through this.
        self._told, self._tell = os.pipe()
        for end in (self._told, self._tell):
            os.set_blocking(end, False)
        self.calls = ApiCallMonitor(self.notice)
        self._shell = _shell()
        self.snapshot = GlobalsSnapshot()
        stub = importlib.import_module("posenc.exercises")
        stub._hand_in = self.hand_in  # type: ignore[attr-defined]

    def serve(self, message: dict[str, Any]) -> None:
        """Run a cell, or hand in what an expression gives."""
        error = ""
        if "cell" in message:
            with self.calls.watched(message["may_call"]):
                result = self._shell.run_cell(message["cell"])
            found = result.error_before_exec or result.error_in_exec
        else:
            found = None
            try:
                space = self._shell.user_ns
                self.hand_in(message["name"], eval(message["evaluate"], space))
            except Exception as raised:
                found = raised
        if found is not None:
            error = f"{type(found).__name__}: {_words(found)}"[:500]
        with contextlib.suppress(BlockingIOError):  # nothing was told
            told = os.read(self._told, 2**16).decode(errors="replace")
            self._flags |= dict.fromkeys(told.splitlines())
        flags = list(self._flags)
        self._flags.clear()
        self._channel.send({"ended": error, "flags": flags})

    def hand_in(self, name: str, answer: Any) -> Result:
        """Let the grader question an answer, and show its verdict."""
        if os.getpid() != self._pid or self._judging:
            return Result(name, "broken", problem="This is no place to check answers.")
        if threading.current_thread() is not threading.main_thread():
            return Result(name, "broken", problem="Answers are checked one by one.")
        self._judging = True
        executor: ForkedExecutor | None = None
        profile = sys.getprofile()
        sys.setprofile(None)  # an answer has its own gate, and little time
        try:
            facts = facts_of(answer) | {"replaced": self.snapshot.replaced()}
            self._channel.send({"asked": name, "answer": facts})
            while "verdict" not in (message := self._channel.receive()):
                if executor is None:
                    called = answer if message["function"] else lambda: answer
                    seconds = float(message["time_limit"])
                    blocker = ApiBlocker(message["allowed"])
                    try:
                        executor = ForkedExecutor(called, seconds, blocker.__enter__)
                    except OSError as error:  # no process left, no memory left
                        words = f"no process could be started for it ({error})"
                        outcome = Outcome("died", error=words)
                if executor is not None:
                    outcome = executor.ask(decode_request(message["request"]))
                self._channel.send({"outcome": encode_outcome(outcome)})
        finally:
            self._judging = False
            sys.setprofile(profile)
            if executor is not None:
                executor.close()
        status, problem = message["verdict"]
        return Result(name, status, problem=problem)

    def refuse_programs(self) -> None:
        """Let IPython start no program: what it does is not taken for a cell's."""

        def refuse(*args: Any, **kwargs: Any) -> None:
            self.notice(PROCESS)
            raise PermissionError(PROCESS)

        for name in ("system", "getoutput", "getoutput_raw"):
            setattr(self._shell, name, refuse)

    def notice(self, words: str) -> None:
        """Keep an odd thing, to be told when the cell has ended."""
        if os.getpid() == self._pid:
            self._flags[words] = None
        else:
            with contextlib.suppress(OSError):  # full: enough is told already
                os.write(self._tell, f"{words}\n".encode())


def _words(error: BaseException) -> str:
    """Return an error's message, without the name of a file unknown to students."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} (line {error.lineno})"
    return str(error)


def facts_of(answer: Any) -> dict[str, Any]:
    """Return facts on an answer that the grader needs before it asks."""
    name = getattr(answer, "__name__", "") if inspect.isroutine(answer) else ""
    return {
        "none": answer is None or answer is Ellipsis,
        "callable": callable(answer),
        "name": name if isinstance(name, str) else "",
        "type": type(answer).__name__,
        "ours": is_ours(answer),
    }


def _take_streams() -> Channel:
    """Return the pipes to the grader; cells read nothing and print nowhere."""
    reader, writer = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    files = (os.fdopen(reader, "rb", 0), os.fdopen(writer, "wb", 0))
    return Channel(*files)


def _bound() -> None:
    """Bound what the process may use, where the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        resource: Any = importlib.import_module("resource")
        for what, amount in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, _GIGABYTE),
            (resource.RLIMIT_DATA, 8 * _GIGABYTE),
        ):
            resource.setrlimit(what, (amount, amount))


def _leave_checkout(sandbox_folder: Path) -> None:
    """Forget other copies of posenc on the path, but for installed packages."""
    sys.path[:] = [
        place
        for place in sys.path
        if Path(place) == sandbox_folder
        or "site-packages" in place
        or not (Path(place) / "posenc").is_dir()
    ]
    sys.meta_path[:] = [  # of an editable installation
        finder
        for finder in sys.meta_path
        if "editable" not in getattr(finder, "__module__", type(finder).__module__)
    ]


def _shell() -> Any:
    """IPython without a terminal, a history or pictures."""
    load_api()
    interactive: Any = importlib.import_module("IPython.core.interactiveshell")
    warnings.simplefilter("ignore")
    shell = interactive.InteractiveShell.instance(
        history_load_length=0, colors="NoColor", autocall=0
    )
    shell.history_manager.enabled = False
    silent: Callable[..., Any] = lambda *args, **kwargs: None  # noqa: E731
    for name in ("showtraceback", "showsyntaxerror", "showindentationerror"):
        setattr(shell, name, silent)
    shell.display_formatter.format = lambda *args, **kwargs: ({}, {})
    return shell
