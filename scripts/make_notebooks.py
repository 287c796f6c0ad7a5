"""Write the student notebooks: ``python scripts/make_notebooks.py [--check]``.

A chapter ``book/<slug>.md`` is the only source. Its notebook keeps the prose, the code,
the stubs and the checks, and leaves out outputs, solutions, and whatever is tagged
``page-only`` or meant for teachers. Cell ids come from the slug and the cell's number,
so that writing an unchanged chapter again changes nothing. With ``--check`` nothing is
written: the exit status tells whether the notebooks on disk are fresh.

What the chapters say about the time they take goes to ``book/data/workload.json``, with
the points of their exercises and the names of their widgets: teachers plan with it.

Tags of code cells: ``stub`` (the reader's turn), ``check``, ``solution`` (between
``solution-start`` and ``solution-end``), ``page-only``, ``torch`` (skipped where
torch is not: in the browser), ``glue`` (computes numbers for the prose, on its own).
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from typing import Any
from unittest import mock

import jupytext
import nbformat
import yaml
from link_row import Repository, repository
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from plain_markdown import ROOT, Chapter, has_exercises, plain

from posenc.exercises._registry import POINTS, find, names

BOOK, NOTEBOOKS = ROOT / "book", ROOT / "notebooks"
WORKLOAD = BOOK / "data" / "workload.json"
#: The line of a page's opening box that says how long it takes.
MINUTES = re.compile(
    r"^\*Reading: (\d+) minutes?\.(?: Exercises: (\d+) minutes?\.)?", re.M
)
WIDGET = re.compile(r"^from posenc\.widgets\.\w+ import (\(.*?\)|.*?$)", re.M | re.S)
DROPPED = {"page-only", "glue", "solution"}
HIDDEN = {"remove-input", "hide-input"}
GATE = re.compile(
    r"^(`{3,}|:{3,})\{(solution-start|solution-end)\}[ ]*(\S*)", re.MULTILINE
)
EXERCISE = re.compile(r"^`{3,}\{exercise\}[^\n]*\n:label: (\S+)", re.MULTILINE)


#: First code cell once there is a public repository: Colab opens notebooks without it.
INSTALL = """\
# Elsewhere than in the book's own environment, on Colab for example: get its package.
import importlib.util

if importlib.util.find_spec("posenc") is None:
    %pip install -q "posenc[book,torch] @ git+https://github.com/{name}@{branch}"\
"""


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
    if repo := public_repository():
        first = next(i for i, cell in enumerate(cells) if cell.cell_type == "code")
        source = INSTALL.format(name=repo.name, branch=repo.branch)
        cells.insert(first, new_code_cell(source, metadata={"tags": []}))
    return finished(slug, cells)


def public_repository() -> Repository | None:
    """Repository that ``_config.yml`` names, if any."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    return repository(settings["repository"])


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


def workload() -> dict[str, Any]:
    """Minutes, widgets, and the points of each exercise, for every page that has them.

    Raises
    ------
    ValueError
        If a page with exercises does not say how many minutes it takes.
    """
    loads = {}
    for path in sorted(BOOK.glob("*.md")):
        slug, text = path.stem, path.read_text(encoding="utf-8")
        found = MINUTES.search(text)
        if has_exercises(text) and not (found and found[2]):
            msg = (
                f"book/{slug}.md must say how long it takes: add a line that begins "
                "*Reading: 30 minutes. Exercises: 60 minutes."
            )
            raise ValueError(msg)
        imported = " ".join(WIDGET.findall(text))
        if not found and not imported:
            continue
        asked = (find(name) for name in names(slug))
        loads[slug] = {
            "reading": int(found[1]) if found else 0,
            "doing": int(found[2] or 0) if found else 0,
            "widgets": re.findall(r"\b[A-Z]\w+", imported),
            "points": {
                exercise.name.partition(".")[2]: POINTS[exercise.asks_for]
                for exercise in asked
                if not isinstance(exercise, str)
            },
        }
    return loads


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    slugs = chapters()
    stale = [path for path in NOTEBOOKS.glob("*.ipynb") if path.stem not in slugs]
    wanted = {
        NOTEBOOKS / f"{slug}.ipynb": nbformat.writes(student_notebook(slug)) + "\n"
        for slug in slugs
    }
    wanted[WORKLOAD] = json.dumps(workload(), indent=1) + "\n"
    for path, text in wanted.items():
        if not path.exists() or path.read_text() != text:
            stale.append(path)
            if not check:
                path.write_text(text)
    for path in stale:
        if path not in wanted and not check:
            path.unlink()
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
    if check and stale:
        sys.exit("Run `make notebooks` and commit what it writes.")


if __name__ == "__main__":
    main()
