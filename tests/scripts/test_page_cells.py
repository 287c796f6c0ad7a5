"""Cells of a page run again when something that they may read changes."""

import page_cells
import pytest
from jupyter_cache import get_cache
from jupyter_cache.readers import get_reader

ROOT = page_cells.ROOT
PAGE = """\
---
jupytext: {{text_representation: {{extension: .md, format_name: myst}}}}
kernelspec: {{name: python3, display_name: Python 3}}
---
# Title

```{{code-cell}}
:tags: [a]
{0}
```

Prose.
"""
CELL = """\
from pathlib import Path
with open("../runs", "a") as runs:
    print("{0}", file=runs)"""
FILES = {
    "_toc.yml": "",
    "requirements.txt": "",
    "book/index.md": "# No cell\n",
    "book/list.md": PAGE.format(CELL.format("list")),
    "book/left.md": PAGE.format(f"from posenc import left\n{CELL.format('left')}"),
    "book/right.md": PAGE.format(f"import posenc.middle\n{CELL.format('right')}"),
    "book/data/a.json": "1",
    "src/posenc/__init__.py": "",
    "src/posenc/core/a.py": "",
    "src/posenc/kit/a.py": "",
    "src/posenc/left/figures/a.py": "",
    "src/posenc/left/chapter.toml": "",
    "src/posenc/middle/a.py": "from ..far import (\n    a,\n)",
    "src/posenc/far/a.py": "",
    "src/posenc/far/figures/a.py": "",
    "src/posenc/right/nn.py": "from posenc.nn import A",
}


@pytest.fixture
def root(tmp_path):
    """A small project, whose pages list in ``runs`` that their cells have run."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    page_cells.folder_imports.cache_clear()
    return tmp_path


ALL = ["left", "list", "right"]


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("src/posenc/core/a.py", ALL),
        ("src/posenc/kit/new.js", ALL),
        ("src/posenc/__init__.py", ALL),
        ("src/posenc/left/chapter.toml", ALL),
        ("book/data/a.json", ALL),
        ("requirements.txt", ALL),
        ("src/posenc/left/figures/a.py", ["left", "list"]),
        ("src/posenc/right/new.toml", ["list", "right"]),
        ("src/posenc/far/figures/a.py", ["list", "right"]),
        ("src/posenc/left/a.py", ALL),  # the right page imports `posenc.nn`
        ("src/posenc/left/__pycache__/a.pyc", []),
        ("tests/a.py", []),
        ("book/index.md", []),
    ],
)
def test_stale_after_a_change_lists_pages_that_may_read_it(root, name, pages):
    keep(root)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text("changed")
    page_cells.folder_imports.cache_clear()
    assert sorted(page_cells.stale(root)) == pages


def keep(root):
    """Pretend that all cells have run."""
    (root / page_cells.KEYS).mkdir(parents=True)
    for slug, key in page_cells.stale(root).items():
        (root / page_cells.KEYS / slug).write_text(key)


@pytest.mark.parametrize(
    ("old", "new", "pages"),
    [
        ("Prose.", "Other prose.", []),
        ("# Title", "# `posenc.far`", []),
        ("posenc import left", "posenc import  left", ["left"]),
        ("tags: [a]", "tags: [b]", ["left"]),
    ],
)
def test_stale_after_an_edit_of_a_page_ignores_prose(root, old, new, pages):
    keep(root)
    page = root / "book/left.md"
    page.write_text(page.read_text().replace(old, new))
    assert sorted(page_cells.stale(root)) == pages


def test_stale_for_one_page_adds_those_that_never_ran(root):
    assert sorted(page_cells.stale(root, ["left"])) == ALL
    keep(root)
    (root / "src/posenc/core/a.py").write_text("changed")
    assert sorted(page_cells.stale(root, ["left"])) == ["left"]


def ran(root):
    """Return the pages whose cells have run since the last call."""
    runs = root / "runs"
    pages = sorted(runs.read_text().split()) if runs.exists() else []
    runs.unlink(missing_ok=True)
    return pages


def project(root, *names):
    """Keep these pages alone, and let their cells import nothing."""
    for path in (root / "book").glob("*.md"):
        path.unlink()
    for name in names:
        (root / f"book/{name}.md").write_text(PAGE.format(CELL.format(name)))


def test_run_replaces_results_of_stale_pages_and_reports_failing_cells(root, capfd):
    project(root, "left", "right")
    assert page_cells.run(root)
    assert ran(root) == ["left", "right"]
    (root / "src/posenc/left/figures/a.py").write_text("changed")
    assert page_cells.run(root)
    assert ran(root) == ["left"]
    assert page_cells.run(root)
    assert ran(root) == []
    # Sphinx asks the cache in this way.
    page = root / "book/left.md"
    notebook = get_reader({"type": "plugin", "name": "myst_nb_md"})(str(page))
    results = get_cache(root / "_build/.jupyter_cache")
    assert results.match_cache_notebook(notebook).uri == str(page)
    page.write_text(page.read_text().replace("Prose.", "```{code-cell}\n1 / 0\n```\n"))
    for _ in range(2):
        assert not page_cells.run(root)
        assert ran(root) == ["left"]
        assert "ZeroDivisionError" in capfd.readouterr().err
