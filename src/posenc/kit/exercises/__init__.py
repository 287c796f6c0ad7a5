"""Checks and hints for the book's exercises.

``check("t5.relative_position_bucket", my_function)`` tries an answer on random inputs,
tells which property fails with the smallest example, and names the mistake where it is
a known one. ``hint("t5.relative_position_bucket")`` gives one hint more at each call.
``progress()`` shows what was passed and tried; `check` keeps it on disk.
Nothing here raises because of an answer, whatever the answer does.

A chapter's exercises lie in ``posenc.<slug>.exercises``. Most are data: `tasks` takes
cases, the right answer and known mistakes (`mistakes`), and judges. `widget_answers`
reads settings of a widget. `registry` finds an exercise, `attempt` calls the answer for
a judge, `executor` runs it in a process with a time limit, `call` makes one call, and
`values` translates arguments and results. `result` and `report_html` show the outcome,
`progress_file` and `progress_table` keep and show the progress.
"""

import dataclasses
import inspect
import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np

from posenc.core.checks import check_int, check_positive

from . import progress_file as _progress
from .attempt import Attempt, UnansweredError, WrongError
from .call import Outcome, Request, is_ours
from .executor import start
from .mistakes import Case
from .progress_table import Progress, gather
from .registry import RETIRED, Exercise, UnknownExerciseError, find, names
from .result import Hint, Result, Status
from .tasks import FunctionTask
from .values import with_article

__all__ = ["Hint", "Progress", "Result", "check", "hint", "names", "progress"]

#: The problem of an answer that is a function of the book.
OURS = "That is our own function: now write yours."
#: The last line of a task; pages leave it out, since they have a button for hints.
HINT_LINE = '\nhint("{name}") gives a first hint.'

_hints_shown: dict[str, int] = {}


def check(
    name: str,
    answer: Any = None,
    *,
    seed: int | None = None,
    time_limit: float = 10.0,
    isolate: bool = True,
    record: bool = True,
) -> Result:
    """Check an answer to an exercise, and say what is right and what is not.

    A function runs in a process of its own, which is ended when its time is over. Where
    there is none (in JupyterLite, which runs in the browser, and on Windows), nothing
    can stop an endless loop: restart the kernel (on Windows `check` says so while it
    runs). A page ends it after some seconds.

    Parameters
    ----------
    name : str
        ``"<chapter>.<exercise>"``; `names` lists them all.
    answer : function or value
        The function itself, or the value that the exercise asks for.
    seed : int, optional
        Seed of the random inputs. Left out, a new one is drawn; the report prints it,
        and the same seed repeats the same check.
    time_limit : float, default 10.0
        Seconds that all calls of the answer may take together.
    isolate : bool, default True
        Run the answer in a process of its own, where the platform can start one.
        Otherwise it runs here, where a debugger can follow it, and the report says so.
    record : bool, default True
        Count this try in `progress`, if it passes or fails.

    Returns
    -------
    Result
        Shows itself in a notebook and in a terminal; true if the answer passed.

    Examples
    --------
    >>> check("t5.last_bucket_start", ..., seed=1)
    … t5.last_bucket_start: not answered yet
        First distance of the last bucket of a causal T5 bias.
        hint("t5.last_bucket_start") gives a first hint.
    """
    try:
        exercise = find(name)
    except UnknownExerciseError as unknown:
        status: Status = "retired" if str(name) in RETIRED else "unknown"
        return Result(str(name), status, problem=str(unknown))
    if answer is None or answer is Ellipsis:
        return _not_begun(exercise)
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    check_int("seed", seed, below=2**63)
    check_positive("time_limit", time_limit, remedy="it is in seconds")
    wrong = wrong_kind(exercise, callable(answer), type(answer).__name__)
    if wrong:
        return Result(exercise.name, "failed", problem=wrong)
    if is_ours(answer):
        return Result(exercise.name, "unanswered", problem=OURS)
    function = answer if exercise.asks_for == "function" else lambda: answer
    executor = start(function, time_limit, isolate)
    try:
        result = judged(exercise, Attempt(executor, _name(exercise, answer)), seed)
    finally:
        executor.close()
    if record and result.status in ("passed", "failed"):
        note = _progress.record(exercise.name, bool(result), seed)
        if note:
            result = dataclasses.replace(result, notes=(*result.notes, note))
    return result


