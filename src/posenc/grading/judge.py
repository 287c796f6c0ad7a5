"""The judge: a process that never runs what was handed in, but asks it questions.

``python -m posenc.grading.judge`` reads a task as JSON from standard input and writes
the marks there as JSON; `graded` starts it, and gives the marks back.
"""

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from posenc.core.chapters import PACKAGE
from posenc.kit.exercises import judged, replaced_words, wrong_kind
from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.call import Outcome, Request
from posenc.kit.exercises.registry import POINTS
from posenc.kit.exercises.result import Result

from .children import adopt_orphans, end_all
from .house import make_house
from .notebook import Cell, Notebook, known, of_content
from .wire import Channel, WireError, of_request, to_outcome

#: Starts a submission in its house; nothing of the judge's Python goes with it.
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from posenc.grading.submission import main; main()"
)
#: Answers to one exercise that are tried; the first that passes counts.
_TRIES = 5
#: Seconds that an interrupted cell has to end.
_GRACE = 5.0


@dataclass(frozen=True)
class Limits:
    """Seconds: for a cell, for all calls of one answer, and for a notebook."""

    cell: float = 60.0
    answer: float = 10.0
    notebook: float = 600.0


@dataclass
class Mark:
    """What an exercise came to.

    `status` is that of a `Result`; "missing" if nothing in the notebook checks it;
    "on paper" if a person marks it.
    """

    exercise: str
    points: int
    of: int
    status: str
    problem: str = ""
    example: str = ""
    mistakes: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    seed: int | None = None
    cell: int = 0
    answer: str = ""


@dataclass
class Marks:
    """What a notebook came to.

    Attributes
    ----------
    marks : list of Mark
        One for each exercise.
    suspicious : list of str
        What answers do not need, each with the number of its cell.
    errors : list of str
        Cells that ended with an error, or did not end.
    ended : dict
        Error of each cell that was run, or nothing, by the cell's number as text.
    asked : dict
        Exercises that a cell checks, by its number as text.
    seconds : float
        How long it took.
    """

    marks: list[Mark]
    suspicious: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    ended: dict[str, str] = field(default_factory=dict)
    asked: dict[str, list[str]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def points(self) -> int:
        """Points in all."""
        return sum(mark.points for mark in self.marks)

    @property
    def of(self) -> int:
        """Points that there are."""
        return sum(mark.of for mark in self.marks)


def graded(
    content: Any, exercises: Sequence[str] = (), limits: Limits | None = None
) -> Marks:
    """Grade the content of a notebook's file in a fresh process.

    Parameters
    ----------
    content : dict
        Read from JSON.
    exercises : sequence of str, optional
        Those that count; if left out, the notebook's own.
    limits : Limits, optional
        Seconds.

    Raises
    ------
    RuntimeError
        If the judge itself failed: no marks then, rather than wrong ones.
    """
    limits = limits or Limits()
    task = {"content": content, "exercises": list(exercises), "limits": asdict(limits)}
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "posenc.grading.judge"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    ) as process:
        out, errors = process.communicate(json.dumps(task).encode())
    if process.returncode:
        msg = f"the judge ended with {process.returncode}: {errors.decode()[-2000:]}"
        raise RuntimeError(msg)
    found = json.loads(out)
    return Marks(**{**found, "marks": [Mark(**mark) for mark in found["marks"]]})


def main() -> None:
    """Grade what standard input holds, and write the marks to standard output."""
    task = json.load(sys.stdin.buffer)
    adopt_orphans()
    notebook = of_content(task["content"])
    wanted = task["exercises"] or list(notebook.exercises)
    with tempfile.TemporaryDirectory(prefix="posenc-") as folder:
        try:
            marks = _grade(notebook, wanted, Limits(**task["limits"]), Path(folder))
        finally:
            end_all()
    json.dump(asdict(marks), sys.stdout)


