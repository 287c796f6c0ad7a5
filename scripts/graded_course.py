"""An assignment of the course in a folder of its own, and real nbgrader at work."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import nbformat
from course_notebooks import assignment
from make_class import CONFIG
from make_notebooks import solutions_of

#: Folder of the program that makes nbgrader's database.
BIN = Path(sys.executable).parent


def graded(notebook: Any, kind: str) -> list[Any]:
    """Return a notebook's cells of one kind: "answer", "test" or "derivation"."""
    flags = {"answer": (False, True), "test": (True, False), "derivation": (True, True)}
    return [
        cell
        for cell in notebook.cells
        if (flagged := cell.metadata.get("nbgrader"))
        and (flagged["grade"], flagged["solution"]) == flags[kind]
    ]


def worth(cell: Any) -> int:
    """Return the points of a test cell."""
    points: int = cell.metadata["nbgrader"]["points"]
    return points


def answer(notebook: Any, slug: str, exercises: Iterable[int]) -> None:
    """Put the chapter's own solutions into the cells of some exercises."""
    solutions = list(solutions_of(slug).values())
    for number in exercises:
        graded(notebook, "answer")[number].source = solutions[number]


class Course:
    """Assignment, released in `folder`; `submit` hands in notebooks.

    Parameters
    ----------
    folder : Path
        An empty folder.
    slug : str
        The chapter.
    config : str, optional
        Content of ``nbgrader_config.py``.
    """

    def __init__(self, folder: Path, slug: str, config: str = CONFIG) -> None:
        self.folder, self.slug = folder, slug
        (folder / "nbgrader_config.py").write_text(config)
        source = folder / "source" / slug
        source.mkdir(parents=True)
        nbformat.write(assignment(slug), source / f"{slug}.ipynb")
        self.released = folder / "release" / slug / f"{slug}.ipynb"
        self.run("generate_assignment")

    def run(self, command: str) -> str:
        """Run a command of nbgrader on all that is there; return what it said.

        Raises
        ------
        RuntimeError
            If it did not end well.
        """
        ended = subprocess.run(
            [sys.executable, "-m", "nbgrader", command, self.slug],
            cwd=self.folder,
            env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode:
            msg = f"nbgrader {command} ended with {ended.returncode}:\n{ended.stderr}"
            raise RuntimeError(msg)
        return ended.stderr

    def read(self) -> Any:
        """Return the notebook as students get it."""
        return nbformat.read(self.released, as_version=4)

    def submit(self, student: str, change: Callable[[Any], object]) -> None:
        """Hand in the released notebook, after `change` has worked on it."""
        notebook = self.read()
        change(notebook)
        place = self.folder / "submitted" / student / self.slug
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{self.slug}.ipynb")

    def scores(self) -> tuple[dict[str, float], float]:
        """Return the points of every student, and the maximum."""
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as book:
            assignment = book.find_assignment(self.slug)
            return {
                s.student.id: s.score for s in assignment.submissions
            }, assignment.max_score

    def to_mark(self) -> dict[str, list[str]]:
        """Return the cells that a person still has to mark, by student."""
        from nbgrader.api import Gradebook

        unmarked: dict[str, list[str]] = {}
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as book:
            for submission in book.find_assignment(self.slug).submissions:
                for grade in (g for n in submission.notebooks for g in n.grades):
                    if grade.needs_manual_grade:
                        unmarked.setdefault(submission.student.id, []).append(
                            grade.name
                        )
        return unmarked

    def feedback(self, student: str) -> str:
        """Return the feedback page of a student."""
        page = self.folder / "feedback" / student / self.slug / f"{self.slug}.html"
        return page.read_text(encoding="utf-8")
