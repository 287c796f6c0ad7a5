"""Refuse forbidden actions of a submission in the worker, and report them.

Python calls its audit hook before an operation. The hook binds all that it uses to
names of its own, since a cell may replace shared names. `landlock` refuses what the
hook cannot see.
"""

import importlib
import os
import resource
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from stat import S_IFDIR, S_IFMT
from typing import Any

__all__ = ["PROCESS", "install_audit_hook"]

#: Events about two places, and all that are about places.
_TWO_PLACES = ("os.link", "os.symlink", "os.rename")
_CHANGES = (
    *_TWO_PLACES,
    *("os.truncate", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"),
)
_READS = ("open", "os.listdir", "os.scandir", "os.chdir", "sqlite3.connect")
PROCESS = "It tried to start another program."
_GRADER = "It tried to read the files of the grader."
_SOURCE = "It tried to read the source of posenc."
_COPY = "It tried to copy a function of posenc's."
_MEMORY = "It tried to look into the memory of Python."
_SIGNAL = "It tried to send a signal to a process."
_LIMIT = "It tried to change the limits of a process."
_INTERPRETER = "It tried to start another interpreter, which has no audit hook."
_THREAD = "It started a thread without the module threading."
_NETWORK = "It tried to reach the network."
_OUTSIDE = "It tried to write outside its own folder."
_FOLDER = "It tried to open a folder as a file."
_DATABASE = "It tried to open a database."
_FORGED = "It tried to pass its code off as a library's."
#: Events that end with an error, if a cell asks for them.
_REFUSED = {
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.spawn"), PROCESS),
    **dict.fromkeys(("os.posix_spawn", "os.forkpty", "pty.spawn"), PROCESS),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), _SIGNAL),
    **dict.fromkeys(("ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata"), _MEMORY),
    **dict.fromkeys(("ctypes.cdata/buffer", "ctypes.string_at"), _MEMORY),
    **dict.fromkeys(("ctypes.wstring_at", "ctypes.PyObj_FromPtr"), _MEMORY),
    **dict.fromkeys(("socket.connect", "socket.sendto", "socket.sendmsg"), _NETWORK),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname"), _NETWORK),
    "ctypes.call_function": _MEMORY,
    "socket.gethostbyaddr": _NETWORK,
    "resource.prlimit": _LIMIT,
    "cpython.PyInterpreterState_New": _INTERPRETER,
    "marshal.loads": _FORGED,
}
_OBJECTS = "It looked through the objects in memory."
_RUNNING = "It looked into code that was running."
_NOTICED = {
    "gc.get_objects": _OBJECTS,
    "gc.get_referrers": _OBJECTS,
    "gc.get_referents": _OBJECTS,
    "sys._current_frames": _RUNNING,
    "sys.settrace": _RUNNING,
    "sys.setprofile": _RUNNING,
    "sys.monitoring.register_callback": _RUNNING,
    "sys.addaudithook": "It installed an audit hook.",
    "os.fork": "It started another process.",
}
#: Events that libraries cause all the time: noticed if a cell does so itself.
_BY_HAND = {"sys._getframe": _RUNNING}
#: Functions of `_thread` that start one, and the names that `threading` has for them.
_STARTS = ("start_new_thread", "start_new", "start_joinable_thread")
#: Attributes with the code of a function, a frame, a generator or a coroutine.
_CODE = ("__code__", "f_code", "gi_code", "cr_code", "ag_code")
#: Functions of Python's `inspect` that read code to describe it, as `help` does.
_DESCRIBES = (
    *("_signature_from_function", "_signature_is_functionlike"),
    *("getfile", "_has_code_flag"),
)
#: Links in links that a path may have: as many as Linux follows.
_LINKS = 40
#: Events that make code, whose second argument says from which file it comes.
_MAKES_CODE = ("compile", "code.__new__")


