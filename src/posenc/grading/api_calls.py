"""Calls of the book's functions where an answer is written, or in threads: noticed.

While an answer is called, such calls are blocked: see
`posenc.grading.api_block`. A cell could call them before, and keep what they
give. That is not forbidden, but odd.
"""

import contextlib
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import posenc
from posenc.core.chapters import chapters


class ApiCallMonitor:
    """Notices calls of the chapters' functions by code that is not the book's.

    It sees files, not functions, so that a second copy of posenc is seen as well.

    Parameters
    ----------
    notice : function
        Callback for each suspicious call.
    """

    def __init__(self, notice: Callable[[str], None]) -> None:
        self._notice = notice
        self._own = os.path.dirname(posenc.__file__) + os.sep  # noqa: PTH120
        self._chapters = frozenset(chapters())

    def watch_threads(self) -> None:
        """Watch all threads that `threading` starts from now on."""
        threading.setprofile(self._profile(frozenset(), " in a thread"))

    @contextlib.contextmanager
    def watched(self, may_call: list[str] | None) -> Iterator[None]:
        """Watch this thread, except in these functions; watch nothing for None."""
        if may_call is None:
            yield
            return
        sys.setprofile(self._profile(frozenset(may_call), " beside its answer"))
        try:
            yield
        finally:
            sys.setprofile(None)

    def _profile(self, allowed: frozenset[str], where: str) -> Callable[..., None]:
        def profile(frame: types.FrameType, event: str, arg: Any) -> None:
            code = frame.f_code
            if event != "call" or not code.co_filename.startswith(self._own):
                return
            caller = frame.f_back
            if caller and caller.f_code.co_filename.startswith(self._own):
                return
            slug, *rest = Path(code.co_filename.removeprefix(self._own)).parts
            name = f"{slug}.{code.co_name}"
            if slug not in self._chapters or {"widgets", "figures"} & {*rest}:
                return
            if not code.co_name.startswith(("_", "<")) and name not in allowed:
                self._notice(f"It called posenc.{name}{where}.")

        return profile
