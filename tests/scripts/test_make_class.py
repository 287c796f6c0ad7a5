"""The course made from the chapters, and what real nbgrader does with it."""

import functools
import re
import shutil
import sys

import make_class
import nbformat
import pytest
from course_notebooks import assignment, excerpt, teacher_excerpt, teacher_notebook
from graded_cells import grade_id
from graded_course import Course, answer, graded, worth
from make_class import CONFIG
from make_notebooks import chapters, solutions_of, student_notebook

from posenc.exercises import names
from posenc.kit.exercises.registry import find
from posenc.pages import course
from posenc.pages import points as worths

pytestmark = pytest.mark.slow

PLANNED = {
    name: exercises
    for plan in course.PLANS
    for name, exercises in course.assignments(plan).items()
}


def texts(notebook, kind="markdown"):
    return "\n".join(c.source for c in notebook.cells if c.cell_type == kind)


def assert_graded(notebook, exercises):
    """Check that each exercise has an answer, a locked test, perhaps a derivation."""
    tests, answers = graded(notebook, "test"), graded(notebook, "answer")
    on_paper = [name for name in exercises if worths.on_paper(name)]
    derivations = graded(notebook, "derivation")
    asked_for = [re.search(r'check\("([\w.]+)"', cell.source)[1] for cell in tests]
    assert asked_for == list(exercises)
    marked = [c.metadata["nbgrader"] for c in notebook.cells if is_graded(c)]
    ids = [one["grade_id"] for one in marked]
    assert len(set(ids)) == len(ids) == len([*tests, *answers, *derivations])
    assert all(re.fullmatch(r"[a-zA-Z0-9_\-]+", one) for one in ids)  # nbgrader's rule
    for cell, name in zip(tests, asked_for, strict=True):
        assert cell.metadata["nbgrader"]["grade_id"] == name.replace(".", "-")
        assert cell.metadata["nbgrader"]["locked"]
        assert worth(cell) == worths.points(name)
        assert cell.source.count("check(") == 1
        assert cell.source.endswith("assert result, result")
    for cell in answers:
        stub, _, solution = cell.source.partition("\n### BEGIN SOLUTION\n")
        assert stub.strip()
        assert solution.endswith("\n### END SOLUTION")
        assert "check(" not in solution
    for cell, name in zip(derivations, on_paper, strict=True):
        told, _, solution = cell.source.partition("### BEGIN SOLUTION\n")
        assert cell.cell_type == "markdown"
        assert cell.metadata["nbgrader"]["grade_id"] == grade_id(name, "derivation")
        assert not cell.metadata["nbgrader"]["locked"]
        assert f"{worth(cell)} point" in told
        assert worth(cell) == worths.on_paper(name)
        assert worths.rubric(name)[-1][1] in solution


def is_graded(cell):
    return "nbgrader" in cell.metadata


@pytest.mark.parametrize("slug", chapters())
def test_notebooks_of_a_chapter_for_students_and_for_teachers(slug):
    ours, theirs = assignment(slug), student_notebook(slug).cells
    assert_graded(ours, names(slug))
    left = [cell for cell in ours.cells if cell not in graded(ours, "derivation")]
    assert len(left) == len(theirs)
    for mine, other in zip(left, theirs, strict=True):
        if not is_graded(mine):
            assert mine.source == other.source
    notebook = teacher_notebook(slug)
    code = texts(notebook, "code")
    for solution in solutions_of(slug).values():
        assert all(part in code for part in solution.split("\n\n"))
    text = texts(notebook)
    assert "**To discuss in class**" in text
    assert_guide(notebook, names(slug))
    assert not re.search(r"To discuss|\*\*On paper", texts(student_notebook(slug)))


def assert_guide(notebook, exercises):
    guide = notebook.cells[-1].source
    rows = [line.split(" | ") for line in guide.splitlines() if line.startswith("| ")]
    listed = [row[1].strip("`") for row in rows if row[1].startswith("`")]
    assert listed == list(exercises)
    paper = sum(map(worths.on_paper, listed))
    assert f"{sum(map(worths.points, listed)) + paper} points in all" in guide
    assert (f", {paper} of them on paper" in guide) == bool(paper)
    for name in listed:
        for points, words in worths.rubric(name):
            line = f"- {points} point{'s' * (points > 1)}: {words}"
            assert line in texts(notebook)


