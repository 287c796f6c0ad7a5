"""A perfect student gets all points of every chapter, and an empty notebook none."""

import json

import nbformat
import pytest
from make_notebooks import answered, chapters, student_notebook

import posenc
from posenc.exercises import names
from posenc.grading.judge import graded
from posenc.kit.exercises.registry import POINTS, find

SLUGS = chapters()


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_the_pages_own_solutions_get_all_points(slug):
    marks = graded(json.loads(nbformat.writes(answered(slug))))
    assert [m.exercise for m in marks.marks if m.status != "passed"] == [], marks
    assert marks.points == sum(POINTS[find(name).asks_for] for name in names(slug))
    assert marks.suspicious == marks.errors == []


@pytest.mark.slow
def test_an_empty_notebook_gets_nothing():
    marks = graded(json.loads(nbformat.writes(student_notebook("alibi"))))
    assert (marks.points, marks.of) == (0, 14)
    statuses = [mark.status for mark in marks.marks if "repair" not in mark.exercise]
    assert set(statuses) == {"unanswered"}


@pytest.mark.parametrize("name", [n for n in names() if find(n).uses])
def test_what_an_answer_may_use_is_there(name):
    for used in find(name).uses:
        slug, _, function = used.partition(".")
        assert callable(getattr(getattr(posenc, slug), function))
        assert used != name