def _grade(
    notebook: Notebook, wanted: Sequence[str], limits: Limits, folder: Path
) -> Marks:
    begin = time.monotonic()
    make_house(folder)
    bench = Bench(wanted, limits)
    marks = Marks([])
    run = Run(folder, bench.judge, limits)
    skipped: set[int] = set()
    position = 0
    try:
        while position < len(notebook.cells):
            cell = notebook.cells[position]
            if time.monotonic() - begin > limits.notebook:
                marks.errors.append(
                    f"From cell {cell.number} on nothing was run: the notebook took "
                    f"more than {limits.notebook:g} seconds."
                )
                break
            try:
                run_cell(run, cell, bench, marks)
            except _LostError as lost:
                marks.errors.append(f"Cell {cell.number} {lost}")
                skipped.add(position)
                _end(run)
                earlier = [n for n in range(position) if n not in skipped]
                run = _begin_anew(folder, bench, limits, notebook, earlier, skipped)
            position += 1
        bench.hand_in_the_rest(run, notebook.exercises)
    except _LostError as lost:
        marks.errors.append(f"An answer without a test {lost}")
    finally:
        _end(run)
    for cell in notebook.cells:
        marks.suspicious += [f"Cell {cell.number}: {words}" for words in cell.odd]
        marks.asked[str(cell.number)] = [asked.name for asked in cell.asked]
    marks.suspicious = list(dict.fromkeys(marks.suspicious))
    marks.marks = [bench.mark(name, notebook) for name in wanted]
    marks.seconds = round(time.monotonic() - begin, 1)
    return marks


def _begin_anew(
    folder: Path,
    bench: "Bench",
    limits: Limits,
    notebook: Notebook,
    earlier: Sequence[int],
    skipped: set[int],
) -> "Run":
    """A new process in which earlier cells were run, but for those that end it."""
    run = Run(folder, bench.judge, limits)
    bench.closed = True
    for number in earlier:
        try:
            run.cell(notebook.cells[number].source)
        except _LostError:
            skipped.add(number)
            _end(run)
            left = [n for n in earlier if n != number]
            return _begin_anew(folder, bench, limits, notebook, left, skipped)
    bench.closed = False
    return run


def _end(run: "Run") -> None:
    """End a submission's process, and those that have left its group."""
    run.close()
    end_all()


def run_cell(run: "Run", cell: Cell, bench: "Bench", marks: Marks) -> None:
    """Run one cell, and hand in what it checks."""
    bench.cell = cell.number
    bench.seen.clear()
    ended = run.cell(cell.source)
    marks.ended[str(cell.number)] = ended.error
    if ended.error and not cell.asked:
        marks.errors.append(f"Cell {cell.number} ended with {ended.error}")
    flags = list(ended.flags)
    for asked in cell.asked:
        if asked.name not in bench.seen:
            ended = run.evaluate(asked.name, asked.answer)
            flags += ended.flags
            if ended.error:
                bench.failed(asked.name, f"The cell ended with {ended.error}")
    marks.suspicious += [f"Cell {cell.number}: {words}" for words in flags]


