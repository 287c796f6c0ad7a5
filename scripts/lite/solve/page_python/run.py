"""A reader's code, checks and hints.

Each run begins with fresh names, and gives what to show as pairs of kind and content.
"""

import ast
import contextlib
import dataclasses
import errno
import linecache
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from posenc.exercises import check, hint
from posenc.kit.exercises import HINT_LINE
from posenc.kit.exercises.call import LimitedText
from posenc.kit.exercises.executor import LocalExecutor
from posenc.kit.exercises.registry import find
from posenc.kit.exercises.result import Result

from .names import left, prepare
from .show import close_figures, display, drawing, is_drawn, pictures

#: The answer's name in tracebacks.
FILE = "<your code>"
#: The page keeps the progress; what a check adds to this file goes there.
LOG = Path("/progress.jsonl")
#: Limit of printed text.
MOST_CHARACTERS = 20_000
#: Modules that a reader may expect, and the page lacks.
ABSENT = {"torch", "pandas", "scipy", "IPython"}

os.environ["POSENC_PROGRESS"] = str(LOG)
os.environ["MPLBACKEND"] = "agg"


class Told(LimitedText):
    """Text that is sent on while it is printed: an endless loop never returns."""

    def __init__(self, tell: Callable[[str], Any] | None) -> None:
        super().__init__(MOST_CHARACTERS)
        self._tell = tell

    def write(self, text: str) -> int:
        """Keep what fits, and return the full length."""
        before = len(self.kept)
        length = super().write(text)
        if self._tell is not None and len(self.kept) > before:
            self._tell(self.kept[before:])
        return length


def run(
    code: str,
    steps: Sequence[str] = (),
    checked: str = "",
    look: str = "light",
    tell: Callable[[str], Any] | None = None,
) -> dict[str, Any]:
    """Run statements silently, then code and, if it asks for one, a check.

    Parameters
    ----------
    code : str
        The reader's.
    steps : list of str
        Statements of the chapter that run before it, silently; one that fails is left
        out.
    checked : str, optional
        The chapter's call of `check`.
    look : {"light", "dark"}
        The page's theme, for pictures.
    tell : function, optional
        Callback that receives printed text at once.

    Returns
    -------
    dict
        ``shown``: pairs of kind and content; ``status`` of the check, if it was made;
        ``progress``: lines to be added to the reader's.
    """
    LOG.unlink(missing_ok=True)
    out, silent = Told(tell), Told(None)
    shown, status = [], ""
    names: dict[str, Any] = {"__name__": "__main__", "check": check, "hint": hint}
    with drawing(look):
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            prepare(steps, names)
        close_figures()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                value = _execute(code, FILE, names)
                if checked:
                    value = _execute(checked, "<check>", names)
                if isinstance(value, Result):
                    # The page terminates its worker, so this note is not true here.
                    here = LocalExecutor.note
                    notes = tuple(note for note in value.notes if note != here)
                    offer = HINT_LINE.format(name=value.name)
                    problem = value.problem.removesuffix(offer)
                    value = dataclasses.replace(value, notes=notes, problem=problem)
                    status = value.status if checked else ""
                shown += [("html", picture) for picture in pictures()]
                if value is not None and not (shown and is_drawn(value)):
                    shown.append(display(value))
            except BaseException as error:  # SystemExit, too: Python goes on
                shown.append(("error", _explained(error)))
            close_figures()
    if out.length:
        shown.insert(0, ("text", out.text()))
    left.clear()
    left.update(names)
    progress = LOG.read_text("utf-8") if LOG.exists() else ""
    return {"shown": shown, "status": status, "progress": progress}


def give_hint(name: str, number: int) -> dict[str, Any]:
    """Return an exercise's hint of that number, or the last one."""
    last = len(find(name).hints)
    return {"shown": [("html", hint(name, min(number, last))._repr_html_())]}


def _execute(code: str, file: str, names: dict[str, Any]) -> Any:
    """Run code; the value of its last line, if that is an expression."""
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
    tree = ast.parse(code, file)
    last = (
        tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    )
    exec(compile(tree, file, "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), file, "eval"), names)


def _explained(error: BaseException) -> str:
    """Return the traceback from the reader's own code on."""
    where = error.__traceback__
    while where and where.tb_frame.f_code.co_filename not in (FILE, "<check>"):
        where = where.tb_next
    lines = traceback.format_exception(type(error), error, where)
    text = "".join(lines)[-MOST_CHARACTERS:]
    name = getattr(error, "name", None)
    if isinstance(error, NameError) and _raised_in(error) == "<check>":
        return f"{lines[-1]}The check needs {name}, which your code does not define."
    if isinstance(error, OSError) and error.errno == errno.EIO:
        text += "\nPython on this page reads no input: write the value into the code."
    if isinstance(error, NameError | ImportError) and name in ABSENT:
        text += f"\nPython on this page has no {name}: use NumPy, or run the notebook."
    return text


def _raised_in(error: BaseException) -> str:
    """Return the name of the file whose code raised an error."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame.f_code.co_filename
