"""Notebooks of the course: assignments in nbgrader's format, and the teacher's.

An assignment is a whole chapter (`assignment`), or some exercises of any chapters with
the cells that they need (`excerpt`). Each exercise has a cell to answer, with the
solution marked, and a locked test with points; one that asks for a derivation has a
cell for it, too, which a person marks by a rubric.
"""

import ast
from collections.abc import Iterable, Sequence
from typing import Any

import page_parser
from exercise_cells import Part, asked, opening, part, parts
from graded_cells import counted, rubric_of, test_of, to_answer
from make_notebooks import (
    DROPPED,
    cells_of,
    finished,
    glued_numbers,
    notebook_cells,
)
from nbformat.v4 import new_code_cell, new_markdown_cell
from plain_markdown import Chapter, plain

from posenc.exercises import names
from posenc.pages import points as worths


def assignment(slug: str) -> Any:
    """Return the notebook of one chapter as an instructor's source for nbgrader."""
    chapter = Chapter(slug, glued=glued_numbers(slug))
    labeled = {p.text.options["label"]: p for p in parts(slug).values()}
    cells: list[Any] = []
    for cell in _student_cells(slug):
        tags, label = set(cell.metadata.get("tags", [])), cell.metadata["region"]
        if "stub" in tags:
            cells += to_answer(labeled[label], chapter)
        elif "check" in tags:
            cells.append(test_of(labeled[label]))
        else:
            cells += notebook_cells(cell, chapter)
    return finished(slug, cells)


def excerpt(title: str, exercises: Sequence[str]) -> Any:
    """Return a notebook of some exercises as an instructor's source for nbgrader.

    Parameters
    ----------
    title : str
        Heading, and name of the assignment.
    exercises : sequence of str
        Their names, as ``"<chapter>.<exercise>"``. Those of a chapter stay together.
    """
    cells, known = [new_markdown_cell(_head(title, exercises))], set[str]()
    for some, chapter in _by_chapter(exercises):
        cells += _what_all_need(some, chapter, known)
        for one in some:
            cells += [*_task(one, chapter), *to_answer(one, chapter), test_of(one)]
    return finished(title, cells)


def teacher_notebook(slug: str) -> Any:
    """Return a chapter's notebook with solutions, discussion and a marking guide."""
    chapter = Chapter(slug, teacher=True, glued=glued_numbers(slug))
    cells: list[Any] = []
    for cell in cells_of(slug):
        tags = set(cell.metadata.get("tags", []))
        if tags & (DROPPED - {"solution"}):
            continue
        cells += notebook_cells(cell, chapter)
        if "check" in tags:
            cells += rubric_of(asked(cell.source).name)
    return finished(slug, [*cells, _marking_guide(names(slug))])


def teacher_excerpt(title: str, exercises: Sequence[str]) -> Any:
    """Return a notebook of exercises with solutions, rubrics and a marking guide."""
    cells, known = [new_markdown_cell(_head(title, exercises))], set[str]()
    for some, chapter in _by_chapter(exercises):
        chapter.teacher = True
        cells += _what_all_need(some, chapter, known)
        for one in some:
            cells += _task(one, chapter)
            for cell in (one.stub, one.check, *one.solution):
                cells += notebook_cells(cell, chapter)
            cells += rubric_of(one.name)
    return finished(title, [*cells, _marking_guide(exercises)])


def _student_cells(slug: str) -> list[Any]:
    return [
        cell
        for cell in cells_of(slug)
        if not set(cell.metadata.get("tags", [])) & DROPPED
        and not cell.metadata["region"].startswith("solution of")
    ]


def _by_chapter(exercises: Iterable[str]) -> Iterable[tuple[list[Part], Chapter]]:
    """Group exercises by chapter; number formulas and tasks across all chapters."""
    last = Chapter("")
    grouped: dict[str, list[Part]] = {}
    for name in exercises:
        grouped.setdefault(name.partition(".")[0], []).append(part(name))
    for slug, some in grouped.items():
        chapter = Chapter(
            slug,
            linked=False,
            glued=glued_numbers(slug),
            equations=last.equations,
            theorems=last.theorems,
            proved=last.proved,
            exercises=last.exercises,
        )
        yield some, chapter
        last = chapter


