"""A perfect student gets all points of every chapter, and an empty notebook none."""

import json

import nbformat
import pytest
from course_notebooks import excerpt
from make_notebooks import answered, chapters, student_notebook

import posenc
from posenc.exercises import names
from posenc.grading.grader import graded
from posenc.kit.exercises.registry import POINTS, find

SLUGS = chapters()


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_the_pages_own_solutions_get_all_points(slug):
    marks = graded(json.loads(nbformat.writes(answered(slug))))
    assert [m.exercise for m in marks.grades if m.status != "passed"] == [], marks
    assert marks.points == sum(POINTS[find(name).asks_for] for name in names(slug))
    assert marks.suspicious == marks.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_the_solutions_for_marks_get_all_points_from_both_programs(slug):
    """As ``python -m posenc grade`` grades them, and as nbgrader does."""
    exercises = sorted(name for name in names(slug, graded=True) if find(name).graded)
    notebook = excerpt("test1", exercises)
    marks = graded(json.loads(nbformat.writes(notebook)))
    assert [m.exercise for m in marks.grades] == exercises
    assert {m.status for m in marks.grades} == {"passed"}, marks
    assert marks.suspicious == marks.errors == []
    nbgrader = pytest.importorskip("posenc.grading.nbgrader")
    judged, _ = nbgrader.Grader().preprocess(notebook, {})
    outputs = [out for cell in judged.cells for out in cell.get("outputs", [])]
    assert {out.output_type for out in outputs} == {"display_data"}
    assert len(outputs) == len(exercises)


@pytest.mark.slow
def test_an_empty_notebook_gets_nothing():
    marks = graded(json.loads(nbformat.writes(student_notebook("alibi"))))
    assert (marks.points, marks.of) == (0, 14)
    statuses = [mark.status for mark in marks.grades if "repair" not in mark.exercise]
    assert set(statuses) == {"unanswered"}


@pytest.mark.parametrize("name", [n for n in names(graded=True) if find(n).uses])
def test_what_an_answer_may_use_is_there(name):
    for used in find(name).uses:
        slug, _, function = used.partition(".")
        assert callable(getattr(getattr(posenc, slug), function))
        assert used != name