def progress(chapter: str | None = None) -> Progress:
    """Show which exercises were passed and tried, when, and how often.

    Each `check` that passes or fails adds a line to a file, at once; the file is never
    rewritten. The environment variable ``POSENC_PROGRESS`` may name another file than
    the one in the folder for your data. In the browser it lies in the notebook's
    folder.

    Parameters
    ----------
    chapter : str, optional
        Show this chapter alone, such as ``"t5"``.
    """
    return gather(chapter)


def hint(name: str, number: int | None = None) -> Hint:
    """Show the next hint of an exercise, or the one with the given number (from 1).

    Examples
    --------
    >>> hint("t5.last_bucket_start", 1)
    Hint 1 of 3 for t5.last_bucket_start
        The last of the m logarithmic buckets is the one with t = m - 1.
    """
    try:
        exercise = find(name)
    except UnknownExerciseError as unknown:
        return Hint(str(name), 0, 0, str(unknown))
    total = len(exercise.hints)
    if number is None:
        number = min(_hints_shown.get(exercise.name, 0) + 1, total)
    if number not in range(1, total + 1):
        text = f"There are {total} hints, numbered from 1; you asked for {number!r}."
        return Hint(exercise.name, 0, total, text)
    _hints_shown[exercise.name] = number
    return Hint(exercise.name, number, total, exercise.hints[number - 1])


def judged(exercise: Exercise, attempt: Attempt, seed: int) -> Result:
    """Run the chapter's checker on the answer; return a result whatever happens."""
    status: Status = "passed"
    wrong = WrongError("")
    try:
        exercise.checker(attempt, np.random.default_rng(seed))
    except UnansweredError:
        return _not_begun(exercise)
    except WrongError as found:
        status, wrong = "failed", found
    except Exception as error:
        status = "broken"
        wrong = WrongError(
            "The check itself failed. That is the book's mistake, not yours: "
            f"please report it with the seed. {type(error).__name__}: {error}"
        )
    return Result(
        exercise.name,
        status,
        problem=wrong.problem,
        example=wrong.example,
        mistakes=wrong.mistakes,
        held=tuple(attempt.held),
        notes=attempt.all_notes(),
        printed=attempt.printed,
        seed=seed if exercise.asks_for == "function" else None,
    )


def calls_of(exercise: Exercise, seed: int) -> Iterator[Case]:
    """Yield calls that an exercise makes: all of them if they are data, or the first.

    None if it asks for a value.
    """
    if isinstance(exercise.checker, FunctionTask):
        yield from exercise.checker.all_cases(np.random.default_rng(seed))
    elif exercise.asks_for == "function":
        asked = _Asked()
        judged(exercise, Attempt(asked, ""), seed)
        if asked.first:
            yield Case(asked.first.args, asked.first.kwargs)


class _Asked:
    """An executor that keeps the first request, and calls nothing."""

    note = ""

    def __init__(self) -> None:
        self.first: Request | None = None

    def ask(self, request: Request) -> Outcome:
        """Record the first call."""
        self.first = self.first or request
        return Outcome("unanswered")

    def close(self) -> None:
        """Do nothing: nothing is running."""


def _not_begun(exercise: Exercise) -> Result:
    task = exercise.statement + HINT_LINE.format(name=exercise.name)
    return Result(exercise.name, "unanswered", problem=task)


def _name(exercise: Exercise, answer: Any) -> str:
    """Return the function's name in shown calls, or else the exercise's."""
    own = answer.__name__ if inspect.isroutine(answer) else ""
    return own if own.isidentifier() else exercise.name.partition(".")[2]


def wrong_kind(exercise: Exercise, is_callable: bool, kind: str) -> str:
    """Report a function handed in for a value, or the reverse; else return nothing."""
    if exercise.asks_for == "function" and not is_callable:
        return (
            f"This exercise asks for a function, got {with_article(kind)}. Give "
            "the function itself, without calling it: "
            f'check("{exercise.name}", my_function).'
        )
    if exercise.asks_for == "value" and is_callable:
        return (
            f"This exercise asks for a value, got {with_article(kind)}: call it, "
            "and give what it returns."
        )
    return ""