class Bench:
    """Questions answers, and keeps the best result of each exercise."""

    def __init__(self, wanted: Sequence[str], limits: Limits) -> None:
        self._wanted, self._limits = set(wanted), limits
        self._results: dict[str, tuple[Result, int]] = {}
        self._tries: dict[str, int] = {}
        self.seen: set[str] = set()
        self.cell = 0
        #: While cells are run a second time nothing is judged.
        self.closed = False

    def judge(self, name: str, facts: dict[str, Any], ask: "Ask") -> Result:
        """Question an answer."""
        self.seen.add(name)
        exercise = known(name)
        if exercise is None or name not in self._wanted:
            return Result(name, "unknown", problem="This exercise is not graded here.")
        tries = self._tries.get(name, 0)
        if self.closed or tries >= _TRIES or self._passed(name):
            return self._results[name][0] if name in self._results else _SILENT
        self._tries[name] = tries + 1
        result = self._question(name, facts, ask)
        self._keep(name, result)
        return result

    def _question(self, name: str, facts: dict[str, Any], ask: "Ask") -> Result:
        exercise = known(name)
        assert exercise is not None
        if facts["none"]:
            return Result(name, "unanswered")
        replaced = facts["replaced"]
        if replaced:
            return Result(name, "failed", problem=replaced_words(replaced))
        wrong = wrong_kind(exercise, facts["callable"], facts["type"])
        if wrong:
            return Result(name, "failed", problem=wrong)
        function = exercise.asks_for == "function"
        allowed = [*exercise.uses, *(() if name.startswith("attention.") else _BASICS)]
        worker = _Remote(ask, self._limits.answer, allowed, function)
        own = facts["name"] if facts["name"].isidentifier() else ""
        attempt = Attempt(worker, own or name.partition(".")[2])
        result = judged(exercise, attempt, secrets.randbelow(1_000_000))
        if worker.refused:
            return Result(name, "failed", problem=_BOOK.format(worker.refused))
        return result

    def failed(self, name: str, problem: str) -> None:
        """Keep that an answer could not even be had."""
        if name in self._wanted:
            self._keep(name, Result(name, "failed", problem=problem))

    def hand_in_the_rest(self, run: "Run", answers: dict[str, str]) -> None:
        """Judge answers without a test, if the notebook says what they are."""
        for name in self._wanted - self._results.keys() & answers.keys():
            self.cell = 0
            ended = run.evaluate(name, answers[name])
            if ended.error and name not in self._results:
                self.failed(name, f"{_MISSING} And it ended with {ended.error}")

    def _passed(self, name: str) -> bool:
        return name in self._results and self._results[name][0].status == "passed"

    def _keep(self, name: str, result: Result) -> None:
        if not self._passed(name):
            self._results[name] = (result, self.cell)

    def mark(self, name: str, notebook: Notebook) -> Mark:
        """What the exercise came to."""
        exercise = known(name)
        if exercise is None:
            return Mark(name, 0, 0, "missing", "There is no exercise of that name.")
        of = POINTS[exercise.asks_for]
        answer = notebook.answer_to(name)
        if name not in self._results:
            return Mark(name, 0, of, "missing", _MISSING, answer=answer)
        result, cell = self._results[name]
        return Mark(
            name,
            of if result.status == "passed" else 0,
            of,
            result.status,
            result.problem,
            result.example,
            list(result.mistakes),
            list(result.held),
            result.seed,
            cell,
            answer,
        )


_BOOK = (
    "Your answer calls posenc.{}, a function of the book's. This exercise asks you to "
    "write what it does yourself: the book's is there to compare with."
)
#: The first chapter's functions, with which answers of later ones may compute.
_BASICS = (
    "attention.attention_weights",
    "attention.scaled_dot_product_attention",
    "attention.causal_mask",
)
_MISSING = "Its test was deleted."
_SILENT = Result("", "unanswered")

Ask = Callable[[dict[str, Any], float], dict[str, Any]]


class _LostError(Exception):
    """The process of the submission is gone, or does not react."""


class _Remote:
    """A worker that asks the submission; what comes back is checked data."""

    note = ""

    def __init__(
        self, ask: Ask, time_limit: float, allowed: Sequence[str], function: bool
    ) -> None:
        self._ask, self._limit, self._left = ask, time_limit, time_limit
        self._options = {
            "time_limit": time_limit,
            "allowed": list(allowed),
            "function": function,
        }
        #: A function of the book's that the answer called, and must not.
        self.refused = ""

    def ask(self, request: Request) -> Outcome:
        """Call the answer once."""
        begin = time.monotonic()
        message = {"request": of_request(request), **self._options}
        # It ends an answer itself; this is for one that has stopped it from doing so.
        received = self._ask(message, max(self._left, 0.0) + _GRACE)
        self._left -= time.monotonic() - begin
        try:
            outcome = to_outcome(received["outcome"])
        except (KeyError, TypeError, WireError) as error:
            msg = f"answered with something else: {error}."
            raise _LostError(msg) from error
        _, found, name = outcome.error.partition("BookFunctionError: ")
        if found:
            self.refused = self.refused or name
        return outcome

    def close(self) -> None:
        """Nothing is running here."""


@dataclass(frozen=True)
class Ended:
    """How a cell ended: its error, if any, and what was odd."""

    error: str
    flags: list[str]


