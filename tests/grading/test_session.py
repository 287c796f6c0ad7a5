"""Which answers to an exercise are looked at, told without a submission's process."""

import dataclasses
import types

import pytest

from posenc.grading import session as session_module
from posenc.grading.grades import Limits
from posenc.grading.notebook_cells import Notebook
from posenc.grading.protocol import Facts, encode_outcome
from posenc.grading.session import GradingSession
from posenc.kit.exercises.call import Outcome

START = "t5.last_bucket_start"
#: What a submission says of a function.
FUNCTION = Facts(
    none=False, callable=True, ours=False, name="f", type="function", replaced=[]
)
STUB = Outcome("unanswered")  # it raises NotImplementedError
WRONG = Outcome("value", value=-1, kind="int")


@pytest.fixture
def session():
    return GradingSession([START], Limits(answer=10))


def status(session, outcome, **facts):
    """Status of an answer whose calls all come to this outcome."""
    asked = {"outcome": encode_outcome(outcome)}
    return session.check(
        START, dataclasses.replace(FUNCTION, **facts), lambda *_: asked
    ).status


def final(session):
    return session.grade(START, Notebook([], {}))


def test_an_exercise_checked_before_it_is_answered_costs_no_try(session):
    for _ in range(20):
        assert status(session, STUB) == "unanswered"
        assert status(session, STUB, none=True) == "unanswered"  # None, or ...
    assert [status(session, WRONG) for _ in range(5)] == ["failed"] * 5
    assert "answers were checked" not in final(session).problem
    assert status(session, STUB, none=True) == "failed"  # not looked at: the last one's
    assert final(session).problem.count("More than 5 answers were checked") == 1
    assert status(session, WRONG) == "failed"
    assert final(session).problem.count("More than 5 answers were checked") == 1


def test_stubs_that_take_time_are_tries(session, monkeypatch):
    """Else a notebook could hold the grader up for as long as it likes."""
    seconds = []

    def slow(*_):
        seconds.append(4.0)
        return {"outcome": encode_outcome(STUB)}

    clock = types.SimpleNamespace(monotonic=lambda: sum(seconds))
    monkeypatch.setattr(session_module, "time", clock)
    for _ in range(20):
        assert session.check(START, FUNCTION, slow).status == "unanswered"
    assert len(seconds) == 2 + 5  # two of them before ten seconds are over
