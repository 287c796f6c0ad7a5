"""Lets pages run Python: part of the book's Sphinx extension.

Exercises are answered where they stand, and cells are tried with other code. For this a
page's cells get their names, and beside the page lies what its Python needs of the
chapter: ``solve/<slug>.json``. All of it is left out where the site carries no Python.
"""

import ast
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import launch_buttons
import page_parser
from code_names import alias_name, bound_by, read_by
from docutils import nodes
from make_notebooks import DROPPED, cells_in, chapters
from pyodide_bundle import BundleError, extra_wheels, find_bundle
from sphinx import addnodes

from posenc.core.chapters import pages

#: Cells whose code is hidden.
UNSEEN = {"remove-input", "remove-cell", "stub", "check", "solution"}
#: Modules that a page can import, besides Python's library and posenc's array code.
PACKAGES = {"numpy", "posenc", "array_api_compat", "matplotlib"}
#: Words for needs of code that a page lacks, or has only with matplotlib.
TORCH, NOTEBOOK, DRAWING = "PyTorch", "more than a page has", "matplotlib"
NEEDS = {
    TORCH: re.compile(r"torch\b|posenc\.(\w+\.)?nn\b|posenc\.training\b"),
    NOTEBOOK: re.compile(
        r"posenc\.(conventions|classroom|grading)\b|posenc\.(\w+\.)?widgets\b"
    ),
    DRAWING: re.compile(r"matplotlib\b|posenc\.(\w+\.)?figures\b|posenc\.pages\b"),
}
_CELL = re.compile(r'<div class="cell ')
_CHECK = re.compile(r'check\("([\w.]+)"')


def of_page(text: str) -> dict[str, Any]:
    """Return what Python in a page needs of the chapter.

    Parameters
    ----------
    text : str
        Source of the page.

    Returns
    -------
    dict
        ``imports``: statement for each name that the chapter imports; ``checks``: code
        by the name of the exercise; ``places``: numbers of those cells; ``steps``:
        pairs of a cell's number and a statement of it, those that can run, and a third
        entry if it draws; ``needs``: by a cell's number what it cannot do without;
        ``cells``: numbers of those that can be tried.
    """
    imports: dict[str, str] = {}
    checks: dict[str, str] = {}
    places: dict[str, int] = {}
    steps: list[tuple[int, str] | tuple[int, str, int]] = []
    needs: dict[int, str] = {}
    tried: list[int] = []
    missing: dict[str, str] = {}
    code = (cell for cell in cells_in(text) if cell.cell_type == "code")
    for number, cell in enumerate(code):
        tags = set(cell.metadata["tags"])
        if "check" in tags:
            checks[exercise_of(cell.source)] = cell.source
            places[exercise_of(cell.source)] = number
        if tags & {*DROPPED, "stub", "check"}:
            continue
        for statement in statements(cell.source):
            lacks, bound = lacking(statement, missing), bound_by(statement)
            if lacks:
                missing |= dict.fromkeys(bound, lacks)
            else:
                for name in bound_by(statement, whole=True):
                    missing.pop(name, None)
            if lacks in (TORCH, NOTEBOOK):
                needs.setdefault(number, lacks)
                continue
            source = ast.unparse(statement)
            if isinstance(statement, ast.Import | ast.ImportFrom):
                imports[alias_name(statement.names[0])] = source
            if lacks:
                steps.append((number, source, 1))
            elif not isinstance(statement, ast.Assert):
                steps.append((number, source))
        if "torch" in tags:
            needs[number] = TORCH
        elif needs.get(number) == TORCH and not _asks_torch(cell.source):
            needs[number] = f"results of {TORCH}"
        if number not in needs and not tags & UNSEEN:
            tried.append(number)
    return {
        "imports": imports,
        "checks": checks,
        "places": places,
        "steps": steps,
        "needs": needs,
        "cells": tried,
    }


def _asks_torch(source: str) -> bool:
    """Return True if a cell uses PyTorch itself, beyond results of earlier cells."""
    return any(lacking(statement, {}) == TORCH for statement in statements(source))


def exercise_of(check: str) -> str:
    """Return the name of the exercise that a check cell checks.

    Raises
    ------
    ValueError
        If it asks about none.
    """
    match = _CHECK.match(check)
    if not match:
        msg = f'a check cell must begin with check("<exercise>", got {check!r}'
        raise ValueError(msg)
    return match[1]


