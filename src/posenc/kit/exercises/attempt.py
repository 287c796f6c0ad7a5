"""Interface of checkers: call the answer, state properties, and report mistakes."""

from typing import Any, NoReturn

import numpy as np

from .call import Outcome, Request
from .executor import Executor
from .values import Unusable, describe, half_precision, snap


class WrongError(Exception):
    """The answer is wrong, and here is how: see `Attempt.reject`."""

    def __init__(
        self, problem: str, example: str = "", mistakes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(problem)
        self.problem, self.example, self.mistakes = problem, example, mistakes


class UnansweredError(Exception):
    """The learner has not begun."""


class Attempt:
    """One check of one answer.

    A checker calls `ask` as often as it likes, small inputs first; `reject` ends it.

    Parameters
    ----------
    executor : Executor
        Runs the answer.
    name : str
        Name of the answer in the calls that are shown.

    Attributes
    ----------
    held : list of str
        Properties that were found to hold, for the report.
    notes : list of str
        Remarks that do not decide about right and wrong.
    kind : str
        What the last call returned, in words.
    precision : float
        Spacing of numbers at 1 in what the last call returned, if that is of 16 bits;
        else 0.
    stopped : bool
        Whether the last call raised an error or returned None.
    reads : int
        Entries that the last `ask_counting` read from the first argument.
    printed : str
        What the answer printed at first.
    """

    def __init__(self, executor: Executor, name: str) -> None:
        self._executor, self._name = executor, name
        self._style, self._asked, self._warned = "numpy", False, ""
        self._ran_code = False
        self._halves: list[str] = []
        self.held: list[str] = []
        self.notes: list[str] = []
        self.kind = self.printed = ""
        self.reads, self.precision, self.stopped = 0, 0.0, False

    def choose_style(self, styles: tuple[str, ...], *args: Any, **kwargs: Any) -> Any:
        """Do as `ask`, and choose the style in which the answer is called from now on.

        If it fails in every style, the error furthest down in its code is reported.
        """
        failures = []
        for style in styles:
            outcome = self._executor.ask(Request(args, kwargs, style))
            if outcome.status not in ("error", "no torch"):
                self._style = style
                break
            if outcome.status == "error":
                failures.append(outcome)
        else:
            outcome = max(failures, key=lambda failure: failure.line_number)
        if self._style == "scalar":
            self.notes.append(
                "Your function takes one number at a time, so it was called once for "
                "each entry of the arrays."
            )
        return self._use(outcome, args, kwargs)

    def ask(self, *args: Any, **kwargs: Any) -> Any:
        """Call the answer and return its result as plain data, or reject it."""
        outcome = self._executor.ask(Request(args, kwargs, self._style))
        return self._use(outcome, args, kwargs)

    def ask_counting(self, *args: Any, **kwargs: Any) -> Any:
        """Do as `ask`, and count in `reads` what is read from the first argument."""
        outcome = self._executor.ask(
            Request(args, kwargs, self._style, count_reads=True)
        )
        self.reads = outcome.reads
        return self._use(outcome, args, kwargs)

    def ask_for_list(self) -> Any:
        """Return an answer that was a list of dots before the learner began."""
        answer = self.ask()
        if isinstance(answer, np.ndarray):
            answer = answer.tolist()
        entries = flat(answer)
        if entries and all(is_blank(entry) for entry in entries):
            self.not_begun()
        return answer

    def reject(
        self, problem: str, example: str = "", mistakes: tuple[str, ...] = ()
    ) -> NoReturn:
        """End the check: the answer is wrong.

        Parameters
        ----------
        problem : str
            The property that fails.
        example : str
            Smallest input for which it does, what came out, what should have.
        mistakes : tuple of str
            Known mistakes that give just these results.
        """
        raise WrongError(problem, example, mistakes)

    def not_begun(self) -> NoReturn:
        """End the check: there is no answer yet."""
        raise UnansweredError

    def whole_numbers(self, value: Any, shape: tuple[int, ...], what: str) -> Any:
        """Return `value` as an int64 array of that shape, or reject it."""
        return self.read_like(value, np.empty(shape, np.int64), what)

    def real_numbers(self, value: Any, shape: tuple[int, ...], what: str) -> Any:
        """Return `value` as a float64 array of that shape, or reject it.

        Where the right numbers are known, `read_like` is better: it allows for the
        rounding of half precision.
        """
        return self.read_like(value, np.full(shape, np.nan), what)

    def read_like(self, value: Any, right: Any, what: str, axes: str = "") -> Any:
        """Return `value` as an array like the right one, or reject it.

        It must have the same shape, and be whole, real or complex numbers as that is.
        Entries in half precision are the right ones if they agree within its rounding.
        """
        right = np.asarray(right)
        kinds, words, dtype = _KINDS[right.dtype.kind]
        array = self._array(value, right.shape, what, kinds, words, axes).astype(dtype)
        return snap(array, right, self.precision)

    def call_text(self, *args: Any, **kwargs: Any) -> str:
        """Return code that repeats a call."""
        shown = [_code(value) for value in args]
        shown += [f"{key}={_code(value)}" for key, value in kwargs.items()]
        return f"{self._name}({', '.join(shown)})"

    def all_notes(self) -> tuple[str, ...]:
        """Return all remarks: the checker's, the answer's warnings, the worker's."""
        warned = f"Python warned: {self._warned}" if self._warned else ""
        halves = [
            f"The result is in {half}, which holds about {_DIGITS[half]} digits, and "
            "was compared within that precision. float32 shows more."
            for half in self._halves
        ]
        about_executor = self._executor.note if self._ran_code else ""
        return tuple(n for n in (*self.notes, *halves, warned, about_executor) if n)

    def _use(self, outcome: Outcome, args: tuple[Any, ...], kwargs: Any) -> Any:
        """Return the value of an outcome, or end the check and say why."""
        self.printed = self.printed or outcome.printed
        self._warned = self._warned or "; ".join(outcome.warned)[:300]
        self.kind = outcome.kind
        self.stopped = outcome.status in ("error", "unanswered")
        half, self.precision = half_precision(outcome.kind)
        if half and half not in self._halves:
            self._halves.append(half)
        self._ran_code = self._ran_code or bool(args)
        if outcome.status == "unanswered" and not (self._asked or outcome.kind):
            self.not_begun()
        self._asked = True
        problem = _fault(outcome)
        if problem:
            self.reject(problem, self.call_text(*args, **kwargs) if args else "")
        return outcome.value

    def _array(
        self,
        value: Any,
        shape: tuple[int, ...],
        what: str,
        kinds: str,
        words: str,
        axes: str = "",
    ) -> Any:
        got = self.kind or describe(value)
        if isinstance(value, Unusable | str | dict) or value is None:
            self.reject(f"{what} must be {words}, got {got}.")
        try:
            array = np.asarray(value)
        except (ValueError, TypeError, OverflowError):  # rows of different lengths
            self.reject(
                f"{what} must be one array, but {got} is not: its entries differ in "
                "length or in kind."
            )
        if array.dtype.kind not in kinds:
            got += "" if str(array.dtype) in got else f" ({array.dtype})"
            self.reject(f"{what} must be {words}, got {got}.")
        if array.shape != shape:
            expected = f"{axes} = {shape}" if axes else f"{shape}"
            self.reject(f"{what} must have shape {expected}, got shape {array.shape}.")
        return array


#: Why an answer may return None, where nothing better is known.
NO_RETURN = ": is a return missing?"

_DIGITS = {"float16": "three", "bfloat16": "two"}

#: By the kind of the right result: kinds that are read, in words, and the dtype made.
_KINDS = {
    "b": ("b", "True or False", np.bool_),
    "i": ("iu", "whole numbers", np.int64),
    "f": ("iuf", "real numbers", np.float64),
    "c": ("iufc", "real or complex numbers", np.complex128),
}


class Shown(str):
    """A word that stands for an argument in a call that is shown."""

    __slots__ = ()
    __repr__ = str.__str__


def flat(rows: Any) -> list[Any]:
    """Return the entries of lists in lists; none of anything else."""
    if not isinstance(rows, list):
        return []
    return [e for row in rows for e in (flat(row) if isinstance(row, list) else [row])]


def is_blank(value: Any) -> bool:
    """Return True if a value is still to be filled in."""
    return value is None or value is Ellipsis


def _fault(outcome: Outcome) -> str:
    """Return an outcome's fault that is known before reading its value, or nothing."""
    if outcome.status == "unanswered":
        return f"It returns None here{NO_RETURN}"
    if outcome.status == "time":
        return (
            f"It was still running after {outcome.error}: an endless loop, or too many "
            "steps?"
        )
    if outcome.status == "refused":
        return outcome.error
    if outcome.status == "died":
        return f"It ended Python: {outcome.error}."
    if outcome.status == "error":
        where = f"line {outcome.line_number}: {outcome.line}" if outcome.line else ""
        return f"It raises {outcome.error}\n{where}".rstrip()
    if outcome.changed:
        return f"It changes its input {' and '.join(outcome.changed)}. Work on a copy."
    return ""


def _code(value: Any) -> str:
    if isinstance(value, np.ndarray):
        text = np.array2string(value, separator=", ", threshold=20, precision=3)
        return f"np.array({text})"
    return repr(value)
