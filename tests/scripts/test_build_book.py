"""The build is never stale, and a failed one never passes for a success."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import build_book
import pytest

CONFIG = """\
title: A & B
only_build_toc_files: true
execute: {execute_notebooks: cache}
"""
CELL = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3}
---
# One

```{code-cell}
print("one" + open("../src/posenc/one/a.txt").read())
```
"""
FILES = {
    "_config.yml": CONFIG,
    "_toc.yml": "format: jb-book\nroot: book/index\nchapters: [{file: book/one}]\n",
    "requirements.txt": "a==1\n",
    "book/index.md": "# Title\n",
    "book/one.md": "# One\n",
    "book/_static/a.css": "",
    "notebooks/one.ipynb": "{}",
    "scripts/a.py": "",
    "src/posenc/one/a.txt": "1",
    "tests/test_a.py": "",
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A small book in its own folder, which `build_book` takes for the real one."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("BUILD", "SITE", "ROOT"):
        path = getattr(build_book, name).relative_to(build_book.ROOT)
        monkeypatch.setattr(build_book, name, tmp_path / path)
    monkeypatch.setenv("POSENC_LITE", "")  # the build changes it
    return tmp_path


@pytest.fixture
def tools(root, monkeypatch):
    """Stand-ins for the kernels, for jupyter-book and for the slides."""

    tools = SimpleNamespace(cells_succeed=True, status=0, cells=[], doctrees=[])
    tools.during = lambda: None  # what somebody does while Sphinx runs

    def run_cells(_, slugs):
        tools.cells.append(slugs)
        return tools.cells_succeed

    def run_jupyter_book():
        folder = build_book.BUILD / ".doctrees/book"
        tools.doctrees.append(sorted(path.stem for path in folder.glob("*")))
        folder.mkdir(parents=True, exist_ok=True)
        (build_book.SITE / "book").mkdir(parents=True, exist_ok=True)
        for slug in build_book.slugs():
            (folder / f"{slug}.doctree").touch()
            if slug not in tools.doctrees[-1]:
                (build_book.SITE / f"book/{slug}.html").touch()
        tools.during()
        return tools.status

    monkeypatch.setattr(build_book.page_cells, "run", run_cells)
    monkeypatch.setattr(build_book, "run_jupyter_book", run_jupyter_book)
    monkeypatch.setattr(build_book.make_slides, "write_slides", lambda *_: [])
    return tools


def edit(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("changed")


@pytest.mark.parametrize(
    ("name", "is_source"),
    [
        *((name, name != "tests/test_a.py") for name in FILES),
        ("src/posenc/new/b.js", True),
        ("src/posenc/__pycache__/a.pyc", False),
    ],
)
def test_is_current_is_false_after_a_change_of_a_source(root, tools, name, is_source):
    assert not build_book.is_current()
    assert build_book.build() == 0
    assert build_book.is_current()
    edit(root / name)
    assert build_book.is_current() != is_source


def test_build_of_the_book_reads_every_page_if_one_has_changed(root, tools):
    build_book.build()
    assert build_book.build() == 0
    assert len(tools.doctrees) == 1
    (build_book.SITE / "book/gone.html").touch()
    (build_book.SITE / "lite").mkdir()
    edit(root / "book/index.md")
    build_book.build()
    assert tools.doctrees == [[], []]
    assert not (build_book.SITE / "book/gone.html").exists()
    assert (build_book.SITE / "lite").exists()
    build_book.build(lite=False)
    assert not (build_book.SITE / "lite").exists()


def test_build_of_one_page_reads_that_page_alone(root, tools):
    build_book.build(lite=True)
    edit(root / "src/posenc/one/a.txt")
    edit(root / "book/one.md")
    assert build_book.build("one", lite=False) == 0
    assert tools.cells == [(), ("one",)]
    assert tools.doctrees == [[], ["index"]]
    assert build_book.os.environ["POSENC_LITE"] == "1"  # as all others are
    assert build_book.is_current("one")
    assert not build_book.is_current()  # others may show the page's title


def test_build_after_a_failed_one_reads_everything_again(root, tools):
    tools.cells_succeed = False
    assert build_book.build() == 1
    assert tools.doctrees == []  # no Sphinx
    assert not build_book.is_current()
    tools.cells_succeed = True
    build_book.build()
    before = (root / "book/one.md").read_text()
    edit(root / "book/one.md")
    tools.status = 1
    assert build_book.build() == 1
    assert build_book.build() == 1
    assert tools.doctrees == [[], [], []]
    (root / "book/one.md").write_text(before)  # the site has another
    assert not build_book.is_current("one")


@pytest.fixture
def book(root, monkeypatch):
    """The small book with a cell, which the real jupyter-book builds."""
    monkeypatch.setattr(build_book.make_slides, "write_slides", lambda *_: [])
    extension = f"sphinx: {{local_extensions: {{key_only: '{root}'}}}}\n"
    (root / "_config.yml").write_text(CONFIG + extension)
    (root / "key_only.py").write_text(
        f"import sys\nsys.path.append({str(Path(build_book.__file__).parent)!r})\n"
        "from book_extension import note_key\n"
        "def setup(app):\n    app.connect('source-read', note_key)\n"
    )
    (root / "book/one.md").write_text(CELL)
    return root


@pytest.mark.slow
def test_build_shows_new_results_and_fails_while_there_is_a_warning(book):
    def page():
        return (build_book.SITE / "book/one.html").read_text()

    def build(*only):
        # The browser of other tests keeps an event loop in the main thread.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(build_book.build, *only).result()

    assert build() == 0
    assert "one1" in page()
    (book / "src/posenc/one/a.txt").write_text("2")
    assert build("one") == 0
    assert "one2" in page()
    for only in (["one"], []):
        (book / "book/one.md").write_text(CELL + "\n{doc}`nothing`\n")
        assert build(*only) != 0
        assert build(*only) != 0  # unchanged: here Sphinx returns 0
        (book / "book/one.md").write_text(CELL)
        assert build(*only) == 0
    (book / "book/one.md").write_text(CELL.replace("print", "prnt"))
    assert build("one") != 0