def _head(title: str, exercises: Sequence[str]) -> str:
    checked = sum(map(worths.points, exercises))
    paper = sum(map(worths.on_paper, exercises))
    totals = (
        f"{counted(len(exercises), 'exercise')}, {counted(checked + paper, 'point')}"
    )
    if paper:
        totals += f", {paper} of them for derivations"
    return (
        f"# {title}\n\n{totals}. "
        "Write each answer in the cell that is there for it, and "
        "run the check below it. It tries your answer on random inputs, shows the "
        "smallest input for which it fails, and names the mistake if it is a known "
        f'one. `hint("{exercises[0]}")` gives a hint, and the next one when you call '
        "it again; it costs nothing. In grading, a function of yours may call one of "
        "`posenc`'s only where the exercise says so."
    )


def _what_all_need(some: list[Part], chapter: Chapter, known: set[str]) -> list[Any]:
    """Return a chapter's heading, its notation, and code that its exercises need.

    Imports that are `known`, from chapters above, are left out, and new ones added.
    """
    title = page_parser.title(page_parser.page(chapter.slug))
    source = (
        "From *Where Am I?*: sections that an exercise names are in "
        f"`{chapter.slug}.html` on the book's site."
    )
    heading = f"## {title}\n\n{source}\n\n{opening(chapter.slug)}"
    text = plain(heading, chapter)
    needed = dict.fromkeys(line for exercise in some for line in exercise.statements())
    imports = [line for line in needed if _is_import(line)]
    others = [line for line in needed if line not in imports]
    above = "\n".join(line for line in imports if line not in known)
    known.update(imports)
    code = "\n\n\n".join(part for part in (above, *others) if part)
    cells = [new_code_cell(code, metadata={"tags": []})] if code else []
    return [new_markdown_cell(text), *cells]


def _is_import(statement: str) -> bool:
    return isinstance(ast.parse(statement).body[0], ast.Import | ast.ImportFrom)


def _task(exercise: Part, chapter: Chapter) -> list[Any]:
    """Return the text of an exercise, below formulas it refers to and its widgets."""
    shown = [cell for w in exercise.widgets() for cell in notebook_cells(w, chapter)]
    cited = exercise.cited(solution=chapter.teacher)
    quoted = [text for block in cited for text in _quoted(block, exercise, chapter)]
    if quoted:
        known = "\n\n".join(["From the chapter:", *quoted])
        shown.append(new_markdown_cell(known))
    text = plain(exercise.text.source, chapter)
    uses = asked(exercise.check.source).uses
    if uses and "may call" not in text:
        listed = ", ".join(f"`posenc.{name}`" for name in uses)
        text += f"\n\nYour answer may call {listed}."
    return [*shown, new_markdown_cell(text)]


def _quoted(
    block: page_parser.Block, exercise: Part, chapter: Chapter
) -> Iterable[str]:
    """Yield a formula or theorem of the chapter, and the meaning of its letters."""
    yield plain(block.source, chapter)
    if where := exercise.quoted(block.options["label"]).get("where"):
        yield where


def _marking_guide(exercises: Sequence[str]) -> Any:
    rows = []
    for number, name in enumerate(exercises, start=1):
        asks = asked(f'check("{name}", answer)')
        counts = f"{worths.points(name)} | {worths.on_paper(name) or ''}"
        rows.append(
            f"| {number} | `{name}` | {asks.statement} | {counts} | {len(asks.hints)} |"
        )
    checked = sum(map(worths.points, exercises))
    paper = sum(map(worths.on_paper, exercises))
    total = f"{counted(checked + paper, 'point')} in all"
    if paper:
        total += f", {paper} of them on paper"
    return new_markdown_cell(
        "\n".join(
            [
                "## Marking guide",
                "",
                f"{total}. An answer that passes its check gets its points, in "
                "whatever style it is written. One that fails is told the property "
                "that does not hold and, where it is a known one, the mistake: what it "
                "says is what to discuss. Hints cost nothing unless you say so. For "
                "what is derived on paper, the rubric of the exercise says what earns "
                "each point.",
                "",
                "| | Exercise | Asks for | Points | On paper | Hints |",
                "|--:|:--|:--|--:|--:|--:|",
                *rows,
            ]
        )
    )
