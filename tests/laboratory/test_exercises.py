"""The exercises of this page: judged as a chapter's are, but none is for marks."""

from types import SimpleNamespace

import exercise_rules
import numpy as np
import pytest
import torch
from answer_sources import cells

from posenc.exercises import check, names
from posenc.kit.exercises.registry import chapters, find
from posenc.pages import course
from posenc.training import distance_or_crowd
from posenc.training.encodings import Sizes, causal
from posenc.training.tasks import task_named

NAMES = names("laboratory")


class TestExercises(exercise_rules.TestExercises):
    """Those of a page that is no chapter: nothing of them stands in ``graded/``."""

    def test_some_are_for_marks_and_on_no_page(self, slug):
        """None is for marks, and all stand on the page in the order of their names."""
        assert names(slug, graded=True) == NAMES
        result = cells(slug)
        checks = [code for kind, code in result if kind == "check"]
        assert [code.split('"')[1] for code in checks] == NAMES

    def test_no_course_assigns_them(self, slug):
        """Nor are they among those that every reader's progress counts."""
        assert slug not in chapters()
        assert not {*NAMES} & {*names()}
        for plan in ("four weeks", "term"):
            assert slug in [page for some in course.plans()[plan] for page in some]
            assigned = course.assignments(plan).values()
            assert not {*NAMES} & {name for some in assigned for name in some}


class Listener:
    """A model that answers nothing right, and keeps which columns are hidden."""

    def change_to(self, name):
        """Stay as it is."""

    def hide(self, hidden):
        """Keep the last columns that were hidden."""
        self.hidden = self.hidden if hidden is None else hidden.cpu()

    def __call__(self, tokens):
        """Return the same score for each token."""
        return torch.zeros(*tokens.shape, 1)


@pytest.mark.parametrize(
    ("kind", "cut", "filler"), [("gap", 32, 480), ("shift", 0, 960)]
)
def test_gap_test_is_the_one_that_the_laboratory_makes(kind, cut, filler):
    """On copies of 64 tokens that stand for 1,024."""
    plan = SimpleNamespace(encoding="alibi", seed=1, sizes=Sizes())
    run = SimpleNamespace(plan=plan, task=task_named("copy"), model=Listener())
    run.trained_length, run.fitting, run.texts = 64, int, lambda length: 2
    distance_or_crowd.filler_test(run, "alibi", 1024, kind)
    hidden = run.model.hidden
    positions, allowed = find("laboratory.gap_test").checker.right(64, cut, filler)
    mask = causal(len(hidden), torch.device("cpu"), hidden)
    np.testing.assert_array_equal(allowed, mask)
    np.testing.assert_array_equal(positions, np.flatnonzero(~hidden))


@pytest.mark.parametrize(
    "places", [[0.1, 2], [0.12, 2.0], [32 / 256, 2], [29 / 256, 509 / 256]]
)
def test_wrong_places_accepts_every_way_to_count(places):
    assert check("laboratory.wrong_places", places, record=False)


def test_wrong_places_are_about_those_of_drawn_texts():
    """The average number of places, found by counting in texts of the task."""
    for n, length in enumerate((64, 1024)):
        batch = task_named("copy_repeated").draw(np.random.default_rng(0), 200, length)
        halves = batch.tokens[:, 1 : length // 2]
        pairs = halves[:, :-1] * 16 + halves[:, 1:]
        same = pairs[:, :, None] == pairs[:, None, :]
        others = same.sum(-1).mean() - 1
        assert others == pytest.approx(
            find("laboratory.wrong_places").checker.right[n], rel=0.18
        )
