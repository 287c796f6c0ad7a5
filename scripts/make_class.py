r"""Make a course from the chapters: ``python scripts/make_class.py [--out class]``.

``class/source/<name>/<name>.ipynb`` are assignments in nbgrader's format: the stub
and the solution of each exercise in one cell, and behind it a locked test with points.
``nbgrader generate_assignment``, ``autograde`` and ``generate_feedback`` run there
without further settings. ``class/teacher/<name>.ipynb`` are the teacher's notebooks:
with solutions, what to discuss, and a marking guide.

Without options every chapter is an assignment. Others are cut from any chapters::

    python scripts/make_class.py --chapters t5 rope
    python scripts/make_class.py --plan "four weeks"
    python scripts/make_class.py --exercises t5.repair_bucket rope.repair_layout \
        --name homework1
    python scripts/make_class.py --list
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import nbformat
from course_notebooks import assignment, excerpt, teacher_excerpt, teacher_notebook
from make_notebooks import chapters
from page_parser import ROOT

from posenc.exercises import names
from posenc.kit.exercises.registry import find
from posenc.pages import course
from posenc.pages import points as worths

CLASS = ROOT / "class"

#: nbgrader's settings: submissions are graded by `posenc.grading`, not by themselves.
CONFIG = '''\
"""Settings of nbgrader for this course."""

from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from posenc.grading.nbgrader import FeedbackExporter, Grader, MissingAnswers

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "where_am_i"
c.ClearSolutions.code_stub = {"python": "# Your answer replaces what stands above."}
c.ClearSolutions.enforce_metadata = False

# What was deleted is put back, answers before the tests behind them.
c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    MissingAnswers,
    OverwriteCells,
    CheckCellMetadata,
]
c.OverwriteCells.add_missing_cells = True

# The grader takes the place of nbgrader's Execute.
c.Autograde.autograde_preprocessors = [
    Grader,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.Grader.cell_seconds = 60
c.Grader.notebook_seconds = 600

# Feedback: the exercises alone.
c.GenerateFeedback.preprocessors = [GetGrades]
c.GenerateFeedback.exporter_class = FeedbackExporter

# Points that work loses for each day begun after the due date, hours in which it loses
# none, and how many it loses at most. Without this line it loses nothing.
# c.LatePolicy.rule = {"points_per_day": 1, "grace_hours": 6, "at_most": 5}
c.AssignLatePenalties.plugin_class = "posenc.classroom.plugins.LatePolicy"

# `nbgrader export` takes names from roster.csv beside this file and writes plain.csv;
# --exporter=posenc.classroom.plugins.Canvas, .Moodle or .Blackboard write for these.
c.ExportApp.plugin_class = "posenc.classroom.plugins.Plain"
'''


#: An assignment: its name, and what makes its notebook and the teacher's.
Assignment = tuple[str, Callable[[], Any], Callable[[], Any]]


def of_chapters(slugs: Sequence[str]) -> Iterator[Assignment]:
    """Yield each of these chapters as an assignment, whole.

    Raises
    ------
    ValueError
        If one of them has no exercises.
    """
    for slug in slugs:
        if slug not in chapters():
            msg = (
                "chapters must be short names of chapters with exercises, got "
                f"{slug!r}: choose from {', '.join(chapters())}"
            )
            raise ValueError(msg)
        yield (
            slug,
            lambda slug=slug: assignment(slug),
            lambda slug=slug: teacher_notebook(slug),
        )


def of_plan(plan: str) -> Iterator[Assignment]:
    """Yield the assignments of a plan of the teacher's guide, by its names."""
    for name, exercises in course.assignments(plan).items():
        yield _cut(name, exercises)