def statements(source: str) -> Iterator[ast.stmt]:
    """Yield the statements of a cell, one for each imported name."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            yield from (ast.Import([alias]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield ast.ImportFrom(node.module, [alias], node.level)
        else:
            yield node


def lacking(statement: ast.stmt, missing: dict[str, str]) -> str:
    """Return a sentence on what a statement needs and a page lacks, or nothing.

    Parameters
    ----------
    statement : stmt
        As `statements` gives it.
    missing : dict
        What names of the chapter need that earlier statements could not make.
    """
    if isinstance(statement, ast.Import | ast.ImportFrom):
        module = getattr(statement, "module", None)
        name = statement.names[0].name
        return _of_module(f"{module}.{name}" if module else name)
    read = read_by(statement)
    if isinstance(statement, ast.AugAssign):
        read += bound_by(statement)  # x += 1 reads x
    needs = {missing[name] for name in read if name in missing}
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            needs.add(_of_module(getattr(node, "module", None) or node.names[0].name))
        elif isinstance(node, ast.Attribute) and node.attr in ("nn", "training"):
            needs.add(TORCH)
    return next((lacks for lacks in NEEDS if lacks in needs), "")


def _of_module(name: str) -> str:
    for lacks, pattern in NEEDS.items():
        if pattern.match(name):
            return lacks
    top = name.partition(".")[0]
    known = top in PACKAGES or top in sys.stdlib_module_names
    return "" if known else NOTEBOOK


def marked(body: str, text: str, about: dict[str, Any]) -> str:
    """Return a page's body with names on the cells that Python can run.

    Raises
    ------
    ValueError
        If the page shows other cells than its source has.
    """
    code = [cell for cell in cells_in(text) if cell.cell_type == "code"]
    names = iter(about["checks"])
    marks = []
    for number, cell in enumerate(code):
        tags = set(cell.metadata["tags"])
        if "remove-cell" in tags:
            continue
        mark = ""
        if "stub" in tags:
            mark = f' data-exercise="{next(names)}"'
        elif number in about["cells"]:
            mark = f' data-cell="{number}"'
        elif number in about["needs"] and not tags & UNSEEN:
            mark = f' data-needs="{about["needs"][number]}"'
        marks.append(mark)
    first, *rest = _CELL.split(body)
    if len(rest) != len(marks):
        msg = f"the page must show {len(marks)} cells, as its source, got {len(rest)}"
        raise ValueError(msg)
    pairs = zip(marks, rest, strict=True)
    return first + "".join(f'<div{mark} class="cell {html}' for mark, html in pairs)


@cache
def totals() -> dict[str, int]:
    """Count the exercises of each page that has any, in the order of the book."""
    texts = {slug: page_parser.page(slug) for slug in pages()}
    return {
        slug: len(of_page(text)["checks"])
        for slug, text in texts.items()
        if any(map(_is_stub, cells_in(text)))
    }


def listed() -> dict[str, Any]:
    """Return each page's title and its exercises, each with its title and label."""
    titles = {}
    for slug in totals():
        text = page_parser.page(slug)
        pairs = zip(of_page(text)["checks"], answerable(text), strict=True)
        exercises = [[name, b.argument, b.options["label"]] for name, b in pairs]
        titles[slug] = {"title": page_parser.title(text), "exercises": exercises}
    return titles


def answerable(text: str) -> list[page_parser.Block]:
    """Return exercises of a page that have a stub, and so a check."""
    labels = [cell.metadata["region"] for cell in cells_in(text) if _is_stub(cell)]
    blocks = {b.options["label"]: b for b in page_parser.directives(text, "exercise")}
    return [blocks[label] for label in labels]


def _is_stub(cell: Any) -> bool:
    return "stub" in cell.metadata.get("tags", [])


def carries_python() -> bool:
    """Return True if the site that is being built will have Python of its own."""
    try:
        return bool(extra_wheels() and find_bundle())
    except BundleError:
        return False


def equip(
    app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add progress to a page, and Python to a page with exercises."""
    folder, _, slug = pagename.rpartition("/")
    if folder != "book" or "body" not in context or not app.config.book_solve:
        return
    if slug in totals():
        text = page_parser.page(slug)
        about = of_page(text)
        context["body"] = marked(context["body"], text, about)
        path = Path(app.outdir, "solve", f"{slug}.json")
        path.parent.mkdir(exist_ok=True)
        sent = {key: about[key] for key in ("imports", "checks", "places", "steps")}
        path.write_text(json.dumps(sent, separators=(",", ":")), "utf-8")
    counts = json.dumps(totals(), separators=(",", ":"))
    settings = {"data-totals": counts, "data-page": slug}
    app.add_js_file("../solve/solve.js", loading_method="defer", **settings)


def link_to_notebook(app: Any, doctree: nodes.document) -> None:
    """Link each stub to a notebook where pages run no Python."""
    slug = Path(app.env.docname).name
    if app.config.book_solve or slug not in chapters():
        return
    names = iter(of_page(page_parser.page(slug))["checks"])
    for cell in [*doctree.findall(nodes.container)]:
        if "tag_stub" in cell["classes"]:
            link = _notebook(slug, next(names), lite=app.config.book_lite)
            line = nodes.paragraph("", "", link, classes=["pe-served"])
            place = cell.parent.index(cell) + 1
            cell.parent.insert(place, addnodes.only("", line, expr="html"))


def _notebook(slug: str, name: str, *, lite: bool) -> nodes.Element:
    if lite:
        url = f"{launch_buttons.LITE_URL.format(slug=slug)}&exercise={name}"
        words = "Answer it in the notebook, in the browser"
        return nodes.reference("", words, refuri=url, classes=["pe-lite"])
    words = "Answer it in the notebook: download it"
    return addnodes.download_reference(
        "", words, reftarget=f"../notebooks/{slug}.ipynb"
    )


def write_list(app: Any, error: Exception | None) -> None:
    """List all exercises for the progress page; without Python, drop that page."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, "solve")
    if app.config.book_solve:
        folder.mkdir(exist_ok=True)
        text = json.dumps(listed(), separators=(",", ":"))
        (folder / "exercises.json").write_text(text, "utf-8")
    else:
        shutil.rmtree(folder, ignore_errors=True)  # html_extra_path copied it


def setup(app: Any) -> None:
    """Register with Sphinx."""
    lite = os.environ.get(launch_buttons.LITE_VARIABLE) == "1"
    app.add_config_value("book_solve", lite and carries_python(), "env")
    app.connect("doctree-read", link_to_notebook, priority=400)
    app.connect("html-page-context", equip)
    app.connect("build-finished", write_list)
