"""Call Linux directly, where Python has no function.

A cell cannot use these functions: `audit_hook` refuses them.
"""

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """Return the result of a system call; -1 if there is no such call, or it fails."""
    if sys.platform != "linux":
        return -1
    call = ctypes.CDLL(None).syscall
    call.restype = ctypes.c_long
    numbers = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return int(call(ctypes.c_long(number), *numbers))


def prctl(option: int, value: int = 0) -> int:
    """Read or set an attribute of this process; return -1 where that is impossible."""
    if sys.platform != "linux":
        return -1
    return int(ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0))


def die_with_parent() -> None:
    """Make Linux kill this process when its parent has ended."""
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
