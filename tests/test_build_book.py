"""The build is never stale, and a failed one never passes for a success."""

import subprocess
import sys

import book_extension
import build_book
import nbformat
import pytest
from nbclient import NotebookClient

CONFIG = """\
title: A & B
only_build_toc_files: true
execute: {execute_notebooks: "off"}
"""
FILES = {
    "_config.yml": CONFIG,
    "_toc.yml": "format: jb-book\nroot: book/index\n",
    "requirements.txt": "a==1\n",
    "book/index.md": "# Title\n",
    "book/data/a.json": "1",
    "book/_static/a.css": "",
    "src/posenc/a.py": "x = 1\n",
    "src/posenc/widgets/a.js": "let x = 1\n",
    "tests/test_a.py": "",
}


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small book in its own folder, which `build_book` takes for the real one."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("BUILD", "SITE", "STAMP", "ROOT"):
        path = getattr(build_book, name).relative_to(build_book.ROOT)
        monkeypatch.setattr(build_book, name, tmp_path / path)
    return tmp_path


@pytest.fixture
def jupyter_book(house, monkeypatch):
    """Stands in for jupyter-book: leaves a site, and ends as its ``status`` says."""

    class Stand:
        status = 0
        found_leftovers = None

        def run(self, command, check):
            self.found_leftovers = build_book.BUILD.exists()
            build_book.SITE.mkdir(parents=True, exist_ok=True)
            return subprocess.CompletedProcess(command, self.status)

    stand = Stand()
    monkeypatch.setattr(build_book.subprocess, "run", stand.run)
    return stand


def edit(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("changed")


@pytest.mark.parametrize(
    "name",
    [
        "src/posenc/a.py",
        "src/posenc/new.py",
        "src/posenc/widgets/a.js",
        "book/data/a.json",
        "book/_static/a.css",
        "requirements.txt",
        "_config.yml",
        "_toc.yml",
    ],
)
def test_what_cells_and_pages_depend_on_changes_both_fingerprints(house, name):
    inputs, sources = build_book.fingerprints()
    edit(house / name)
    new_inputs, new_sources = build_book.fingerprints()
    assert new_inputs != inputs
    assert new_sources != sources


def test_a_renamed_or_lost_file_changes_the_fingerprint(house):
    first, _ = build_book.fingerprints()
    file = (house / "src/posenc/a.py").rename(house / "src/posenc/b.py")
    second, _ = build_book.fingerprints()
    file.unlink()
    third, _ = build_book.fingerprints()
    assert len({first, second, third}) == 3


def test_prose_changes_the_site_but_no_cell(house):
    inputs, sources = build_book.fingerprints()
    edit(house / "book/index.md")
    assert build_book.fingerprints()[0] == inputs
    assert build_book.fingerprints()[1] != sources


@pytest.mark.parametrize("name", ["tests/test_a.py", "src/posenc/__pycache__/a.pyc"])
def test_what_the_site_does_not_depend_on_changes_nothing(house, name):
    before = build_book.fingerprints()
    edit(house / name)
    assert build_book.fingerprints() == before


def test_a_site_is_current_until_its_sources_change(house, jupyter_book):
    assert not build_book.is_current()
    assert build_book.build() == 0
    assert build_book.is_current()
    edit(house / "book/index.md")
    assert not build_book.is_current()


def test_a_second_build_keeps_what_the_first_has_done(house, jupyter_book):
    build_book.build()
    edit(house / "book/index.md")
    build_book.build()
    assert jupyter_book.found_leftovers


def test_a_change_of_code_drops_what_was_done(house, jupyter_book):
    build_book.build()
    edit(house / "src/posenc/a.py")
    build_book.build()
    assert not jupyter_book.found_leftovers


def test_clean_drops_what_was_done(house, jupyter_book):
    build_book.build()
    build_book.build(clean=True)
    assert not jupyter_book.found_leftovers


def test_a_failed_build_is_followed_by_one_from_nothing(house, jupyter_book):
    build_book.build()
    jupyter_book.status = 1
    assert build_book.build() == 1
    assert not build_book.is_current()
    assert build_book.build() == 1
    assert not jupyter_book.found_leftovers


def test_the_root_page_has_the_title_and_leads_on(house, jupyter_book):
    build_book.build()
    root = (build_book.SITE / "index.html").read_text()
    assert "<title>A &amp; B</title>" in root
    assert 'content="0; url=book/index.html"' in root


@pytest.mark.parametrize(
    ("options", "status", "calls"),
    [([], 0, 1), (["--no-lite"], 0, 0), ([], 1, 0)],
)
def test_python_in_the_browser_follows_a_good_build(
    house, jupyter_book, monkeypatch, capsys, options, status, calls
):
    jupyter_book.status = status
    monkeypatch.setattr(build_book.build_lite, "update", lambda: "Notebooks are there.")
    monkeypatch.setattr(sys, "argv", ["build_book.py", *options])
    monkeypatch.setenv("POSENC_PROGRESS", "")  # main changes it
    with pytest.raises(SystemExit) as end:
        build_book.main()
    assert end.value.code == status
    assert capsys.readouterr().out.count("Notebooks are there.") == calls


@pytest.mark.slow
def test_jupyter_book_fails_as_long_as_there_is_a_warning(house):
    assert build_book.build() == 0
    (house / "book/index.md").write_text("# Title\n\n{doc}`nothing`\n")
    assert build_book.build() != 0
    assert build_book.build() != 0  # unchanged: here it returns 0 by itself
    (house / "book/index.md").write_text(FILES["book/index.md"])
    assert build_book.build() == 0
    assert (build_book.SITE / "book/index.html").exists()


class Sphinx:
    """As much of an application as the extension touches."""

    def __init__(self):
        self.connected = {}

    def connect(self, event, callback, priority=500):
        self.connected[event] = callback

    def add_config_value(self, name, default, rebuild):
        pass

    def add_post_transform(self, transform):
        pass


@pytest.fixture
def app(monkeypatch):
    """An application that has loaded the book's extension."""
    create = NotebookClient.create_kernel_manager
    monkeypatch.setattr(NotebookClient, "create_kernel_manager", create)
    app = Sphinx()
    book_extension.setup(app)
    return app


def test_kernels_are_encrypted(app):
    manager = NotebookClient(nbformat.v4.new_notebook()).create_kernel_manager()
    assert manager.transport_encryption == "required"


def test_bodies_of_pages_are_repaired(app):
    context = {"body": '<div role="doc-biblioentry" id="proof"><p id="proof-1">'}
    app.connected["html-page-context"](app, "a", "page.html", context, None)
    assert context["body"] == '<div role="listitem"><p id="proof-1">'


def test_a_page_loads_each_style_once(app):
    one, other = "<style>a {\n}</style>", "<style>b {}</style>"
    context = {"body": f"{one}1{other}2{one}3{one}{other}4<style>"}
    app.connected["html-page-context"](app, "a", "page.html", context, None)
    assert context["body"] == f"{one}1{other}234<style>"


def test_pages_without_a_body_are_left_alone(app):
    context = {}
    app.connected["html-page-context"](app, "search", "search.html", context, None)
    assert context == {}
