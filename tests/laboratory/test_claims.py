"""Claims of the page: they hold of the runs, of runs drawn anew, and not of others."""

import numpy as np
import pytest

from posenc.core.chapters import PACKAGE
from posenc.laboratory import CLAIMS, Numbers, claims, results
from posenc.training import runs

PAGE = (PACKAGE.parents[1] / "book" / "laboratory.md").read_text()
#: Draws of runs and answers, and the share of them in which a claim has to hold.
DRAWS, HELD = 200, 0.95


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_hold_of_the_runs_and_of_runs_drawn_anew(name):
    holds = CLAIMS[name]
    assert holds(Numbers())
    held = [holds(Numbers(np.random.default_rng(seed))) for seed in range(DRAWS)]
    assert np.mean(held) >= HELD


def test_the_page_states_the_number_of_draws():
    words = " ".join(PAGE.split())
    assert f"draws the runs again {DRAWS} times" in words
    assert f"result must hold in {100 * HELD:.0f} %" in words


def test_numbers_are_those_of_solved_runs():
    tested = results("index")["rope"]
    assert not all(tested.solved)
    shares = [
        a
        for a, solved in zip(tested.accuracy[128], tested.solved, strict=True)
        if solved
    ]
    assert Numbers()("index", "rope", 128).tolist() == shares
    assert len(Numbers()("index", "rope", 128, solved=False)) == 3
    run = results("copy")["t5"].runs[0]
    result = Numbers()("copy", "t5", 1024, factor=2.5)[0]
    assert result == run["apart"]["sharper"]["1024"]["2.5"]["accuracy"]
    assert (
        Numbers()("copy", "t5", 256, "gap")[0] == run["apart"]["gap"]["256"]["accuracy"]
    )
    crowd = Numbers()("copy", "alibi", 256, "crowd")[0]
    tests = results("copy")["alibi"].runs[0]["apart"]
    assert crowd == tests["crowd"]["256"]["accuracy"]
    alike = [Numbers()("copy", "t5", 256, kind).tolist() for kind in ("crowd", "long")]
    assert alike[0] == alike[1]


def test_spans_are_lowest_to_highest():
    assert claims.span(np.array([0.204, 0.196])) == "20 %"
    assert claims.span(np.array([0.5, 0.014, 0.97])) == "1 to 97 %"


@pytest.mark.parametrize("task", runs.TASKS)
def test_models_have_about_equally_many_parameters(task):
    encodings = (*runs.PAGE, *(name for _, names in runs.CONTROLS for name in names))
    result = [
        run["parameters"]
        for name, tested in results(task).items()
        for run in tested.runs
        if name in encodings
    ]
    assert max(result) < 1.03 * min(result)
