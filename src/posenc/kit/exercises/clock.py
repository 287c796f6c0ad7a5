"""A clock that ends an answer where there is no process to end: in the browser, say."""

import gc
import sys
from time import monotonic  # by name: an answer may replace time.monotonic
from types import FrameType
from typing import Any


class TimeUp(BaseException):
    """The time of the answer is over. No Exception: an answer may catch those.

    Python drops a trace function that raises. An answer that catches everything, with
    ``except:``, would so be rid of the clock: when it lets go of the exception, this
    sets the clock again.
    """

    def __init__(self, clock: "Clock | None" = None) -> None:
        super().__init__()
        self._clock = clock

    def __del__(self) -> None:
        if self._clock is not None:
            self._clock.strike_again()


class Clock:
    """Raise `TimeUp` in whatever Python code runs once the time is over.

    It is a trace function, so it looks at the time whenever a line of the answer
    begins. Loops inside C code, such as ``sum(itertools.count())``, have no lines.

    Parameters
    ----------
    seconds : float
        Time from now.
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = monotonic() + seconds
        self._callbacks = {getattr(c, "__code__", None) for c in gc.callbacks}
        self._running = False
        self._before: Any = None
        #: Whether something else took its place while it ran.
        self.was_stopped = False

    def start(self) -> None:
        """Watch the code that the caller calls from now on."""
        self._running, self._before = True, sys.gettrace()
        sys.settrace(self._tick)

    def stop(self) -> None:
        """Leave everything as it was before `start`."""
        self._running = False
        self.was_stopped = sys.gettrace() != self._tick
        sys.settrace(self._before)

    def strike_again(self) -> None:
        """Go on after an answer has caught `TimeUp`."""
        if not self._running:
            return
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not _is_machinery(frame):
            frame.f_trace = self._tick
            frame = frame.f_back
        sys.settrace(self._tick)

    def _tick(self, frame: FrameType, event: str, _: Any) -> Any:
        # What is raised while garbage is collected is lost: wait for the answer.
        if frame.f_code in self._callbacks or frame.f_code.co_name == "__del__":
            return None
        if monotonic() > self._deadline and self._running:
            raise TimeUp(self)
        library = frame.f_globals.get("__name__", "").partition(".")[0]
        return None if library in ("numpy", "torch", "posenc") else self._tick


def _is_machinery(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__", "")
    return (
        name.startswith("posenc.kit.exercises.") and frame.f_code.co_name != "__del__"
    )
