"""Run the cells of a submission, and call answers for the grader.

Nothing here decides about points, and the grader trusts nothing that comes from here:
whatever a notebook does to this process, it can only answer the grader's requests.

The worker runs in a `sandbox`, whose ``posenc`` has this file, and no oracle. While an
answer runs, `api_block` blocks posenc's own functions, unless the exercise allows them.
"""

import contextlib
import functools
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
from posenc.kit.exercises.executor import ForkedExecutor, limit_resource
from posenc.kit.exercises.result import Result

from .api_block import ApiBlocker, load_api
from .api_calls import ApiCallMonitor
from .audit_hook import PROCESS, install_audit_hook
from .globals_snapshot import GlobalsSnapshot
from .landlock import restrict
from .protocol import Channel, Facts, decode_request, encode_outcome
from .system_calls import die_with_parent

#: Bytes, and no dumps of memory. `process_tree` relies on that of FSIZE.
_LIMITS = {"CORE": 0, "FSIZE": 2**30, "DATA": 2**33}


def main() -> None:
    """Serve the grader at the other end of standard input and output."""
    sandbox_folder, forbidden = Path(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    channel = _take_streams()
    die_with_parent()
    for name, amount in _LIMITS.items():
        limit_resource(name, amount, for_good=True)
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
        self._is_checking = False
        self._flags: dict[str, None] = {}
        # Answers run in processes of their own, which write their flags here.
        self._flags_out, self._flags_in = os.pipe()
        for end in (self._flags_out, self._flags_in):
            os.set_blocking(end, False)
        self.calls = ApiCallMonitor(self.notice)
        self._shell = _shell()
        self.snapshot = GlobalsSnapshot()
        stub = importlib.import_module("posenc.exercises")
        stub._submit = self.submit  # type: ignore[attr-defined]

    def serve(self, message: dict[str, Any]) -> None:
        """Run a cell, or submit the value of an expression as an answer."""
        error = ""
        if "cell" in message:
            with self.calls.watched(message["may_call"]):
                result = self._shell.run_cell(message["cell"])
            failure = result.error_before_exec or result.error_in_exec
        else:
            failure = None
            try:
                space = self._shell.user_ns
                self.submit(message["name"], eval(message["evaluate"], space))
            except Exception as raised:
                failure = raised
        if failure is not None:
            error = f"{type(failure).__name__}: {_message(failure)}"[:500]
        with contextlib.suppress(BlockingIOError):  # no flags there
            lines = os.read(self._flags_out, 2**16).decode(errors="replace")
            self._flags |= dict.fromkeys(lines.splitlines())
        flags = list(self._flags)
        self._flags.clear()
        self._channel.send({"ended": error, "flags": flags})

    def submit(self, name: str, answer: Any) -> Result:
        """Send an answer to the grader, and return its verdict."""
        if os.getpid() != self._pid or self._is_checking:
            return Result(name, "broken", problem="This is no place to check answers.")
        if threading.current_thread() is not threading.main_thread():
            return Result(name, "broken", problem="Answers are checked one by one.")
        self._is_checking = True
        executor: ForkedExecutor | None = None
        profile = sys.getprofile()
        sys.setprofile(None)  # `ApiBlocker` watches an answer, which has little time
        try:
            facts = facts_of(answer, self.snapshot.replaced())
            self._channel.send({"submitted": name, "facts": vars(facts)})
            while "verdict" not in (message := self._channel.receive()):
                if executor is None:
                    called = answer if message["function"] else lambda: answer
                    seconds = float(message["time_limit"])
                    blocker = ApiBlocker(message["allowed"])
                    prepare = functools.partial(_prepare, blocker)
                    try:
                        executor = ForkedExecutor(called, seconds, prepare)
                    except OSError as error:  # no process left, no memory left
                        cause = f"no process could be started for it ({error})"
                        outcome = Outcome("died", error=cause)
                if executor is not None:
                    outcome = executor.ask(decode_request(message["request"]))
                self._channel.send({"outcome": encode_outcome(outcome)})
        finally:
            self._is_checking = False
            sys.setprofile(profile)
            if executor is not None:
                executor.close()
        status, problem = message["verdict"]
        return Result(name, status, problem=problem)

    def refuse_programs(self) -> None:
        """Block programs in IPython; the audit hook would take one for a library."""

        def refuse(*args: Any, **kwargs: Any) -> None:
            self.notice(PROCESS)
            raise PermissionError(PROCESS)

        for name in ("system", "getoutput", "getoutput_raw"):
            setattr(self._shell, name, refuse)

    def notice(self, words: str) -> None:
        """Store a flag, to be sent to the grader when the cell has ended."""
        if os.getpid() == self._pid:
            self._flags[words] = None
        else:
            with contextlib.suppress(OSError):  # full: there are enough flags
                os.write(self._flags_in, f"{words}\n".encode())


def _message(error: BaseException) -> str:
    """Return an error's message, without the name of a file unknown to students."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} (line {error.lineno})"
    return str(error)


def _prepare(blocker: ApiBlocker) -> None:
    """Make the process of an answer ready for its first call."""
    die_with_parent()
    blocker.__enter__()


def facts_of(answer: Any, replaced: list[str]) -> Facts:
    """Return facts on an answer that the grader needs before it calls it."""
    name = getattr(answer, "__name__", "") if inspect.isroutine(answer) else ""
    name = name if isinstance(name, str) else ""
    none = answer is None or answer is Ellipsis
    kind, ours = type(answer).__name__, is_ours(answer)
    return Facts(none, callable(answer), ours, name, kind, replaced)


def _take_streams() -> Channel:
    """Return the pipes to the grader; cells read nothing and print nowhere."""
    reader, writer = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    files = (os.fdopen(reader, "rb", 0), os.fdopen(writer, "wb", 0))
    return Channel(*files)


def _leave_checkout(sandbox_folder: Path) -> None:
    """Remove other copies of posenc from the path, but keep installed packages."""
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
    """Return IPython without a terminal, a history or pictures."""
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
