"""Cells of a page run again when something that they have read changes: they alone."""

import shutil
from concurrent.futures import Future
from types import SimpleNamespace

import build_book
import nbformat
import pytest
import run_cells
from nbclient import NotebookClient
from run_cells import PageClient

CONFIG = f"""\
title: House
only_build_toc_files: true
execute: {{execute_notebooks: cache, raise_on_error: true}}
sphinx:
  local_extensions: {{run_cells: "{build_book.ROOT / "scripts"}"}}
"""
FILES = {
    "_config.yml": CONFIG,
    "_toc.yml": "format: jb-book\nroot: book/index\nchapters:\n"
    "- file: book/left\n- file: book/right\n",
    "requirements.txt": "",
    "book/index.md": "# Title\n\n{doc}`left`\n",
    "book/data/left.txt": "1",
    "src/house_left.py": "open('data/left.txt').read()\n",
    "src/house_right.py": "x = 1\n",
}
CELL = """\
import sys
sys.path.insert(0, "../src")
import house_{0}
with open("../../runs", "a") as runs:
    print("{0}", file=runs)
"""
PAGE = """\
---
jupytext: {{text_representation: {{extension: .md, format_name: myst}}}}
kernelspec: {{name: python3, display_name: Python 3}}
---
# The {0} side

```{{code-cell}}
{1}```
"""


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A book with two pages that import a module each, and a list of their runs."""
    house = tmp_path / "house"
    pages = {f"book/{n}.md": PAGE.format(n, CELL.format(n)) for n in ("left", "right")}
    for name, text in (FILES | pages).items():
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / name).write_text(text)
    for name in ("BUILD", "SITE", "ROOT"):
        path = getattr(build_book, name).relative_to(build_book.ROOT)
        monkeypatch.setattr(build_book, name, house / path)
    monkeypatch.setenv("POSENC_LITE", "")
    return house


def edit(path):
    path.write_text(f"{path.read_text()}\n")


def runs(house):
    """Pages whose cells have run since the last look."""
    log = house.parent / "runs"
    found = sorted(log.read_text().split()) if log.exists() else []
    log.unlink(missing_ok=True)
    return found


@pytest.fixture
def client(house, monkeypatch):
    """Runs the cells of a page as myst-nb does, in a kernel."""
    create = NotebookClient.create_kernel_manager
    monkeypatch.setattr(NotebookClient, "create_kernel_manager", create)
    run_cells.prepare_kernels()
    monkeypatch.setattr(PageClient, "root", house, raising=False)
    monkeypatch.setattr(PageClient, "ahead", {}, raising=False)
    quiet = SimpleNamespace(info=run_cells._nothing, warning=run_cells._nothing)
    config = SimpleNamespace(
        execution_cache_path=str(house / "_build/.jupyter_cache"),
        execution_in_temp=False,
        execution_allow_errors=False,
        execution_timeout=60,
        execution_show_tb=False,
        execution_raise_on_error=True,
        execution_mode="cache",
    )

    def create_client(name, *sources):
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in sources]
        )
        return PageClient(notebook, house / f"book/{name}.md", config, quiet)

    return create_client


def test_cells_run_again_when_what_they_read_changes(house, client):
    def ran(*more):
        client("left", CELL.format("left"), *more).start_client()
        return runs(house) == ["left"]

    assert ran()
    assert not ran()
    edit(house / "src/house_right.py")
    assert not ran()
    edit(house / "src/house_left.py")
    assert ran()
    edit(house / "book/data/left.txt")
    assert ran()
    assert ran("1")  # another cell
    assert not ran("1")


def test_cells_run_again_when_something_changes_meanwhile(house, client):
    source = "from pathlib import Path\nPath('data/left.txt').write_text('{}')"
    for text in "12":
        client("left", CELL.format("left"), source.format(0)).start_client()
        assert runs(house) == ["left"], text


def test_a_line_that_a_slow_machine_prints_in_pieces_stays_one_line(client):
    pieces = "import sys\nfor piece in ('a', ' [b]\\n', '  c\\n'):\n"
    page = client("left", pieces + "    print(piece, end='', flush=True)")
    page.start_client()
    (cell,) = page.notebook.cells
    assert [output["text"] for output in cell.outputs] == ["a [b]\n  c\n"]


def test_cells_that_fail_run_again(house, client):
    for _ in range(2):
        with pytest.raises(run_cells.execute.ExecutionError):
            client("left", CELL.format("left") + "1 / 0").start_client()
        assert runs(house) == ["left"]


def test_a_page_without_cells_starts_no_kernel(house, client, monkeypatch):
    monkeypatch.setattr(NotebookClient, "execute", None)
    client("index").start_client()


def test_a_page_waits_for_the_run_that_has_begun(house, client, monkeypatch):
    begun = Future()
    begun.set_exception(ValueError("which the page itself reports"))
    page = client("left", "1")
    monkeypatch.setitem(PageClient.ahead, page.path, begun)
    order = []
    monkeypatch.setattr(begun, "exception", lambda: order.append("waited"))
    monkeypatch.setattr(page, "run", lambda: order.append("ran"))
    page.start_client()
    assert order == ["waited", "ran"]


@pytest.mark.slow
def test_sphinx_reads_and_runs_what_has_changed(house):
    def build(*only):
        assert build_book.build(*only) == 0
        return runs(house)

    site = house / "_build/html/book"
    assert build() == ["left", "right"]
    edit(house / "src/house_left.py")
    assert not build_book.is_current("left")
    assert build_book.is_current("right")
    assert build() == ["left"]
    assert build_book.is_current()

    page = house / "book/right.md"
    page.write_text(page.read_text() + "\nMore prose.\n")
    assert build() == []
    assert "More prose." in (site / "right.html").read_text()

    edit(house / "src/house_left.py")
    edit(house / "src/house_right.py")
    assert build("right") == ["right"]
    assert build_book.is_current("right")
    assert not build_book.is_current("left")

    # What one page does to another shows at the latest when all are built.
    (house / "book/left.md").rename(house / "left.md")
    (house / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    assert build_book.build() != 0
    assert build_book.build() != 0
    shutil.move(house / "left.md", house / "book/left.md")
    (house / "_toc.yml").write_text(FILES["_toc.yml"])
    assert build() == ["left"]


@pytest.mark.slow
def test_a_page_with_a_warning_fails_until_it_is_mended(house):
    assert build_book.build() == 0
    page = house / "book/right.md"
    good = page.read_text()
    page.write_text(good + "\n{doc}`nothing`\n")
    assert build_book.build("right") != 0
    assert build_book.build("right") != 0
    page.write_text(good)
    assert build_book.build("right") == 0
    assert build_book.build() == 0
    assert runs(house) == ["left", "right"]
