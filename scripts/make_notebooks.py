"""Write the student notebooks: ``python scripts/make_notebooks.py [--check]``.

A chapter ``book/<slug>.md`` is the only source. Its notebook keeps the prose, the code,
the stubs and the checks, and leaves out outputs, solutions, and whatever is tagged
``page-only`` or meant for teachers. Cell ids come from the slug and the cell's number,
so that writing an unchanged chapter again changes nothing. With ``--check`` nothing is
written: the exit status tells whether the notebooks on disk are fresh.

Tags of code cells: ``stub`` (the reader's turn), ``check``, ``solution`` (between
``solution-start`` and ``solution-end``), ``page-only``, ``torch`` (skipped where
torch is not: in the browser), ``glue`` (computes numbers for the prose, on its own).
"""

import argparse
import re
import sys
from collections.abc import Iterator
from typing import Any
from unittest import mock

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from plain_markdown import ROOT, Chapter, has_exercises, plain

BOOK, NOTEBOOKS = ROOT / "book", ROOT / "notebooks"
DROPPED = {"page-only", "glue", "solution"}
HIDDEN = {"remove-input", "hide-input"}
GATE = re.compile(
    r"^(`{3,}|:{3,})\{(solution-start|solution-end)\}[ ]*(\S*)", re.MULTILINE
)
EXERCISE = re.compile(r"^`{3,}\{exercise\}[^\n]*\n:label: (\S+)", re.MULTILINE)


def chapters() -> list[str]:
    """Slugs of the pages that have exercises to answer, in alphabetical order."""
    return sorted(
        path.stem for path in BOOK.glob("*.md") if has_exercises(path.read_text())
    )


def cells_of(slug: str) -> list[Any]:
    """Cells of a chapter, each with its kind of region in ``metadata.region``.

    The region is the label of the exercise that a stub belongs to, or ``solution of
    <label>`` for what lies between the gates.
    """
    notebook = jupytext.read(BOOK / f"{slug}.md", fmt="md:myst")
    region, cells = "", []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata["region"] = region
            cells.append(cell)
            continue
        for text, region_after in _split_at_gates(cell.source, region):
            part = new_markdown_cell(text, metadata=dict(cell.metadata))
            part.metadata["region"] = region
            cells.append(part)
            labels = EXERCISE.findall(text)
            region = region_after or (labels[-1] if labels else region)
    return cells


def _split_at_gates(text: str, region: str) -> Iterator[tuple[str, str]]:
    """Pieces of a Markdown cell between the gates, with the region that follows."""
    start = 0
    for gate in GATE.finditer(text):
        end = text.index(f"\n{gate[1]}", gate.end()) + len(gate[1]) + 1
        opens = gate[2] == "solution-start"
        yield text[start : gate.start()], f"solution of {gate[3]}" if opens else "done"
        start = end
    yield text[start:], ""


def student_notebook(slug: str) -> Any:
    """Notebook of one chapter in the student edition."""
    chapter = Chapter(slug, glued=glued_numbers(slug))
    cells = []
    for cell in cells_of(slug):
        tags = set(cell.metadata.get("tags", []))
        if tags & DROPPED or cell.metadata["region"].startswith("solution of"):
            continue
        cells += notebook_cells(cell, chapter)
    return finished(slug, cells)


def notebook_cells(cell: Any, chapter: Chapter) -> list[Any]:
    """A cell of a chapter as a notebook shows it; none if nothing is left of it."""
    if cell.cell_type != "code":
        text = plain(cell.source, chapter)
        return [new_markdown_cell(text)] if text else []
    tags = set(cell.metadata.get("tags", []))
    metadata: dict[str, Any] = {"tags": sorted(tags & {"stub", "check", "torch"})}
    if tags & HIDDEN:
        metadata["jupyter"] = {"source_hidden": True}
    return [new_code_cell(cell.source, metadata=metadata)]


def finished(slug: str, cells: list[Any]) -> Any:
    """Notebook of these cells, whose ids come from their numbers."""
    for number, cell in enumerate(cells):
        cell["id"] = f"{slug.replace('_', '-')}-{number:03d}"
    notebook = new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.validate(notebook)
    return notebook


def glued_numbers(slug: str) -> dict[str, str]:
    """Numbers for the prose: run the cells that compute them, each on its own."""
    numbers: dict[str, str] = {}

    def keep(name: str, value: object, display: bool = False) -> None:
        numbers[name] = str(value)

    with mock.patch("myst_nb.glue", keep):
        for cell in cells_of(slug):
            if "glue" in cell.metadata.get("tags", []):
                exec(cell.source, {})
    return numbers


def answered(slug: str) -> Any:
    """Student notebook with each stub replaced by the chapter's own solution."""
    solutions = solutions_of(slug)
    stubs = [
        cell.metadata["region"]
        for cell in cells_of(slug)
        if "stub" in cell.metadata.get("tags", [])
    ]
    notebook = student_notebook(slug)
    places = [c for c in notebook.cells if "stub" in c.metadata.get("tags", [])]
    for cell, label in zip(places, stubs, strict=True):
        cell.source = solutions[label]
    return notebook


def solutions_of(slug: str) -> dict[str, str]:
    """Code of the chapter's own solution of each exercise, by the exercise's label."""
    solutions: dict[str, list[str]] = {}
    for cell in cells_of(slug):
        if "solution" in cell.metadata.get("tags", []):
            label = cell.metadata["region"].removeprefix("solution of ")
            solutions.setdefault(label, []).append(cell.source)
    return {label: "\n\n".join(parts) for label, parts in solutions.items()}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    slugs = chapters()
    stale = [path for path in NOTEBOOKS.glob("*.ipynb") if path.stem not in slugs]
    for slug in slugs:
        path = NOTEBOOKS / f"{slug}.ipynb"
        text = nbformat.writes(student_notebook(slug)) + "\n"
        if not path.exists() or path.read_text() != text:
            stale.append(path)
            if not check:
                path.write_text(text)
    for path in stale:
        if path.stem not in slugs and not check:
            path.unlink()
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
    if check and stale:
        sys.exit("Run `make notebooks` and commit what it writes.")


if __name__ == "__main__":
    main()
