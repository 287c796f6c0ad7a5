"""The process of a submission: it runs cells, and calls answers when the judge asks.

Nothing here decides about points, and nothing here needs to be trusted: whatever code
of a notebook does to this process, the judge sees only answers to its own questions.

It runs in a `house`, whose ``posenc`` has this file, and no judge. While an answer is
called the book's own functions are out of order, unless the exercise allows them.
"""

import contextlib
import importlib
import inspect
import os
import signal
import sys
import threading
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from posenc.kit.exercises.book import is_ours, load_book
from posenc.kit.exercises.guard import replaced_before
from posenc.kit.exercises.process import start
from posenc.kit.exercises.result import Result

from .wire import Channel, of_outcome, to_request

_GIGABYTE = 2**30


def main() -> None:
    """Serve the judge at the other end of standard input and output, until it goes."""
    house, forbidden = Path(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    channel = _take_streams()
    _bound()
    _leave_checkout(house)
    submission = Submission(channel)
    watch(forbidden, house, submission.notice)
    submission.refuse_programs()
    channel.send({"ready": sys.platform})
    with contextlib.suppress(EOFError):
        while True:
            submission.serve(channel.receive())
    os._exit(0)


class Submission:
    """Carries out what the judge wants.

    Parameters
    ----------
    channel : Channel
        To the judge.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel, self._pid = channel, os.getpid()
        self._judging = False
        self._flags: dict[str, None] = {}
        self._shell = _shell()
        door = importlib.import_module("posenc.exercises")
        door._hand_in = self.hand_in  # type: ignore[attr-defined]

    def serve(self, message: dict[str, Any]) -> None:
        """Run a cell, or hand in what an expression gives."""
        error = ""
        if "cell" in message:
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
            error = f"{type(found).__name__}: {found}"[:500]
        flags = list(self._flags)
        self._flags.clear()
        self._channel.send({"ended": error, "flags": flags})

    def hand_in(self, name: str, answer: Any) -> Result:
        """Let the judge question an answer, and show what it says."""
        if os.getpid() != self._pid or self._judging:
            return Result(name, "broken", problem="This is no place to check answers.")
        if threading.current_thread() is not threading.main_thread():
            return Result(name, "broken", problem="Answers are checked one by one.")
        self._judging, worker = True, None
        try:
            self._channel.send({"asked": name, "answer": facts(answer)})
            while "verdict" not in (message := self._channel.receive()):
                if worker is None:
                    called = answer if message["function"] else lambda: answer
                    seconds = float(message["time_limit"])
                    worker = start(called, seconds, True, message["allowed"])
                outcome = worker.ask(to_request(message["request"]))
                self._channel.send({"outcome": of_outcome(outcome)})
        finally:
            self._judging = False
            if worker is not None:
                worker.close()
        status, problem = message["verdict"]
        return Result(name, status, problem=problem)

    def refuse_programs(self) -> None:
        """Let IPython start no program: what it does is not taken for a cell's."""

        def refuse(*args: Any, **kwargs: Any) -> None:
            self.notice(_PROCESS)
            raise PermissionError(_PROCESS)

        for name in ("system", "getoutput", "getoutput_raw"):
            setattr(self._shell, name, refuse)

    def notice(self, words: str) -> None:
        """Keep an odd thing, to be told when the cell has ended."""
        self._flags[words] = None


def facts(answer: Any) -> dict[str, Any]:
    """What the judge wants to know of an answer before it asks."""
    name = getattr(answer, "__name__", "") if inspect.isroutine(answer) else ""
    return {
        "none": answer is None or answer is Ellipsis,
        "callable": callable(answer),
        "name": name if isinstance(name, str) else "",
        "type": type(answer).__name__,
        "ours": is_ours(answer),
        "replaced": replaced_before(),
    }


def watch(forbidden: list[str], house: Path, notice: Callable[[str], None]) -> None:
    """Refuse what no answer needs, and what would reach the judge; notice it.

    What libraries do when they are imported, and what they read, is not odd: a cell, or
    code that it made, must have asked for it.

    Parameters
    ----------
    forbidden : list of str
        The judge's files and folders, which nothing may open.
    house : Path
        Where posenc lies, whose source answers must not read.
    notice : function
        Is told each odd thing.
    """
    real, error, frame = os.path.realpath, PermissionError, sys._getframe
    roots = tuple(real(folder) + os.sep for folder in forbidden)
    sources = real(house / "posenc") + os.sep
    libraries = (str(house), sys.prefix, sys.base_prefix)
    standard = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120
    shell = f"{os.sep}IPython{os.sep}"  # it does what cells say
    refused, noticed, reads, two = _REFUSED, _NOTICED, _READS, _TWO_PLACES
    memory = _MEMORY
    function = types.FunctionType

    def is_theirs() -> bool:
        at: types.FrameType | None = frame(2)
        while at is not None:
            file = at.f_code.co_filename
            if file.startswith("<frozen importlib"):
                return False
            library = "site-packages" in file and shell not in file
            if library or not file.startswith((standard, "<frozen", sys.prefix)):
                return not file.startswith(libraries)
            at = at.f_back
        return False

    def is_asked_for() -> bool:
        """Whether a cell asked for it, through whatever library but posenc.

        Imports may do it, too.
        """
        at: types.FrameType | None = frame(2)
        while at is not None:
            file = at.f_code.co_filename
            if file.startswith(("<frozen importlib", str(house))):
                return False
            if not file.startswith((*libraries, "<frozen")):
                return True
            at = at.f_back
        return False

    def refuse(words: str) -> None:
        notice(words)
        raise error(words)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in reads:
            for place in args[: 2 if event in two else 1]:
                if not isinstance(place, str | bytes | os.PathLike):
                    continue
                path = real(os.fsdecode(place)) + os.sep
                if path.startswith(roots):
                    refuse("It tried to read the files of the judge.")
                if path.startswith(sources) and is_theirs():
                    refuse("It tried to read the source of posenc.")
                if path.startswith("/proc/") and path.endswith("/mem/"):
                    refuse(memory)
        elif event == "object.__getattr__":
            if args[1] == "__code__" and type(args[0]) is function:
                name = args[0].__module__ or ""
                if name.startswith("posenc.") and is_theirs():
                    refuse("It tried to copy a function of posenc's.")
        elif event in refused:
            if is_asked_for():
                refuse(refused[event])
        elif event in noticed and is_theirs():
            notice(noticed[event])

    sys.addaudithook(hook)


#: Events about two places, and all that are about places.
_TWO_PLACES = ("os.link", "os.symlink", "os.rename")
_READS = (
    *_TWO_PLACES,
    *(
        "open",
        "os.listdir",
        "os.scandir",
        "os.chdir",
        "os.truncate",
        "os.remove",
        "os.mkdir",
        "os.rmdir",
        "os.chmod",
    ),
    "sqlite3.connect",
)
_PROCESS = "It tried to start another program."
_MEMORY = "It tried to look into the memory of Python."
_SIGNAL = "It tried to send a signal to a process."
_NETWORK = "It tried to reach the network."
#: Events that end with an error, if a cell asks for them.
_REFUSED = {
    "subprocess.Popen": _PROCESS,
    "os.system": _PROCESS,
    "os.exec": _PROCESS,
    "os.posix_spawn": _PROCESS,
    "os.spawn": _PROCESS,
    "os.forkpty": _PROCESS,
    "pty.spawn": _PROCESS,
    "os.kill": _SIGNAL,
    "os.killpg": _SIGNAL,
    "ctypes.dlopen": _MEMORY,
    "ctypes.dlsym": _MEMORY,
    "ctypes.cdata": _MEMORY,
    "ctypes.string_at": _MEMORY,
    "socket.connect": _NETWORK,
    "socket.sendto": _NETWORK,
    "socket.sendmsg": _NETWORK,
    "socket.getaddrinfo": _NETWORK,
    "socket.gethostbyname": _NETWORK,
    "socket.gethostbyaddr": _NETWORK,
}
_NOTICED = {
    "gc.get_objects": "It looked through the objects in memory.",
    "gc.get_referrers": "It looked through the objects in memory.",
    "gc.get_referents": "It looked through the objects in memory.",
    "sys._current_frames": "It looked into code that was running.",
    "os.fork": "It started another process.",
}


def _take_streams() -> Channel:
    """The pipes to the judge; cells read nothing, and what they print goes nowhere."""
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


def _leave_checkout(house: Path) -> None:
    """Forget other copies of posenc on the path, but for installed packages."""
    sys.path[:] = [
        place
        for place in sys.path
        if Path(place) == house
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
    load_book()
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