@pytest.mark.parametrize("name", PLANNED)
def test_an_assignment_of_a_plan_holds_its_exercises_and_their_points(name):
    exercises = PLANNED[name]
    notebook = excerpt(name, exercises)
    assert_graded(notebook, exercises)
    counted = [*graded(notebook, "test"), *graded(notebook, "derivation")]
    total = sum(map(worth, counted))
    assert f"{len(exercises)} exercises, {total} points" in notebook.cells[0].source
    assert total == printed_points(name)
    teachers = teacher_excerpt(name, exercises)
    assert_guide(teachers, exercises)


def printed_points(name):
    """Return the points of an assignment as the teacher's guide prints them."""
    if name == "lecture-homework":
        return int(re.search(r": (\d+) points in all", str(course.homework()))[1])
    plan, _, week = name.rpartition("-")
    table = str(course.weeks(plan.replace("-", " ")))
    (row,) = [r for r in table.splitlines() if r.startswith(f"| {week} |")]
    return sum(map(int, row.strip("| ").rpartition("{.pe-label} ")[2].split(" + ")))


CUT = ["rope.cached_scores", "t5.last_bucket_start", "rope.count_planes"]


def test_an_excerpt_holds_its_exercises_alone_and_what_they_need():
    notebook = excerpt("homework1", CUT)
    order = ["rope.cached_scores", "rope.count_planes", "t5.last_bucket_start"]
    assert_graded(notebook, order)
    text, code = texts(notebook), texts(notebook, "code")
    assert re.findall(r"^### Exercise (\d)", text, re.MULTILINE) == ["1", "2", "3"]
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        "Rotary embedding in the complex plane",
        "Buckets and biases (T5)",
    ]
    assert "$B$ the number of buckets of one direction" in text  # letters of T5's tasks
    assert code.count("import posenc\n") == code.count("import numpy as np\n") == 1
    assert "PlaneClocks()" in code
    assert not re.search("TurnedPair|matplotlib", code)
    # Formulas that a text refers to stand above it.
    exercises = ["cape.move_positions", "alibi.reach_of_head", "rope.which_stay"]
    text = texts(excerpt("formulas", exercises))
    assert text.index(r"\tag{1}") < text.index("Write (1) for a batch")
    assert text.index("**Theorem 1") < text.index("*Theorem 1* is for keys without end")
    assert text.index(r"\tag{2}") < text.index("Decide with (2), not by trying")
    assert ".ipynb)" not in text


def run(monkeypatch, capsys, *arguments):
    """Return what the program prints, or the message with which it ends."""
    monkeypatch.setattr(sys, "argv", ["make_class.py", *map(str, arguments)])
    try:
        make_class.main()
    except SystemExit as stopped:
        return str(stopped)
    return capsys.readouterr().out


