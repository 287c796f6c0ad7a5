"""Make a course from the chapters: ``python scripts/make_class.py [--out class]``.

``class/source/<slug>/<slug>.ipynb`` are assignments as nbgrader wants them: the stub
and the solution of each exercise in one cell, and behind it a locked test with points.
``nbgrader generate_assignment``, ``autograde`` and ``generate_feedback`` run there
without further settings. ``class/teacher/<slug>.ipynb`` are the teacher's notebooks:
with solutions, what to discuss, and a marking guide.
"""

import argparse
import ast
import re
from pathlib import Path
from typing import Any

import nbformat
from make_notebooks import (
    DROPPED,
    cells_of,
    chapters,
    finished,
    glued_numbers,
    notebook_cells,
    solutions_of,
)
from myst import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell
from plain_markdown import Chapter

from posenc.kit.exercises.registry import POINTS, Exercise, find

CLASS = ROOT / "class"

#: nbgrader's settings: submissions are judged by `posenc.grading`, not by themselves.
CONFIG = '''\
"""Settings of nbgrader for this course."""

from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
)
from posenc.grading.nbgrader import FeedbackExporter, Judge

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "where_am_i"
c.ClearSolutions.code_stub = {"python": "# Your answer replaces what stands above."}
c.ClearSolutions.enforce_metadata = False

# The judge takes the place of nbgrader's Execute.
c.Autograde.autograde_preprocessors = [
    Judge,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.Judge.cell_seconds = 60
c.Judge.notebook_seconds = 600
c.OverwriteCells.add_missing_cells = True  # a test that was deleted

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


def asked(code: str) -> Exercise:
    """Exercise that a check cell asks about."""
    found = re.match(r'check\("([\w.]+)", ', code)
    exercise = find(found[1]) if found else "no exercise"
    if isinstance(exercise, str):
        msg = f'a check cell must read check("name", answer), got {code!r}: {exercise}'
        raise TypeError(msg)
    return exercise


def assignment(slug: str) -> Any:
    """Notebook of one chapter as an instructor's source for nbgrader."""
    chapter = Chapter(slug, glued=glued_numbers(slug))
    solutions, cells = solutions_of(slug), []
    for cell in _student_cells(slug):
        tags = set(cell.metadata.get("tags", []))
        if "stub" in tags:
            answer = _without_check(solutions[cell.metadata["region"]])
            source = f"{cell.source}\n\n### BEGIN SOLUTION\n{answer}\n### END SOLUTION"
            cells.append(new_code_cell(source, metadata=_graded(slug, cell, points=0)))
        elif "check" in tags:
            exercise = asked(cell.source)
            answer = cell.source.removeprefix(f'check("{exercise.name}", ')
            source = (
                "from posenc.exercises import check\n\n"
                f'result = check("{exercise.name}", {answer}\n'
                "display(result)\n"
                "assert result, result"
            )
            points = POINTS[exercise.asks_for]
            cells.append(new_code_cell(source, metadata=_graded(slug, cell, points)))
        else:
            cells += notebook_cells(cell, chapter)
    return finished(slug, cells)


def teacher_notebook(slug: str) -> Any:
    """Notebook of one chapter with solutions, what to discuss, and a marking guide."""
    chapter = Chapter(slug, teacher=True, glued=glued_numbers(slug))
    cells: list[Any] = []
    rows: list[str] = []
    for cell in cells_of(slug):
        tags = set(cell.metadata.get("tags", []))
        if tags & (DROPPED - {"solution"}):
            continue
        if "check" in tags:
            exercise = asked(cell.source)
            points, hints = POINTS[exercise.asks_for], len(exercise.hints)
            words = f"`{exercise.name}` | {exercise.statement} | {points} | {hints}"
            rows.append(f"| {len(rows) + 1} | {words} |")
        cells += notebook_cells(cell, chapter)
    total = sum(POINTS[asked(c.source).asks_for] for c in cells if _is_check(c))
    guide = "\n".join(
        [
            "## Marking guide",
            "",
            f"{total} points in all. An answer that passes its check gets its points, "
            "in whatever style it is written. One that fails is told the property that "
            "does not hold and, where it is a known one, the mistake: what it says is "
            "what to discuss. Hints cost nothing unless you say so.",
            "",
            "| | Exercise | Asks for | Points | Hints |",
            "|--:|:--|:--|--:|--:|",
            *rows,
        ]
    )
    return finished(slug, [*cells, new_markdown_cell(guide)])


def write_class(folder: Path) -> list[Path]:
    """Write the course below `folder`, and return the files."""
    files = {folder / "nbgrader_config.py": CONFIG}
    for slug in chapters():
        source, teacher = (folder / room for room in ("source", "teacher"))
        files[source / slug / f"{slug}.ipynb"] = (
            nbformat.writes(assignment(slug)) + "\n"
        )
        files[teacher / f"{slug}.ipynb"] = (
            nbformat.writes(teacher_notebook(slug)) + "\n"
        )
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def _student_cells(slug: str) -> list[Any]:
    return [
        cell
        for cell in cells_of(slug)
        if not set(cell.metadata.get("tags", [])) & DROPPED
        and not cell.metadata["region"].startswith("solution of")
    ]


def _graded(slug: str, cell: Any, points: int) -> dict[str, Any]:
    """Metadata for nbgrader: a cell to answer, or with points, a locked test."""
    test = points > 0
    label = cell.metadata["region"].removeprefix(f"{slug}-ex-")
    nbgrader: dict[str, Any] = {
        "grade": test,
        "grade_id": f"{slug}-{label}-{'test' if test else 'answer'}",
        "locked": test,
        "schema_version": 3,
        "solution": not test,
        "task": False,
    }
    if test:
        nbgrader["points"] = points
    return {"nbgrader": nbgrader}


def _without_check(code: str) -> str:
    """Code of a solution without its calls of `check`, each a statement of its own."""
    lines = code.splitlines()
    for statement in reversed(ast.parse(code).body):
        source = ast.get_source_segment(code, statement) or ""
        if source.startswith("check("):
            del lines[statement.lineno - 1 : statement.end_lineno]
    return "\n".join(lines).rstrip()


def _is_check(cell: Any) -> bool:
    return "check" in cell.metadata.get("tags", [])


def main() -> None:
    """Parse the command line and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=CLASS, help="folder (%(default)s)")
    folder = parser.parse_args().out
    files = write_class(folder)
    print(f"{len(files)} files in {folder}")


if __name__ == "__main__":
    main()