def install_audit_hook(
    forbidden: Sequence[str], sandbox_folder: Path, notice: Callable[[str], None]
) -> None:
    """Refuse what no answer needs, or what would reach the grader; report it.

    Libraries may do it when they are imported, and may read files. Everything else must
    not be asked for by a cell, or by code that a cell has made.

    Parameters
    ----------
    forbidden : sequence of str
        The grader's files and folders.
    sandbox_folder : Path
        The folder of posenc, whose source answers must not read.
    notice : function
        Called with a sentence on each thing that is refused or reported.
    """
    real, is_folder, writing = _real(), _is_folder(), os.O_WRONLY | os.O_RDWR
    error, frame, is_a, identity = PermissionError, sys._getframe, isinstance, id
    type_, function, fspath, sep = type, types.FunctionType, os.fspath, "/"
    attribute, ident, asking = getattr, threading.get_ident, set[int]()
    add, discard = asking.add, asking.discard
    names = (str, bytes, os.PathLike)
    roots = tuple(real(folder) + sep for folder in forbidden)
    own = real(sandbox_folder) + sep
    beside = f"{real(sandbox_folder.parent)}/posenc-"  # sandboxes of others
    sources, free = f"{own}posenc{sep}", (own, "/dev/")
    book = str(sandbox_folder / "posenc") + sep
    # Cells must not call these files to do what they must not do themselves.
    tools = (f"{book}grading{sep}", f"{book}kit{sep}exercises{sep}executor.py")
    outermost = frame()
    while outermost.f_back is not None:
        outermost = outermost.f_back
    libraries = (book, sys.prefix, sys.base_prefix)
    standard = str(Path(os.__file__).parent) + sep
    # IPython does what cells say; its extensions do not.
    shell, extensions = f"{sep}IPython{sep}", f"{sep}IPython{sep}extensions{sep}"
    imports, removes = "<frozen importlib", f"{standard}shutil.py"
    inspects, describes, code = f"{standard}inspect.py", _DESCRIBES, _CODE
    traces = f"{standard}traceback.py"
    trusted = (*libraries, standard, "<frozen")
    reads, two, changes = (*_READS, *_CHANGES), _TWO_PLACES, _CHANGES
    refused, noticed, by_hand = dict(_REFUSED), dict(_NOTICED), dict(_BY_HAND)
    makes_code, file_size = _MAKES_CODE, resource.RLIMIT_FSIZE
    ours = {
        id(vars(module))
        for name, module in list(sys.modules.items())
        if name.startswith("posenc.")
    }

    def is_theirs(depth: int = 2) -> bool:
        at: types.FrameType | None = frame(depth)
        while at is not None:
            file = at.f_code.co_filename
            if file.startswith(imports):
                return False
            asks = shell in file and extensions not in file
            library = "site-packages" in file and not asks
            if library or not file.startswith((standard, "<frozen", libraries[1])):
                return not file.startswith(libraries)
            at = at.f_back
        return False

    def is_asked_for() -> bool:
        """Return True if a cell asks for it, but not by an import or by posenc."""
        at: types.FrameType | None = frame(2)
        while at is not None and at is not outermost:
            file = at.f_code.co_filename
            if file.startswith((imports, book)) and not file.startswith(tools):
                return False
            if not file.startswith((*libraries, "<frozen")):
                return True
            at = at.f_back
        return False

    def tells_an_error() -> bool:
        at: types.FrameType | None = frame(2)
        while at is not None and at.f_code.co_filename != traces:
            at = at.f_back
        return at is not None

    def is_of_ours(what: Any, name: str) -> bool:
        """Return True if a function, a frame or a generator runs posenc's code."""
        if name == "__code__":
            space = what.__globals__ if type_(what) is function else None
        else:
            running = what if name == "f_code" else attribute(what, f"{name[:2]}_frame")
            space = running and running.f_globals
        return identity(space) in ours

    def once(asks: Callable[..., bool], *given: Any) -> bool:
        """Call a function that causes the same event; ignore that one."""
        thread = ident()
        if thread in asking:
            return False
        add(thread)
        try:
            return asks(*given)
        finally:
            discard(thread)

    def is_by_hand() -> bool:
        return not frame(3).f_code.co_filename.startswith(trusted)

    def copies(name: str) -> bool:
        """Return True if code is copied, not described or shown with an error."""
        asks = frame(3).f_code
        if name != "__code__":
            return not asks.co_filename.startswith(trusted)
        described = asks.co_filename == inspects and asks.co_name in describes
        return is_theirs(4) and not described

    def refuse(words: str) -> None:
        notice(words)
        raise error(words)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in reads:
            for place in args[: 2 if event in two else 1]:
                if not is_a(place, names):
                    continue
                path = real(place) + sep
                if path.startswith(roots):
                    refuse(_GRADER)
                if path.startswith(beside) and not path.startswith(own):
                    refuse(_GRADER)
                if path.startswith(sources) and is_theirs():
                    if tells_an_error():
                        raise error(_SOURCE)  # a traceback does without the line
                    refuse(_SOURCE)
                if path.startswith("/proc/") and path.endswith("/mem/"):
                    refuse(_MEMORY)
                writes = event in changes or (event == "open" and args[2] & writing)
                if writes and not path.startswith(free) and is_asked_for():
                    refuse(_OUTSIDE)
            if event == "open" and args[1] is None and is_folder(args[0]):
                # A file in it could then be opened by a path relative to the folder.
                if frame(1).f_code.co_filename != removes and is_asked_for():
                    refuse(_FOLDER)
            elif event == "sqlite3.connect" and is_asked_for():
                refuse(_DATABASE)
        elif event == "object.__getattr__":
            if args[1] in code and is_of_ours(*args) and once(copies, args[1]):
                refuse(_COPY)
        elif event in by_hand:
            if once(is_by_hand):
                notice(by_hand[event])
        elif event in makes_code:
            named = is_a(args[1], names) and fspath(args[1])
            forged = named and (named[:0] == b"" or named.startswith(trusted))
            if forged and is_theirs():
                refuse(_FORGED)
        elif event == "resource.setrlimit" and args[0] == file_size:
            refuse(_LIMIT)  # `process_tree` finds processes by it
        elif event in refused:
            if is_asked_for():
                refuse(refused[event])
        elif event in noticed and is_theirs():
            notice(noticed[event])

    def refused_if_asked_for(call: Callable[..., Any], words: str) -> Any:
        """Refuse what has no audit event."""

        def calls(*given: Any) -> Any:
            if is_asked_for():
                refuse(words)
            return call(*given)

        return calls

    programs: Any = importlib.import_module("_posixsubprocess")
    programs.fork_exec = refused_if_asked_for(programs.fork_exec, PROCESS)
    vars(subprocess)["_fork_exec"] = programs.fork_exec
    signals: Any = importlib.import_module("_signal")
    if hasattr(signals, "pidfd_send_signal"):
        send = refused_if_asked_for(signals.pidfd_send_signal, _SIGNAL)
        signals.pidfd_send_signal = vars(signal)["pidfd_send_signal"] = send

    def noticed_if_by_hand(begin: Callable[..., Any]) -> Callable[..., Any]:
        def begins(*given: Any, **named: Any) -> Any:
            if not frame(1).f_code.co_filename.startswith(trusted):
                notice(_THREAD)
            return begin(*given, **named)

        return begins

    threads = importlib.import_module("_thread")
    for name in (name for name in _STARTS if hasattr(threads, name)):
        begins = noticed_if_by_hand(getattr(threads, name))
        setattr(threads, name, begins)
        if hasattr(threading, f"_{name}"):
            setattr(threading, f"_{name}", begins)
    sys.addaudithook(hook)


