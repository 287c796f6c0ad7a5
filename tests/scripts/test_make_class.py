"""The course made from the chapters, and what real nbgrader does with it."""

import re
import shutil

import pytest
from graded_course import Course, answer, graded, worth
from make_class import CONFIG, asked, assignment, teacher_notebook
from make_notebooks import chapters, solutions_of, student_notebook

from posenc.exercises import names
from posenc.kit.exercises.registry import POINTS, find

SLUGS = chapters()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_exercise_has_an_answer_cell_and_a_locked_test_with_points(slug):
    notebook = assignment(slug)
    tests, answers = graded(notebook, "test"), graded(notebook, "answer")
    asked_for = [re.search(r'check\("([\w.]+)"', cell.source)[1] for cell in tests]
    assert asked_for == names(slug)
    for cell, name in zip(tests, asked_for, strict=True):
        assert cell.metadata["nbgrader"]["locked"]
        assert worth(cell) == POINTS[find(name).asks_for]
        assert cell.source.endswith("assert result, result")
    for cell in answers:
        stub, _, solution = cell.source.partition("\n### BEGIN SOLUTION\n")
        assert stub.strip()
        assert solution.endswith("\n### END SOLUTION")
        assert "check(" not in solution
        assert cell.metadata["nbgrader"]["solution"]
    ids = [cell.metadata["nbgrader"]["grade_id"] for cell in [*tests, *answers]]
    assert len(set(ids)) == len(ids) == len(tests) + len(answers)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_rest_of_an_assignment_is_the_student_notebook(slug):
    course, student = assignment(slug), student_notebook(slug)
    assert len(course.cells) == len(student.cells)
    for ours, theirs in zip(course.cells, student.cells, strict=True):
        if "nbgrader" not in ours.metadata:
            assert ours.source == theirs.source


@pytest.mark.parametrize("slug", SLUGS)
def test_teachers_get_solutions_discussion_and_a_marking_guide(slug):
    notebook = teacher_notebook(slug)
    code = "\n".join(c.source for c in notebook.cells if c.cell_type == "code")
    for solution in solutions_of(slug).values():
        assert all(part in code for part in solution.split("\n\n"))
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    assert "**To discuss in class**" in text
    guide = notebook.cells[-1].source
    rows = [line.split(" | ") for line in guide.splitlines() if line.startswith("| ")]
    listed = [row[1].strip("`") for row in rows if row[1].startswith("`")]
    assert listed == names(slug)
    total = sum(POINTS[find(name).asks_for] for name in listed)
    assert f"{total} points in all" in guide
    assert "To discuss" not in "\n".join(c.source for c in student_notebook(slug).cells)


def test_a_check_cell_that_asks_nothing_known_is_an_error():
    with pytest.raises(TypeError, match=r"got 'check\(my_answer\)'"):
        asked("check(my_answer)")
    with pytest.raises(TypeError, match=r"There is no exercise named 't5\.sing'"):
        asked('check("t5.sing", mine)')


# --- nbgrader ------------------------------------------------------------------------

SLUG = "alibi"


@pytest.mark.slow
def test_nbgrader_releases_grades_and_gives_feedback(tmp_path):
    pytest.importorskip("nbgrader", reason="tests/requirements-peers.txt installs it")
    course = Course(tmp_path, SLUG)
    everything = range(len(names(SLUG)))
    points = [POINTS[find(name).asks_for] for name in names(SLUG)]

    def endless(notebook):
        answer(notebook, SLUG, everything)
        graded(notebook, "answer")[2].source = "while True:\n    pass"

    def deleted(notebook):
        answer(notebook, SLUG, everything)
        notebook.cells.remove(graded(notebook, "test")[1])

    course.submit("full", lambda notebook: answer(notebook, SLUG, everything))
    course.submit("blank", lambda notebook: None)
    course.submit("mixed", lambda notebook: answer(notebook, SLUG, [0, 3]))
    course.submit("endless", endless)
    course.submit("deleted", deleted)
    released = course.read()
    assert "SOLUTION" not in "".join(cell.source for cell in released.cells)
    assert not any(cell.get("outputs") for cell in released.cells)

    config = tmp_path / "nbgrader_config.py"
    config.write_text(CONFIG.replace("timeout = 120", "timeout = 60"))
    course.run("autograde")
    scores, highest = course.scores()
    assert highest == sum(points)
    assert scores == {
        "full": sum(points),
        "blank": 0,
        "mixed": points[0] + points[3],
        "endless": sum(points) - points[2],
        "deleted": sum(points) - points[1],
    }
    course.run("generate_feedback")
    assert "not answered yet" in course.feedback("blank")
    assert "not answered yet" not in course.feedback("full")
    shutil.rmtree(tmp_path)
