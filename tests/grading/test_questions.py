"""Which answers to an exercise are looked at, told without a submission's process."""

import types

import pytest

from posenc.grading import questions
from posenc.grading.marks import Limits
from posenc.grading.notebook_cells import Notebook
from posenc.grading.questions import Bench
from posenc.grading.wire import of_outcome
from posenc.kit.exercises.call import Outcome

START = "t5.last_bucket_start"
#: What a submission says of a function.
FUNCTION = {"none": False, "callable": True, "name": "f", "type": "function"} | {
    "ours": False,
    "replaced": [],
}
STUB = Outcome("unanswered")  # it raises NotImplementedError
WRONG = Outcome("value", value=-1, kind="int")


@pytest.fixture
def bench():
    return Bench([START], Limits(answer=10))


def status(bench, outcome, **facts):
    """Status of an answer whose calls all come to this outcome."""
    asked = {"outcome": of_outcome(outcome)}
    return bench.judge(START, FUNCTION | facts, lambda *_: asked).status


def final(bench):
    return bench.mark(START, Notebook([], {}))


def test_an_exercise_checked_before_it_is_answered_costs_no_try(bench):
    for _ in range(20):
        assert status(bench, STUB) == "unanswered"
        assert status(bench, STUB, none=True) == "unanswered"  # None, or ...
    assert [status(bench, WRONG) for _ in range(5)] == ["failed"] * 5
    assert "answers were checked" not in final(bench).problem
    assert status(bench, STUB, none=True) == "failed"  # not looked at: the last one's
    assert final(bench).problem.count("More than 5 answers were checked") == 1
    assert status(bench, WRONG) == "failed"
    assert final(bench).problem.count("More than 5 answers were checked") == 1


def test_stubs_that_take_time_are_tries(bench, monkeypatch):
    """Else a notebook could hold the judge up for as long as it likes."""
    seconds = []

    def slow(*_):
        seconds.append(4.0)
        return {"outcome": of_outcome(STUB)}

    clock = types.SimpleNamespace(monotonic=lambda: sum(seconds))
    monkeypatch.setattr(questions, "time", clock)
    for _ in range(20):
        assert bench.judge(START, FUNCTION, slow).status == "unanswered"
    assert len(seconds) == 2 + 5  # two of them before ten seconds are over
