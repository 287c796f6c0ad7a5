"""Cells that nbgrader counts: answers, derivations on paper, and locked tests."""

import ast
from typing import Any

from exercise_cells import Part
from nbformat.v4 import new_code_cell, new_markdown_cell
from plain_markdown import Chapter, plain

from posenc.pages import points as worths


def grade_id(name: str, kind: str = "") -> str:
    """Return the name of an exercise's cell, in letters that nbgrader allows.

    Examples
    --------
    >>> grade_id("rope.apply_rotary"), grade_id("rope.apply_rotary", "answer")
    ('rope-apply_rotary', 'rope-apply_rotary-answer')
    """
    return "-".join([*name.split("."), *([kind] if kind else [])])


def to_answer(exercise: Part, chapter: Chapter) -> list[Any]:
    """Return the cells to answer: the derivation, if there is one, and the code."""
    answer = _without_check(exercise.code)
    source = f"{exercise.stub.source}\n\n### BEGIN SOLUTION\n{answer}\n### END SOLUTION"
    code = new_code_cell(
        source, metadata=_graded(grade_id(exercise.name, "answer"), solution=True)
    )
    paper = worths.on_paper(exercise.name)
    if not paper:
        return [code]
    lines = [
        plain(cell.source, chapter)
        for cell in exercise.solution
        if cell.cell_type == "markdown"
    ]
    source = "\n\n".join(
        [
            f"**On paper** ({counted(paper, 'point')}). Replace this text by your "
            "derivation, in words and formulas: each step, and why it holds.",
            "### BEGIN SOLUTION",
            *lines,
            *_earned(exercise.name),
            "### END SOLUTION",
        ]
    )
    metadata = _graded(grade_id(exercise.name, "derivation"), paper, solution=True)
    return [new_markdown_cell(source, metadata=metadata), code]


def test_of(exercise: Part) -> Any:
    """Return a locked cell that checks the answer to one exercise."""
    answer = exercise.check.source.removeprefix(f'check("{exercise.name}", ')
    source = (
        "from posenc.exercises import check\n\n"
        f'result = check("{exercise.name}", {answer}\n'
        "display(result)\n"
        "assert result, result"
    )
    metadata = _graded(grade_id(exercise.name), worths.points(exercise.name))
    return new_code_cell(source, metadata=metadata)


def _graded(name: str, points: int = 0, *, solution: bool = False) -> dict[str, Any]:
    """Return metadata for nbgrader: a cell to answer, a test with points, or both."""
    nbgrader: dict[str, Any] = {
        "grade": points > 0,
        "grade_id": name,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if points:
        nbgrader["points"] = points
    return {"nbgrader": nbgrader}


def rubric_of(name: str) -> list[Any]:
    """Return what earns the points of a derivation, for teachers."""
    paper = worths.on_paper(name)
    if not paper:
        return []
    head = f"**On paper: {counted(paper, 'point')}**"
    return [new_markdown_cell("\n\n".join([head, *_earned(name)]))]


def _earned(name: str) -> list[str]:
    lines = [
        f"- {counted(count, 'point')}: {words}" for count, words in worths.rubric(name)
    ]
    return ["\n".join(lines)]


def counted(number: int, word: str) -> str:
    """Join number and word: ``"1 point"``, ``"2 points"``."""
    return f"{number} {word}{'s' * (number != 1)}"


def _without_check(code: str) -> str:
    """Return a solution's code without its calls of `check`, which are statements."""
    lines = code.splitlines()
    for statement in reversed(ast.parse(code).body):
        source = ast.get_source_segment(code, statement) or ""
        if source.startswith("check("):
            del lines[statement.lineno - 1 : statement.end_lineno]
    return "\n".join(lines).rstrip()
