"""A class in real nbgrader: names, late work, files for platforms, and formgrader."""

import csv
import os
import shutil
import subprocess
import sys

import nbformat
import notebook_page
import pytest
from graded_course import BIN
from make_class import CONFIG
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RULE = '# c.LatePolicy.rule = {"points_per_day": 1, "grace_hours": 6, "at_most": 5}'
DUE = "2026-01-10 12:00:00"
#: When each student handed in, and the points that this costs of the 3 of the test.
HANDED_IN = {
    "ada": ("2026-01-10 17:59:00 UTC", 0),
    "sofia": ("2026-01-12 00:00:00 UTC", 2),
}
ROSTER = """\
id,first_name,last_name,email
ada,Ada,Lovelace,ada@example.org
kurt,Kurt,Gödel,kurt@example.org
"""


def graded_cell(kind, name, points, source):
    """Cell of an assignment: an automatic test, or an answer to be read by a person."""
    made = new_code_cell if kind == "test" else new_markdown_cell
    read = kind == "answer"
    metadata = {
        "grade": True,
        "grade_id": name,
        "locked": not read,
        "points": points,
        "schema_version": 3,
        "solution": read,
        "task": False,
    }
    return made(source, metadata={"nbgrader": metadata})


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with one small assignment, collected and graded."""
    pytest.importorskip("nbgrader", reason="tests/requirements-peers.txt installs it")
    folder = tmp_path_factory.mktemp("course")
    assert RULE in CONFIG
    (folder / "nbgrader_config.py").write_text(CONFIG.replace(RULE, RULE[2:]))
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    cells = [
        graded_cell("test", "one-and-one", 3, "assert 1 + 1 == 2"),
        graded_cell("answer", "derivation", 4, "Your derivation"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    (folder / "source/homework1").mkdir(parents=True)
    nbformat.write(notebook, folder / "source/homework1/homework1.ipynb")
    nbgrader(folder, "generate_assignment", "homework1")
    nbgrader(folder, "db", "assignment", "add", "homework1", f"--duedate={DUE}")
    for student, (time, _) in HANDED_IN.items():
        place = folder / "submitted" / student / "homework1"
        shutil.copytree(folder / "release/homework1", place)
        (place / "timestamp.txt").write_text(time)
    nbgrader(folder, "autograde", "homework1")
    return folder


def nbgrader(folder, *command):
    """Run a command of nbgrader; it must end well."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=folder,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def is_kept(answer):
    """Whether it is the server's answer to new points, and not to a question."""
    return "/formgrader/api/grade/" in answer.url and answer.request.method == "PUT"


def test_a_class_from_its_roster_to_its_marks(course, open_page):
    nbgrader(course, "export")
    points = {name: str(3 - lost) for name, (_, lost) in HANDED_IN.items()}
    assert rows(course / "plain.csv") == [
        ["id", "last_name", "first_name", "email", "homework1", "total"],
        ["kurt", "Gödel", "Kurt", "kurt@example.org", "", "0"],
        ["ada", "Lovelace", "Ada", "ada@example.org", points["ada"], points["ada"]],
        ["sofia", "", "", "", points["sofia"], points["sofia"]],
    ]
    # Formgrader lists the assignment; what a person gives there comes into the marks.
    with notebook_page.served(course) as address:
        page = open_page(address + "formgrader")
        page.get_by_role("link", name="homework1").first.wait_for()
        page.goto(address + "formgrader/gradebook/homework1/homework1")
        page.get_by_text("Submission #1").first.click()
        field = page.locator("input#derivation")
        page.wait_for_load_state("networkidle")  # the marks so far would overwrite it
        field.fill("4")
        with page.expect_response(is_kept):
            field.blur()
    nbgrader(course, "export", "--exporter=posenc.classroom.plugins.Canvas")
    head, possible, *found = rows(course / "canvas.csv")
    assert head[5:] == ["homework1"]
    assert possible[5:] == ["7"]
    after = {row[3]: row[5] for row in found}
    risen = [name for name in points if after[name] != points[name]]
    assert len(risen) == 1
    assert float(after[risen[0]]) == float(points[risen[0]]) + 4