def _real() -> Callable[[Any], str]:
    """Return a function like `os.path.realpath` that no cell can change.

    It returns small letters where the file system ignores their case.
    """
    fspath, readlink, folder = os.fspath, os.readlink, os.getcwd
    errors, fold = (OSError, ValueError), sys.platform == "darwin"

    def real(place: Any) -> str:
        path = fspath(place)
        if path[:0] == b"":
            path = path.decode("utf-8", "surrogateescape")
        left = (path if path[:1] == "/" else f"{folder()}/{path}").split("/")[::-1]
        done, links = "", 0
        while left:
            part = left.pop()
            if part == "..":
                done = done.rpartition("/")[0]
            if part in ("", ".", ".."):
                continue
            try:
                target = readlink(f"{done}/{part}")
            except errors:
                target = ""
            if not target or links > _LINKS:
                done += f"/{part}"
                continue
            links += 1
            done = "" if target[:1] == "/" else done
            left += target.split("/")[::-1]
        return (done.casefold() if fold else done) or "/"

    return real


def _is_folder() -> Callable[[Any], bool]:
    """Return a function like `os.path.isdir` that no cell can change."""
    state, errors, kind, folder = os.stat, (OSError, ValueError), S_IFMT, S_IFDIR

    def is_folder(place: Any) -> bool:
        try:
            return kind(state(place).st_mode) == folder
        except errors:
            return False

    return is_folder
