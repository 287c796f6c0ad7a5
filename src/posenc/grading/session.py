"""Check the answers of one notebook, and keep the best result of each exercise."""

import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from posenc.kit.exercises import OURS, judged, wrong_kind
from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.registry import POINTS
from posenc.kit.exercises.result import Result

from .api_block import allowed_in
from .grades import Grade, Limits
from .notebook_cells import Notebook, known
from .protocol import Facts
from .worker_client import Ask, RemoteExecutor, WorkerClient

#: Answers to one exercise that are checked; the first that passes counts. Stubs do not
#: count, unless they take longer, in all, than one answer may.
_TRIES = 5


class GradingSession:
    """Checks answers, and keeps the best result of each exercise."""

    def __init__(self, wanted: Sequence[str], limits: Limits) -> None:
        self._wanted, self._limits = set(wanted), limits
        self._results: dict[str, tuple[Result, int]] = {}
        self._tries = Counter[str]()
        self._unanswered = defaultdict[str, float](float)  # seconds
        self.seen: set[str] = set()
        self.cell = 0
        #: While cells run a second time no answer is checked.
        self.closed = False

    def check(self, name: str, facts: Facts, ask: Ask) -> Result:
        """Check a submitted answer."""
        self.seen.add(name)
        exercise = known(name)
        if exercise is None or name not in self._wanted:
            return Result(name, "unknown", problem="This exercise is not graded here.")
        if self.closed or self._passed(name):
            return self._last(name)
        if self._tries[name] >= _TRIES:
            self._add_note(name)
            return self._last(name)
        begin = time.monotonic()
        result = self._result(name, facts, ask)
        if result.status == "unanswered":
            self._unanswered[name] += time.monotonic() - begin
        if (
            result.status != "unanswered"
            or self._unanswered[name] > self._limits.answer
        ):
            self._tries[name] += 1
        self._keep(name, result)
        return result

    def _last(self, name: str) -> Result:
        return self._results[name][0] if name in self._results else _SILENT

    def _add_note(self, name: str) -> None:
        """Add to the result that later answers were not checked."""
        result, cell = self._results[name]
        if _NO_MORE not in result.problem:
            words = f"{result.problem} {_NO_MORE}".lstrip()
            self._results[name] = replace(result, problem=words), cell

    def _result(self, name: str, facts: Facts, ask: Ask) -> Result:
        exercise = known(name)
        assert exercise is not None
        if facts.none:
            return Result(name, "unanswered")
        problem = wrong_kind(exercise, facts.callable, facts.type[:100])
        if facts.replaced:
            names = ", ".join(text[:100] for text in facts.replaced[:3])
            problem = _REPLACED.format(names)
        if problem or facts.ours:
            return Result(name, "failed", problem=problem or OURS)
        executor = RemoteExecutor(
            ask,
            self._limits.answer,
            allowed=list(allowed_in(exercise)),
            function=exercise.asks_for == "function",
        )
        own = facts.name[:100] if facts.name.isidentifier() else ""
        attempt = Attempt(executor, own or name.partition(".")[2])
        return judged(exercise, attempt, secrets.randbelow(1_000_000))

    def failed(self, name: str, problem: str) -> None:
        """Store the reason why there is no answer to check."""
        if name in self._wanted:
            self._keep(name, Result(name, "failed", problem=problem))

    def submit_the_rest(self, worker: WorkerClient, notebook: Notebook) -> None:
        """Check answers without a test, if the notebook's metadata names them."""
        answers = notebook.exercises
        for name in self._wanted - self._results.keys() & answers.keys():
            if not notebook.answer_to(name):
                continue  # its cell was deleted, too
            self.cell = 0
            error, _ = worker.evaluate(name, answers[name])
            if error and name not in self._results:
                self.failed(name, f"{_MISSING} And it ended with {error}")

    def _passed(self, name: str) -> bool:
        return name in self._results and self._results[name][0].status == "passed"

    def _keep(self, name: str, result: Result) -> None:
        if not self._passed(name):
            self._results[name] = (result, self.cell)

    def grade(self, name: str, notebook: Notebook) -> Grade:
        """Grade the exercise."""
        exercise = known(name)
        if exercise is None:
            return Grade(name, 0, 0, "missing", "There is no exercise of that name.")
        of = POINTS[exercise.asks_for]
        title = notebook.titles.get(name, "")
        about: dict[str, Any] = {"answer": notebook.answer_to(name), "title": title}
        if name not in self._results:
            return Grade(name, 0, of, "missing", _MISSING, **about)
        result, cell = self._results[name]
        return Grade.of_result(result, of, cell=cell, **about)


_REPLACED = (
    "{} is no longer what it was when posenc was loaded, and checks rely on it. Take "
    "out the code that replaces it, and restart Python (the kernel)."
)
_MISSING = "Its test was deleted."
_NO_MORE = (
    f"(More than {_TRIES} answers were checked: the later ones were not looked at.)"
)
_SILENT = Result("", "unanswered")
