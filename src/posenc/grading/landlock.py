"""Restrict the worker by Landlock, which Linux has since version 5.13.

`audit_hook` refuses what Python reports. Code that gets around Python meets the kernel:
it opens none of the grader's files, writes only to its sandbox, and starts no program;
newer kernels also refuse connections, and signals to others. What the process starts is
restricted as well, and nothing can undo it.
"""

import contextlib
import os
import struct
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from .system_calls import prctl, system_call

__all__ = ["NO_LANDLOCK", "is_available", "restrict"]

#: The warning for a teacher where it is missing.
NO_LANDLOCK = (
    "This system cannot shut submissions in (no Landlock): Python alone refuses what "
    "they must not do."
)

# Numbers of system calls, the same on every processor, and arguments.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION, _BENEATH, _PR_SET_NO_NEW_PRIVS = 1, 1, 38
#: Rights to files; all others are rights to folders.
_WRITE_FILE, _READ_FILE, _READ_FOLDER, _TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
_TO_FILES = _WRITE_FILE | _READ_FILE | _TRUNCATE
_EXECUTE = 1 << 0
#: Devices that hold no data of others.
_DEVICES = ("null", "zero", "full", "random", "urandom")


def is_available() -> bool:
    """Return True if this system has Landlock."""
    return _version() > 0


def restrict(sandbox_folder: Path, forbidden: Sequence[str]) -> bool:
    """Restrict this process as far as the kernel can; return False if it cannot.

    Parameters
    ----------
    sandbox_folder : Path
        Where it may write.
    forbidden : sequence of str
        Files and folders that it must not open. It may read all others.
    """
    version = _version()
    if version < 1:
        return False
    changes = (1 << 12 + min(version, 3)) - 1  # versions 2 and 3 know one kind more
    network, others = (3 if version > 3 else 0), (3 if version > 5 else 0)
    rules = system_call(_CREATE, struct.pack("=QQQ", changes, network, others), 24, 0)
    if rules < 0:
        return False
    try:
        _allow(rules, "/", _READ_FOLDER)  # to import, Python looks through folders
        neighbors = set(sandbox_folder.parent.glob("posenc-*")) - {sandbox_folder}
        kept = ["/dev", *forbidden, *map(str, neighbors)]
        closed = {os.path.realpath(place) for place in kept}
        for place in _open_places("/", closed):
            _allow(rules, place, _READ_FILE)
        for name in _DEVICES:
            _allow(rules, f"/dev/{name}", _READ_FILE | _WRITE_FILE)
        for place in (str(sandbox_folder), "/dev/shm"):
            _allow(rules, os.path.realpath(place), changes & ~_EXECUTE)
        prctl(_PR_SET_NO_NEW_PRIVS, 1)
        return system_call(_RESTRICT, rules, 0) == 0
    finally:
        os.close(rules)


def _version() -> int:
    return system_call(_CREATE, None, 0, _ASK_VERSION)


def _allow(rules: int, place: str, rights: int) -> None:
    """Allow these rights to a file, or to all files in a folder."""
    with contextlib.suppress(OSError):  # nothing is there: nothing to allow
        at = os.open(place, os.O_PATH | os.O_NOFOLLOW)
        given = rights if os.path.isdir(place) else rights & _TO_FILES  # noqa: PTH112
        system_call(_ADD, rules, _BENEATH, struct.pack("=Qi", given, at), 0)
        os.close(at)


def _open_places(folder: str, closed: Set[str]) -> Iterator[str]:
    """Yield the largest places below a folder that hold none of the closed ones.

    Links are not followed: their targets are places of their own.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.path in closed or entry.is_symlink():
                continue
            if any(place.startswith(f"{entry.path}/") for place in closed):
                yield from _open_places(entry.path, closed)
            else:
                yield entry.path
