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
import sys
from typing import Any

import nbformat
import page_parser
import yaml
from launch_buttons import Repository, repository
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from plain_markdown import Chapter, has_notebook, plain

from posenc.grading.notebook_cells import parse_notebook

NOTEBOOKS = page_parser.ROOT / "notebooks"
DROPPED = {"page-only", "glue", "solution"}
#: Tags of cells that are folded; so are those that a page leaves out, but for checks.
HIDDEN = {"remove-input", "hide-input", "hide-cell"}
#: Line of a page's cells in place of which they are given a `glue`.
GLUE = "from myst_nb import glue\n"
#: First code cell once there is a public repository: Colab opens notebooks without it.
INSTALL = """\
# Elsewhere than in the book's own environment, on Colab for example: get its package.
import importlib.util

if importlib.util.find_spec("posenc") is None:
    %pip install -q "posenc[book,torch] @ git+https://github.com/{name}@{branch}"\
"""


def chapters() -> list[str]:
    """Return slugs of the chapters that have exercises to answer, sorted."""
    slugs = (path.stem for path in page_parser.BOOK.glob("*.md"))
    return sorted(filter(has_notebook, slugs))


def cells_of(slug: str) -> list[Any]:
    """Return the cells of a chapter, see `cells_in`."""
    return cells_in(page_parser.page(slug))


def cells_in(page: str) -> list[Any]:
    """Return a text's cells, each with its kind of region in ``metadata.region``.

    The region is the label of the exercise that a stub belongs to, or ``solution of
    <label>`` for what lies between the gates.
    """
    region, cells = "", []

    def keep(text: list[str]) -> None:
        source = "\n".join(text).strip()
        if source:
            cells.append(new_markdown_cell(source, metadata={"region": region}))

    for cell in page_parser.cells(page):
        if cell.is_code:
            metadata = {"tags": cell.tags, "region": region}
            cells.append(new_code_cell(cell.source, metadata=metadata))
            continue
        text: list[str] = []
        after = region
        for block in cell.blocks:
            if block.name in ("solution-start", "solution-end"):
                keep(text)
                opens = block.name == "solution-start"
                region = f"solution of {block.argument}" if opens else "done"
                text, after = [], region
                continue
            text.append(block.source)
            if block.name == "exercise":
                after = block.options["label"]
        keep(text)
        region = after
    return cells


def student_notebook(slug: str) -> Any:
    """Return the notebook of one chapter in the student edition."""
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
    """Return the repository that ``_config.yml`` names, if any."""
    settings = yaml.safe_load((page_parser.ROOT / "_config.yml").read_text("utf-8"))
    return repository(settings["repository"])


def notebook_cells(cell: Any, chapter: Chapter) -> list[Any]:
    """Return a chapter's cell as cells of a notebook; none if nothing is left of it."""
    if cell.cell_type != "code":
        text = plain(cell.source, chapter)
        return [new_markdown_cell(text)] if text else []
    tags = set(cell.metadata.get("tags", []))
    metadata: dict[str, Any] = {"tags": sorted(tags & {"stub", "check", "torch"})}
    if tags & HIDDEN or tags & {"remove-cell", "check"} == {"remove-cell"}:
        metadata["jupyter"] = {"source_hidden": True}
    return [new_code_cell(cell.source, metadata=metadata)]


def finished(slug: str, cells: list[Any]) -> Any:
    """Return a notebook of these cells, whose ids come from their numbers."""
    for number, cell in enumerate(cells):
        cell["id"] = f"{slug.replace('_', '-')}-{number:03d}"
    notebook = new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata["language_info"] = {"name": "python"}
    asked = parse_notebook(notebook).exercises
    if asked:  # grading finds an answer by it if its check was deleted
        notebook.metadata["posenc"] = {"exercises": asked}
    nbformat.validate(notebook)
    return notebook


def glued_numbers(slug: str) -> dict[str, str]:
    """Return numbers for the prose: run the cells that compute them, one by one."""
    numbers: dict[str, str] = {}

    def keep(name: str, value: object, display: bool = False) -> None:
        numbers[name] = str(value)

    for cell in cells_of(slug):
        if "glue" in cell.metadata.get("tags", []):
            exec(cell.source.replace(GLUE, ""), {"glue": keep})
    return numbers


def answered(slug: str) -> Any:
    """Return a student notebook whose stubs are the chapter's own solutions."""
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
    """Return the code of the chapter's solution to each exercise, by label."""
    solutions: dict[str, list[str]] = {}
    for cell in cells_of(slug):
        if "solution" in cell.metadata.get("tags", []):
            label = cell.metadata["region"].removeprefix("solution of ")
            solutions.setdefault(label, []).append(cell.source)
    return {label: "\n\n".join(parts) for label, parts in solutions.items()}


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    slugs = chapters()
    stale = [path for path in NOTEBOOKS.glob("*.ipynb") if path.stem not in slugs]
    notebooks = {
        NOTEBOOKS / f"{slug}.ipynb": nbformat.writes(student_notebook(slug)) + "\n"
        for slug in slugs
    }
    for path, text in notebooks.items():
        if not path.exists() or path.read_text() != text:
            stale.append(path)
            if not check:
                path.write_text(text)
    for path in stale:
        if path not in notebooks and not check:
            path.unlink()
        print(
            f"{'stale' if check else 'written'}: {path.relative_to(page_parser.ROOT)}"
        )
    if check and stale:
        sys.exit("Run `make notebooks` and commit what it writes.")


if __name__ == "__main__":
    main()