def test_the_command_line_writes_and_lists_and_keeps_changes(
    tmp_path, monkeypatch, capsys
):
    to = functools.partial(run, monkeypatch, capsys, "--out", tmp_path)
    said = to("--exercises", *CUT, "--name", "one")
    assert said == f"3 new files in {tmp_path}: one\n"
    found = nbformat.read(tmp_path / "source/one/one.ipynb", 4)
    assert texts(found) == texts(excerpt("one", CUT))
    teachers = nbformat.read(tmp_path / "teacher/one.ipynb", 4)
    assert texts(teachers) == texts(teacher_excerpt("one", CUT))
    config = tmp_path / "nbgrader_config.py"
    assert config.read_text("utf-8") == CONFIG
    config.write_text(CONFIG + "c.LatePolicy.rule = {'points_per_day': 1}\n")
    said = to("--chapters", "t5", "rope")
    assert said.startswith(f"4 new files in {tmp_path}: t5, rope\n")
    assert said.endswith("nbgrader_config.py was there, and stays as it is.\n")
    assert "LatePolicy.rule = {'points_per_day': 1}" in config.read_text()
    found = nbformat.read(tmp_path / "source/rope/rope.ipynb", 4)
    assert texts(found) == texts(assignment("rope"))
    assert ": lecture-homework\n" in to("--plan", "lecture")
    assert to("--chapters", "t5").startswith("0 new files")
    source = tmp_path / "source/t5/t5.ipynb"
    source.write_text(source.read_text("utf-8").replace("Buckets", "My buckets"))
    mine = source.read_bytes()
    assert f"but {source} is another one" in to("--chapters", "shaw", "t5")
    assert source.read_bytes() == mine
    assert not (tmp_path / "source/shaw").exists()
    _, *lines, legend = to("--list").splitlines()
    assert [(line.split()[0], " * " in line) for line in lines] == [
        (str(worths.points(name)), find(name).graded) for name in names(graded=True)
    ]
    assert legend.startswith("* for marks")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--exercises", "t5.sing", "--name", "a"], "no exercise named 't5.sing'"),
        (["--exercises", *CUT, CUT[0], "--name", "a"], "cached_scores' twice"),
        (["--exercises", *CUT, "--name", "../a"], "letters, digits, - and _"),
        (["--exercises", *CUT, "--name", "taken"], "source/taken exists: choose"),
        (["--chapters", "t6"], "got 't6': choose from alibi, "),
    ],
)
def test_what_cannot_be_made_is_said(arguments, said, tmp_path, monkeypatch, capsys):
    (tmp_path / "source" / "taken").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    assert said in run(monkeypatch, capsys, "--out", tmp_path, *arguments)
    assert sorted(tmp_path.rglob("*")) == before


SLUG = "alibi"


def test_nbgrader_releases_grades_and_gives_feedback(tmp_path):
    pytest.importorskip("nbgrader", reason="tests/requirements-peers.txt installs it")
    course = Course(tmp_path, SLUG)
    everything = range(len(names(SLUG)))
    points = [worths.points(name) for name in names(SLUG)]

    def endless(notebook):
        answer(notebook, SLUG, everything)
        graded(notebook, "answer")[2].source = "while True:\n    pass"

    def deleted(notebook):
        answer(notebook, SLUG, everything)
        notebook.cells.remove(graded(notebook, "test")[1])

    def derived(notebook):
        answer(notebook, SLUG, [0])
        graded(notebook, "derivation")[0].source = "A constant cancels."

    course.submit("full", lambda notebook: answer(notebook, SLUG, everything))
    course.submit("blank", lambda notebook: None)
    course.submit("mixed", lambda notebook: answer(notebook, SLUG, [0, 3]))
    for made in (endless, deleted, derived):
        course.submit(made.__name__, made)
    released = course.read()
    everywhere = "".join(cell.source for cell in released.cells)
    rubric = "float16 is finest near 0"
    assert not re.search(f"SOLUTION|{rubric}", everywhere)
    assert "**On paper** (3 points)" in everywhere
    assert not any(cell.get("outputs") for cell in released.cells)

    config = tmp_path / "nbgrader_config.py"
    config.write_text(CONFIG.replace("cell_seconds = 60", "cell_seconds = 5"))
    course.run("autograde")
    scores, highest = course.scores()
    assert highest == sum(points) + sum(map(worths.on_paper, names(SLUG)))
    assert scores == {
        "full": sum(points),
        "blank": 0,
        "mixed": points[0] + points[3],
        "endless": sum(points) - points[2],
        "deleted": sum(points),  # the test is put back
        "derived": points[0],
    }
    assert course.to_mark() == {"derived": ["alibi-one_row-derivation"]}
    course.run("generate_feedback")
    blank, full = course.feedback("blank"), course.feedback("full")
    assert "not answered" in blank
    on_paper = sum(bool(worths.on_paper(name)) for name in names(SLUG))
    assert full.count("not answered") == 2 * on_paper  # in the table, and below
    assert f"<th>{sum(points)} of {highest:g}</th>" in full
    assert "your teacher marks this" in course.feedback("derived")
    assert "an interrupt, since it ran" in course.feedback("endless")
    shutil.rmtree(tmp_path)
