"""What starts a build while the book is served, and which cells run then."""

import re
import shlex
from itertools import pairwise

import build_book
import pytest
import serve
from sphinx_autobuild.filter import IgnoreFilter


@pytest.mark.parametrize(
    ("name", "ignored"),
    [
        ("book/rope.md", False),
        ("src/posenc/rope/figures/decay.py", False),
        ("scripts/templates/layout.html", False),
        ("_build/html/book/rope.html", True),
        ("src/posenc/rope/__pycache__/turns.cpython-311.pyc", True),
        ("book/.rope.md.swp", True),
        ("book/rope.md~", True),
        ("notebooks/rope.ipynb", True),
        ("conf.py", True),
    ],
)
def test_command_ignores_what_is_no_source(name, ignored):
    command = [str(part) for part in serve.command(8000, None)]
    values = dict(pairwise(command))
    folders = [b for a, b in pairwise(command) if a == "--ignore"]
    names = IgnoreFilter(folders, [values["--re-ignore"]])
    assert names(str(build_book.ROOT / name)) == ignored


@pytest.mark.parametrize(("slug", "rest"), [("rope", ["rope"]), (None, [])])
def test_command_runs_the_cells_of_the_page_first(slug, rest):
    command = serve.command(8000, slug)
    before = shlex.split(command[command.index("--pre-build") + 1])
    assert re.search(r"page_cells\.py$", before[1])
    assert before[2:] == rest
