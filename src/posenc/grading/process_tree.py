"""End every process that a submission started, detached ones too.

A process that leaves its group and its parent becomes a child of the nearest ancestor
that asked for orphans. Linux has that; elsewhere only the group is ended.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36


def become_subreaper() -> bool:
    """Let orphans of this process's descendants be its children; say if that worked.

    It also forbids processes of the same account to look into this one's memory.
    """
    if sys.platform != "linux":
        return False
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    return prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def children() -> list[int]:
    """List processes whose parent is this one."""
    own, found = os.getpid(), []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Fields after ")" of /proc/<pid>/stat are the state and the parent.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == own:
                found.append(int(folder.name))
    return found


def kill_descendants(patience: float = 10.0) -> int:
    """End every descendant; return how many there were besides the first generation.

    Parameters
    ----------
    patience : float
        Seconds after which one that cannot be ended is left alone.
    """
    until, generations = time.monotonic() + patience, list[set[int]]()
    while time.monotonic() < until:
        alive = set(children())
        if not alive:
            break
        generations.append(alive)
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in alive:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    return len(set().union(*generations[1:])) if generations else 0