def of_exercises(exercises: Sequence[str], name: str, folder: Path) -> Assignment:
    """Return one assignment of these exercises.

    Parameters
    ----------
    exercises : sequence of str
        Their names, as ``"<chapter>.<exercise>"``.
    name : str
        Name of the assignment.
    folder : Path
        Where the course is: no assignment there may have that name.

    Raises
    ------
    ValueError
        If there is no exercise, an unknown one or one twice, or if the name cannot be
        one or is taken.
    """
    if not exercises:
        msg = "exercises must name one at least, got none: --list shows all of them"
        raise ValueError(msg)
    for exercise in exercises:
        find(exercise)
        if exercises.count(exercise) > 1:
            msg = f"exercises must differ, got {exercise!r} twice: name it once"
            raise ValueError(msg)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}", name):
        msg = (
            "name must be at most 40 letters, digits, - and _, since files and cells "
            f"are named so, got {name!r}: try homework1"
        )
        raise ValueError(msg)
    planned = [n for plan in course.PLANS for n in course.assignments(plan)]
    if name in (*chapters(), *planned):
        msg = (
            f"name must be new, but a chapter or a plan has an assignment {name!r}: "
            "choose another name"
        )
        raise ValueError(msg)
    if (taken := folder / "source" / name).exists():
        msg = f"name must be new, but {taken} exists: choose another name, or delete it"
        raise ValueError(msg)
    return _cut(name, exercises)


def write_class(folder: Path, assignments: Sequence[Assignment]) -> list[Path]:
    """Write these assignments below `folder`, and return the files that are new.

    What is there already stays: a configuration, and assignments as they are.

    Raises
    ------
    ValueError
        If an assignment there differs: it, or the book, has been changed.
    """
    config = folder / "nbgrader_config.py"
    files = {} if config.exists() else {config: CONFIG}
    for name, ours, teachers in assignments:
        for path, made in (
            (folder / "source" / name / f"{name}.ipynb", ours),
            (folder / "teacher" / f"{name}.ipynb", teachers),
        ):
            files[path] = nbformat.writes(made()) + "\n"
    for path, text in files.items():
        if path.exists() and path.read_text(encoding="utf-8") != text:
            msg = (
                f"assignments must be new or as they were made, but {path} is another "
                "one: it or the book was changed. Move it away, or write into another "
                "folder, with --out"
            )
            raise ValueError(msg)
    files = {path: text for path, text in files.items() if not path.exists()}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def listed() -> Iterator[str]:
    """Yield lines that list each exercise's points, points on paper, name and task.

    A star marks those for marks; the last line says so.
    """
    yield "points  on paper  exercise"
    for name in names(graded=True):
        exercise = find(name)
        paper = worths.on_paper(name) or ""
        shown = f"{name} *" if exercise.graded else name
        yield f"{worths.points(name):6}  {paper:8}  {shown:42} {exercise.statement}"
    yield "* for marks: on no page"


def _cut(name: str, exercises: Sequence[str]) -> Assignment:
    return (
        name,
        lambda: excerpt(name, exercises),
        lambda: teacher_excerpt(name, exercises),
    )


def main() -> None:
    """Parse the command line and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=CLASS, help="folder (%(default)s)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--chapters", nargs="+", metavar="SLUG", help="these, whole")
    what.add_argument("--plan", help="a plan of the guide: " + ", ".join(course.PLANS))
    what.add_argument("--exercises", nargs="*", metavar="NAME", help="these alone")
    what.add_argument("--list", action="store_true", help="list exercises and end")
    parser.add_argument("--name", help="name of the assignment, with --exercises")
    options = parser.parse_args()
    if options.list:
        print(*listed(), sep="\n")
        return
    try:
        if (options.exercises is None) != (options.name is None):
            msg = "--exercises and --name must be given together: NAME=homework1"
            raise ValueError(msg)
        if options.exercises is not None:
            chosen = [of_exercises(options.exercises, options.name, options.out)]
        elif options.plan is not None:
            chosen = [*of_plan(options.plan)]
        else:
            chosen = [*of_chapters(options.chapters or chapters())]
        configured = (options.out / "nbgrader_config.py").exists()
        files = write_class(options.out, chosen)
    except ValueError as error:
        sys.exit(str(error))
    named = ", ".join(name for name, _, _ in chosen)
    print(f"{len(files)} new files in {options.out}: {named}")
    if configured:
        print(f"{options.out / 'nbgrader_config.py'} was there, and stays as it is.")


if __name__ == "__main__":
    main()
