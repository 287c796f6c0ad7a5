"""Questions the answers of one notebook, and keeps the best result of each exercise."""

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
from .worker_client import Ask, RemoteExecutor, WorkerClient

#: Answers to one exercise that are tried; the first that passes counts. A stub that is
#: as it was is none, unless finding that out takes longer, in all, than one answer may.
_TRIES = 5


class GradingSession:
    """Questions answers, and keeps the best result of each exercise."""

    def __init__(self, wanted: Sequence[str], limits: Limits) -> None:
        self._wanted, self._limits = set(wanted), limits
        self._results: dict[str, tuple[Result, int]] = {}
        self._tries = Counter[str]()
        self._unanswered = defaultdict[str, float](float)  # seconds
        self.seen: set[str] = set()
        self.cell = 0
        #: While cells are run a second time nothing is judged.
        self.closed = False

    def judge(self, name: str, facts: dict[str, Any], ask: Ask) -> Result:
        """Question an answer."""
        self.seen.add(name)
        exercise = known(name)
        if exercise is None or name not in self._wanted:
            return Result(name, "unknown", problem="This exercise is not graded here.")
        if self.closed or self._passed(name):
            return self._last(name)
        if self._tries[name] >= _TRIES:
            self._say_that_it_is_tried_no_more(name)
            return self._last(name)
        begin = time.monotonic()
        result = self._question(name, facts, ask)
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

    def _say_that_it_is_tried_no_more(self, name: str) -> None:
        result, cell = self._results[name]
        if _NO_MORE not in result.problem:
            words = f"{result.problem} {_NO_MORE}".lstrip()
            self._results[name] = replace(result, problem=words), cell

    def _question(self, name: str, facts: dict[str, Any], ask: Ask) -> Result:
        exercise = known(name)
        assert exercise is not None
        if facts["none"]:
            return Result(name, "unanswered")
        replaced = facts["replaced"]
        if replaced:
            return Result(
                name, "failed", problem=_REPLACED.format(", ".join(replaced[:3]))
            )
        wrong = wrong_kind(exercise, facts["callable"], facts["type"])
        if wrong:
            return Result(name, "failed", problem=wrong)
        if facts["ours"]:
            return Result(name, "failed", problem=OURS)
        function = exercise.asks_for == "function"
        allowed = allowed_in(exercise)
        executor = RemoteExecutor(ask, self._limits.answer, allowed, function)
        own = facts["name"] if facts["name"].isidentifier() else ""
        attempt = Attempt(executor, own or name.partition(".")[2])
        return judged(exercise, attempt, secrets.randbelow(1_000_000))

    def failed(self, name: str, problem: str) -> None:
        """Keep that an answer could not even be had."""
        if name in self._wanted:
            self._keep(name, Result(name, "failed", problem=problem))

    def hand_in_the_rest(self, worker: WorkerClient, notebook: Notebook) -> None:
        """Judge answers without a test, if the notebook says what they are."""
        answers = notebook.exercises
        for name in self._wanted - self._results.keys() & answers.keys():
            if not notebook.answer_to(name):
                continue  # its cell is gone, too
            self.cell = 0
            ended = worker.evaluate(name, answers[name])
            if ended.error and name not in self._results:
                self.failed(name, f"{_MISSING} And it ended with {ended.error}")

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
        answer = notebook.answer_to(name)
        if name not in self._results:
            title = notebook.titles.get(name, "")
            return Grade(name, 0, of, "missing", _MISSING, answer=answer, title=title)
        result, cell = self._results[name]
        return Grade(
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
            notebook.titles.get(name, ""),
        )


_REPLACED = (
    "{} is no longer what it was when posenc was loaded, and checks rely on it. Take "
    "out the code that replaces it, and restart Python (the kernel)."
)
_MISSING = "Its test was deleted."
_NO_MORE = (
    f"(More than {_TRIES} answers were checked: the later ones were not looked at.)"
)
_SILENT = Result("", "unanswered")
