"""What starts a build while the book is served, and which cells run then."""

import re
import shlex
from itertools import pairwise

import build_book
import pytest
import serve
from sphinx_autobuild.filter import IgnoreFilter

SOURCES = "book/rope.md src/posenc/rope/figures/decay.py scripts/templates/layout.html"
OTHERS = (
    "_build/html/book/rope.html src/posenc/rope/__pycache__/turns.cpython-311.pyc "
    "book/.rope.md.swp book/rope.md~ notebooks/rope.ipynb conf.py"
)


@pytest.mark.parametrize(("slug", "rest"), [("rope", ["rope"]), (None, [])])
def test_command_ignores_what_is_no_source_and_runs_cells_first(slug, rest):
    command = [str(part) for part in serve.command(8000, slug)]
    values = dict(pairwise(command))
    folders = [b for a, b in pairwise(command) if a == "--ignore"]
    is_ignored = IgnoreFilter(folders, [values["--re-ignore"]])
    every = (SOURCES + " " + OTHERS).split()
    ignored = [name for name in every if is_ignored(str(build_book.ROOT / name))]
    assert ignored == OTHERS.split()
    before = shlex.split(values["--pre-build"])
    assert re.search(r"page_cells\.py$", before[1])
    assert before[2:] == rest