class Run:
    """A submission's process, seen from the judge.

    Parameters
    ----------
    house : Path
        Where it runs: see `house`.
    judge : function
        Is given name and facts of what is handed in, and a function to ask it.
    limits : Limits
        Seconds.
    """

    def __init__(
        self,
        house: Path,
        judge: Callable[[str, dict[str, Any], Ask], Result],
        limits: Limits,
    ) -> None:
        self._judge, self._limits = judge, limits
        home = house / "home"
        kept = {k: v for k, v in os.environ.items() if k in _ENVIRONMENT}
        said = house / "start.log"  # until it is ready: then it writes nowhere
        with said.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", _START, str(house), *_forbidden()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                cwd=home,
                env={**kept, **_SETTINGS, "HOME": str(home), "IPYTHONDIR": str(home)},
                start_new_session=True,
            )
        self._deadline = time.monotonic() + 120.0
        reader = _Timed(self._process.stdout, lambda: self._deadline)
        self._channel = Channel(reader, self._process.stdin)
        try:
            self._receive()
        except _LostError as lost:
            self.close()
            words = said.read_text("utf-8", "replace")[-2000:]
            msg = f"a submission's process did not start: it {lost}\n{words}"
            raise RuntimeError(msg) from lost

    def cell(self, source: str) -> Ended:
        """Run a cell."""
        return self._carry_out({"cell": source})

    def evaluate(self, name: str, expression: str) -> Ended:
        """Hand in what an expression gives, as the answer to an exercise."""
        return self._carry_out({"evaluate": expression, "name": name})

    def close(self) -> None:
        """End it and its group."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _carry_out(self, message: dict[str, Any]) -> Ended:
        self._deadline = time.monotonic() + self._limits.cell
        self._send(message)
        while True:
            received = self._receive(interrupts=True)
            if "ended" in received:
                error, flags = received["ended"], received.get("flags")
                flags = flags if isinstance(flags, list) else []
                return Ended(str(error)[:1000], [str(f)[:200] for f in flags[:20]])
            self._hear(received)

    def _hear(self, message: dict[str, Any]) -> None:
        """Judge what is handed in; the time that this takes is not the cell's."""
        left = self._deadline - time.monotonic()
        facts = _facts(message.get("answer"))
        result = self._judge(str(message.get("asked")), facts, self._ask)
        self._deadline = time.monotonic() + left
        self._send({"verdict": [result.status, result.problem]})

    def _ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._deadline = time.monotonic() + seconds
        self._send(message)
        return self._receive()

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._channel.send(message)
        except OSError as error:
            msg = "ended Python."
            raise _LostError(msg) from error

    def _receive(self, interrupts: bool = False) -> dict[str, Any]:
        try:
            return self._channel.receive()
        except TimeoutError as error:
            if interrupts:
                os.kill(self._process.pid, signal.SIGINT)
                self._deadline = time.monotonic() + _GRACE
                return self._receive()
            raise _LostError(_TOO_LONG) from error
        except (EOFError, OSError) as error:
            msg = "ended Python."
            raise _LostError(msg) from error
        except WireError as error:
            msg = f"sent something else than an answer: {error}."
            raise _LostError(msg) from error


_TOO_LONG = "took too long, and could not be interrupted."
#: What a submission gets of the environment, besides its settings: nothing secret, but
#: all without which Python or NumPy may not start.
_ENVIRONMENT = {"PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP"} | {
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
}
_SETTINGS = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", "PYTHONHASHSEED": "0"}


def _forbidden() -> list[str]:
    """Folders that a submission must not read: where this posenc lies."""
    source = PACKAGE.parents[1]
    beside = [source / name for name in ("tests", "book", "scripts", "class")]
    return [str(PACKAGE), *(str(p) for p in beside if (source / "_toc.yml").exists())]


def _facts(given: Any) -> dict[str, Any]:
    """What a submission says of an answer, as far as it has the right form."""
    given = given if isinstance(given, dict) else {}
    replaced = given.get("replaced")
    return {
        "none": given.get("none") is True,
        "callable": given.get("callable") is True,
        "name": str(given.get("name", ""))[:100],
        "type": str(given.get("type", ""))[:100],
        "replaced": [str(n)[:100] for n in replaced[:5]]
        if isinstance(replaced, list)
        else [],
    }


class _Timed:
    """A pipe that is read no longer than to a deadline."""

    def __init__(self, file: Any, deadline: Callable[[], float]) -> None:
        self._file, self._deadline = file, deadline

    def read(self, count: int) -> bytes:
        """Read what is there, up to `count` bytes; wait for the first."""
        left = self._deadline() - time.monotonic()
        ready, _, _ = select.select([self._file], [], [], max(left, 0.0))
        if not ready:
            raise TimeoutError
        data: bytes = self._file.read(count)
        return data


if __name__ == "__main__":
    main()
