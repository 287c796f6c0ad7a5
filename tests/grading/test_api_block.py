"""Block posenc's functions while an answer runs, but for those that it may use."""

import functools
import importlib
import inspect
import sys
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc.grading.api_block import ApiBlocker
from posenc.kit.exercises.call import RefusedError, Request
from posenc.kit.exercises.executor import ForkedExecutor

BUCKET = posenc.t5.relative_position_bucket
#: A file name as if the code stood in the book.
FORGED = str(Path(posenc.__file__).parent / "t5" / "exercises" / "mine.py")
WITH_OPTIONS = {"num_buckets": 8, "max_distance": 20}


def late(*args, **kwargs):
    from posenc import t5

    return t5.relative_position_bucket(*args, **kwargs)


@pytest.mark.parametrize(
    "answer",
    [
        lambda *args, **kwargs: BUCKET(*args, **kwargs),
        late,
        np.vectorize(BUCKET, otypes=[int]),
        functools.partial(lambda *args, **kwargs: BUCKET(*args, **kwargs)),
        eval(compile("lambda *a, **k: BUCKET(*a, **k)", FORGED, "eval")),
    ],
    ids=["wrapper", "import", "vectorized", "partial", "forged"],
)
def test_executor_refuses_an_answer_that_calls_posenc(answer):
    blocker = ApiBlocker([])
    executor = ForkedExecutor(answer, 60.0, blocker.__enter__)
    outcome = executor.ask(Request((np.array([3]),), WITH_OPTIONS))
    executor.close()
    assert outcome.status == "refused"
    assert outcome.error.startswith("Your answer calls posenc.t5.relative_position_")
    assert BUCKET(np.array([3]), **WITH_OPTIONS).tolist() == [6]  # not blocked here


def test_blocker_allows_named_functions_and_what_they_call():
    with ApiBlocker(["t5.relative_position_bias"]):
        bias = posenc.t5.relative_position_bias(np.eye(8), 2, 2, max_distance=20)
        with pytest.raises(RefusedError, match=r"t5\.relative_position_bucket"):
            BUCKET(np.array([3]))
    assert bias.shape == (8, 2, 2)


def test_blocker_refuses_modules_imported_later(monkeypatch):
    monkeypatch.delitem(sys.modules, "posenc.t5.nn", raising=False)
    with ApiBlocker([]):
        nn = importlib.import_module("posenc.t5.nn")
        with pytest.raises(RefusedError, match=r"t5\.bucket_starts"):
            nn.RelativePositionBias(2)


def test_blocked_generator_function_stays_one():
    # Python 3.14 warns of code of another kind, and the warning reached the learner.
    steps = importlib.import_module("posenc.attention.exercises.symmetry")._known
    with ApiBlocker([]):
        assert inspect.isgeneratorfunction(steps)
        with pytest.raises(RefusedError, match=r"attention\._known"):
            list(steps())
    assert inspect.isgeneratorfunction(steps)
