"""Claims of the page: they hold of the runs, of runs drawn anew, and not of others."""

import re

import numpy as np
import pytest

from posenc.core.chapters import PACKAGE
from posenc.laboratory import CLAIMS, Numbers, claims, results
from posenc.laboratory.apart import ENCODINGS, apart
from posenc.training import runs

PAGE = (PACKAGE.parents[1] / "book" / "laboratory.md").read_text()
#: Draws of runs and answers, and the share of them in which a claim has to hold.
DRAWS, HELD = 200, 0.95


class Swapped(Numbers):
    """Numbers of each encoding under the name of another one, so many places on."""

    def __init__(self, by):
        super().__init__()
        self.by = by

    def __call__(self, task, encoding, length, *rest, **others):
        names = [name for name in ENCODINGS if name in apart(task)]
        if encoding in names and task in ("copy", "index"):
            encoding = names[(names.index(encoding) + self.by) % len(names)]
            if rest[:1] == ("crowd",) and not apart(task)[encoding].crowd:
                encoding = "shaw"  # there is no such test
        return super().__call__(task, encoding, length, *rest, **others)


class Replaced(Numbers):
    """Numbers of one test of sinusoids under the name of another one."""

    def __init__(self, kind, *other):
        super().__init__()
        self.kind, self.other = kind, other

    def __call__(self, task, encoding, length, kind="long", *rest, **others):
        if kind == self.kind:
            length, kind = self.other
        return super().__call__(task, encoding, length, kind, *rest, **others)


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_hold_of_the_runs_and_of_runs_drawn_anew(name):
    holds = CLAIMS[name]
    assert holds(Numbers())
    held = [holds(Numbers(np.random.default_rng(seed))) for seed in range(DRAWS)]
    assert np.mean(held) >= HELD


def test_the_page_states_the_number_of_draws():
    words = " ".join(PAGE.split())
    assert f"draws the runs again {DRAWS} times" in words
    assert (
        f"the main claim of each numbered result must hold in {HELD:.0%}".replace(
            "%", " %"
        )
        in words
    )


@pytest.mark.parametrize("name", sorted(CLAIMS.keys() - {"start sign", "NTK"}))
def test_claims_do_not_hold_of_other_encodings(name):
    assert not all(CLAIMS[name](Swapped(by)) for by in (1, 2))


@pytest.mark.parametrize(
    ("kind", "length", "other"),
    [
        ("gap", 64, "long"),  # new places of the second part do no harm
        ("gap", 1024, "inside"),  # those of the first part add none
        ("moved", 32, "unmoved"),  # trained places do no harm
        ("moved_far", 32, "moved"),  # a second part's places are like a first one's
    ],
)
def test_sinusoids_lose_by_each_move(kind, length, other):
    assert not CLAIMS["sinusoids"](Replaced(kind, length, other))


def test_drawn_runs_are_the_same_for_all_tests_of_a_model():
    numbers = Numbers(np.random.default_rng(0))
    plain, ntk = (numbers("copy", name, 256) for name in ("rope", "rope_ntk"))
    measured = Numbers()
    for drawn, name in ((plain, "rope"), (ntk, "rope_ntk")):
        known = measured("copy", name, 256)
        nearest = [int(abs(known - share).argmin()) for share in drawn]
        assert nearest == list(numbers._runs("copy", "rope", 3))
    assert plain.tolist() != measured("copy", "rope", 256).tolist()


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


def test_the_page_shows_every_number_and_no_other():
    used = re.findall(r"\{glue:text\}`(lab_\w+)`", PAGE)
    settings = {"lab_solved", "lab_error", "lab_runs", "lab_full_runs"}
    assert set(used) - settings == set(claims.SHOWN)
    assert 0 < len(CLAIMS) <= 12


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
