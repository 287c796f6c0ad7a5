"""Start a submission's process, and end it with all that it has started.

Linux gives a process whose parent has ended to the nearest ancestor that adopts
orphans: the grader's process does so as long as it has workers. It recognizes what a
submission has detached by a limit that workers lower, and that no process can raise.
Elsewhere than on Linux only the worker's group is ended.
"""

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from posenc.kit.exercises.executor import kill_group

from .system_calls import prctl

_PR_GET_DUMPABLE, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 3, 4, 36
_lock = threading.RLock()
_workers: dict[int, Popen[bytes]] = {}
#: 1 if other processes could read this one's memory before it had workers.
_dumpable = 1


def start(command: Sequence[str], **options: Any) -> Popen[bytes]:
    """Start a worker, which ends with this thread at the latest.

    As long as there is one, no other process can look into this one's memory.
    """
    global _dumpable
    with _lock:
        if not _workers:
            _dumpable = prctl(_PR_GET_DUMPABLE)
            prctl(_PR_SET_DUMPABLE, 0)
            prctl(_PR_SET_CHILD_SUBREAPER, 1)
        streams: Any = {"stdin": PIPE, "stdout": PIPE, "bufsize": 0}
        process = Popen(command, start_new_session=True, **streams, **options)
        _workers[process.pid] = process
    return process


def is_running(process: Popen[bytes]) -> bool:
    """Return True if nothing has called `end` for that worker."""
    return process.pid in _workers


def end(process: Popen[bytes]) -> None:
    """Kill a worker, and all that it has started."""
    with _lock:
        if _workers.pop(process.pid, None) is None:
            return
        kill_group(process.pid)
        process.wait()
        _kill_orphans()
        if not _workers:
            prctl(_PR_SET_DUMPABLE, _dumpable)
            prctl(_PR_SET_CHILD_SUBREAPER, 0)


def end_all() -> None:
    """Kill all workers of this process: grading stops."""
    with _lock:
        for process in list(_workers.values()):
            end(process)


def children() -> list[int]:
    """List processes whose parent is this one."""
    own, pids = os.getpid(), []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Fields after ")" of /proc/<pid>/stat are the state and the parent.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == own:
                pids.append(int(folder.name))
    return pids


def _kill_orphans(patience: float = 10.0) -> None:
    """Kill what ended workers have left; give up after some seconds."""
    until, own = time.monotonic() + patience, _largest_file("self")
    while time.monotonic() < until:
        adopted = [pid for pid in children() if pid not in _workers]
        orphans = [pid for pid in adopted if _largest_file(pid) < own]
        if not orphans:
            break
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in orphans:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _largest_file(pid: int | str) -> float:
    """Return the hard limit on the bytes of a file that a process writes."""
    with contextlib.suppress(OSError):
        limits = Path(f"/proc/{pid}/limits").read_text()
        if match := re.search(r"^Max file size +\w+ +(\d+)", limits, re.MULTILINE):
            return int(match[1])
    return float("inf")
