"""Cells that a student has deleted, put back as nbgrader's autograding does it."""

import os

import pytest
from graded_course import BIN
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from traitlets.config import Config

pytestmark = pytest.mark.slow

#: What was handed out: two exercises, an answer and its test each.
CELLS = ("first", "first-test", "second", "second-test")


def cell(name, source=""):
    test = name.endswith("-test")
    about = {
        "grade": test,
        "grade_id": name,
        "locked": test,
        "schema_version": 3,
        "solution": not test,
        "task": False,
    }
    if test:
        about |= {"points": 2, "cell_type": "code"}
    return new_code_cell(source or f"the {name}", metadata={"nbgrader": about})


@pytest.fixture
def handed_out(tmp_path, monkeypatch):
    """What nbgrader tells its preprocessors, with a gradebook that knows `CELLS`."""
    api = pytest.importorskip("nbgrader.api")
    from nbgrader.utils import compute_checksum

    # To make its database, it starts a program that lies beside Python.
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    where = "homework1", "homework1"
    with api.Gradebook(url) as gradebook:
        gradebook.add_assignment("homework1")
        gradebook.add_notebook(*where)
        for name in CELLS:
            checksum = compute_checksum(cell(name))
            known = {"cell_type": "code", "checksum": checksum, "source": f"the {name}"}
            gradebook.add_source_cell(name, *where, **known, locked="-" in name)
            if name.endswith("-test"):
                gradebook.add_grade_cell(name, *where, max_score=2, cell_type="code")
            else:
                gradebook.add_solution_cell(name, *where)
    about = {"notebook": "homework1", "assignment": "homework1", "db_url": url}
    return {"nbgrader": about}


def restored(cells, resources):
    from nbgrader.preprocessors import DeduplicateIds, OverwriteCells

    from posenc.grading.nbgrader import MissingAnswers

    notebook = new_notebook(cells=cells)
    notebook, _ = DeduplicateIds().preprocess(notebook, resources)
    notebook, _ = MissingAnswers().preprocess(notebook, resources)
    notebook, _ = OverwriteCells(add_missing_cells=True).preprocess(notebook, resources)
    return [
        one.metadata.get("nbgrader", {}).get("grade_id") for one in notebook.cells
    ], [one.source for one in notebook.cells]


@pytest.mark.parametrize(
    "left",
    [CELLS[2:], CELLS[:2], CELLS[1::2], ()],
)
def test_answers_and_tests_come_back_in_their_places(handed_out, left):
    text = new_markdown_cell("my notes")
    names, sources = restored([text, *map(cell, left)], handed_out)
    assert [name for name in names if name] == [*CELLS]
    for name, source in zip(names, sources, strict=True):
        assert source == "my notes" if name is None else source.endswith(f"the {name}")


def test_a_copy_of_a_cell_is_a_cell_like_any_other(handed_out):
    """Whoever tries a variation copies the cell of the answer, and that of its test."""
    tried = [cell("first", "a try"), cell("first-test", "its test")]
    names, sources = restored([*tried, *map(cell, CELLS)], handed_out)
    assert names == [None, None, *CELLS]
    assert sources[:2] == ["a try", "its test"]


def test_an_older_configuration_still_finds_the_grader():
    nbgrader = pytest.importorskip("posenc.grading.nbgrader")
    with pytest.warns(DeprecationWarning, match="Judge is now Grader"):
        grader = nbgrader.Judge(config=Config({"Judge": {"cell_seconds": 7}}))
    assert isinstance(grader, nbgrader.Grader)
    assert grader.cell_seconds == 7
