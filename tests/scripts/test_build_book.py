"""The build is never stale, and a failed one never passes for a success."""

import subprocess
import sys
from pathlib import Path

import book_extension
import build_book
import nbformat
import pytest
import shared_modules
from freshness import SHARED
from nbclient import NotebookClient

CONFIG = """\
title: A & B
only_build_toc_files: true
execute: {execute_notebooks: "off"}
"""
FILES = {
    "_config.yml": CONFIG,
    "_toc.yml": "format: jb-book\nroot: book/index\nchapters: [{file: book/one}]\n",
    "requirements.txt": "a==1\n",
    "book/index.md": "# Title\n",
    "book/one.md": "# One\n",
    "book/_static/a.css": "",
    "notebooks/one.ipynb": "{}",
    "src/posenc/a.py": "x = 1\n",
    "tests/test_a.py": "",
}


@pytest.fixture
def house(tmp_path, monkeypatch):
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
def sphinx(house, monkeypatch):
    """Stands in for Sphinx: leaves a site, and ends as its ``status`` says."""

    class Stand:
        status = 0
        pages = None
        found_site = found_cells = None

        def run(self, pages):
            self.pages = pages
            self.found_site = build_book.SITE.exists()
            self.found_cells = (build_book.BUILD / ".jupyter_cache").exists()
            self.during()
            build_book.SITE.mkdir(parents=True, exist_ok=True)
            (build_book.BUILD / ".jupyter_cache").mkdir(exist_ok=True)
            return self.status

        def during(self):
            """Do what somebody does while Sphinx runs."""

    stand = Stand()
    monkeypatch.setattr(build_book, "run_sphinx", stand.run)
    return stand


def edit(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("changed")


def test_a_site_is_current_until_its_sources_change(house, sphinx):
    assert not build_book.is_current()
    assert build_book.build() == 0
    assert build_book.is_current()
    edit(house / "book/index.md")
    assert not build_book.is_current()


@pytest.mark.parametrize(
    "name", [n for n in FILES if n != "tests/test_a.py"] + ["src/posenc/new/b.js"]
)
def test_all_that_the_site_is_made_of_counts(house, sphinx, name):
    build_book.build()
    edit(house / name)
    assert not build_book.is_current()


@pytest.mark.parametrize("name", ["tests/test_a.py", "src/posenc/__pycache__/a.pyc"])
def test_what_the_site_does_not_depend_on_changes_nothing(house, sphinx, name):
    build_book.build()
    edit(house / name)
    assert build_book.is_current()


def test_a_renamed_or_lost_file_counts(house, sphinx):
    build_book.build()
    file = (house / "src/posenc/a.py").rename(house / "src/posenc/b.py")
    assert not build_book.is_current()
    build_book.build()
    file.unlink()
    assert not build_book.is_current()


def test_a_page_is_current_until_it_changes(house, sphinx):
    build_book.build()
    edit(house / "book/index.md")
    assert build_book.is_current("one")
    assert not build_book.is_current("index")
    edit(house / "book/_static/a.css")  # which all pages share
    assert not build_book.is_current("one")


def test_nothing_is_built_twice(house, sphinx):
    build_book.build()
    sphinx.pages = None
    assert build_book.build() == 0
    assert build_book.build("one") == 0
    assert sphinx.pages is None
    assert build_book.build(lite=False) == 0
    assert sphinx.pages == []


def test_a_second_build_keeps_what_the_first_has_done(house, sphinx):
    build_book.build()
    edit(house / "book/index.md")
    build_book.build()
    assert sphinx.found_site
    assert sphinx.pages == []


def test_a_page_is_built_alone(house, sphinx):
    build_book.build(lite=True)
    edit(house / "book/index.md")
    edit(house / "book/one.md")
    assert build_book.build("one", lite=False) == 0
    assert sphinx.found_site
    assert sphinx.pages == ["book/one"]
    assert build_book.os.environ["POSENC_LITE"] == "1"  # as all others are
    assert build_book.is_current("one")
    assert not build_book.is_current("index")
    assert not build_book.is_current()  # others may show the page's title


def test_a_page_is_built_with_all_others_the_first_time(house, sphinx):
    assert build_book.build("one") == 0
    assert sphinx.pages == []
    assert build_book.is_current()


def test_what_changes_while_the_site_is_built_is_not_current(house, sphinx):
    sphinx.during = lambda: edit(house / "book/one.md")
    build_book.build()
    assert build_book.is_current("index")
    assert not build_book.is_current("one")
    assert not build_book.is_current()


def test_clean_drops_what_was_done(house, sphinx):
    build_book.build()
    build_book.build(clean=True)
    assert not sphinx.found_site
    assert not sphinx.found_cells


def test_a_failed_build_is_followed_by_one_from_nothing_but_cells(house, sphinx):
    build_book.build()
    edit(house / "book/one.md")
    sphinx.status = 1
    assert build_book.build() == 1
    assert not build_book.is_current()
    assert build_book.build() == 1
    assert not sphinx.found_site
    assert sphinx.found_cells  # cells that raise an error leave nothing there


def test_no_page_is_current_after_a_failed_build_of_all(house, sphinx):
    build_book.build()
    before = (house / "book/one.md").read_text()
    edit(house / "book/one.md")
    sphinx.status = 1
    build_book.build()
    (house / "book/one.md").write_text(before)  # the site has another
    assert not build_book.is_current("one")


def test_a_page_that_failed_is_built_again(house, sphinx):
    build_book.build()
    edit(house / "book/one.md")
    sphinx.status = 1
    for _ in range(2):
        sphinx.pages = None
        assert build_book.build("one") == 1
        assert sphinx.pages == ["book/one"]
        assert not build_book.is_current("one")
    assert sphinx.found_site
    assert build_book.build() == 1


def test_the_root_page_has_the_title_and_leads_on(house, sphinx):
    build_book.build()
    root = (build_book.SITE / "index.html").read_text()
    assert "<title>A &amp; B</title>" in root
    assert 'content="0; url=book/index.html"' in root
    assert "A &amp; B" in (build_book.SITE / "404.html").read_text()
    assert not (build_book.SITE / "sitemap.xml").exists()


def test_the_address_of_the_site_gives_it_a_sitemap(house, sphinx):
    address = "html: {baseurl: 'https://a.org/b/'}\n"
    (house / "_config.yml").write_text(CONFIG + address)
    build_book.build()
    assert "https://a.org/b/sitemap.xml" in (build_book.SITE / "robots.txt").read_text()


@pytest.mark.parametrize(
    ("options", "status", "calls"),
    [([], 0, 1), (["--no-lite"], 0, 0), (["--only", "one"], 0, 0), ([], 1, 0)],
)
def test_python_in_the_browser_follows_a_good_build(
    house, sphinx, monkeypatch, capsys, options, status, calls
):
    sphinx.status = status
    monkeypatch.setattr(build_book.build_lite, "update", lambda: "Notebooks are there.")
    monkeypatch.setattr(sys, "argv", ["build_book.py", *options])
    for name in ("POSENC_PROGRESS", "OMP_NUM_THREADS"):
        monkeypatch.setenv(name, "")  # main changes them
    with pytest.raises(SystemExit) as end:
        build_book.main()
    assert end.value.code == status
    assert capsys.readouterr().out.count("Notebooks are there.") == calls


def test_an_unknown_page_is_refused_with_a_list(house, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["build_book.py", "--only", "two"])
    with pytest.raises(SystemExit):
        build_book.main()
    said = capsys.readouterr().err
    assert "invalid choice: 'two'" in said
    assert "index" in said
    assert "one" in said


@pytest.mark.slow
def test_sphinx_fails_as_long_as_there_is_a_warning(house):
    assert build_book.build() == 0
    (house / "book/index.md").write_text("# Title\n\n{doc}`nothing`\n")
    assert build_book.build() != 0
    assert build_book.build() != 0  # unchanged: here it returns 0 by itself
    (house / "book/index.md").write_text(FILES["book/index.md"])
    assert build_book.build() == 0
    assert (build_book.SITE / "book/index.html").exists()


class Sphinx:
    """As much of an application as the extension touches."""

    srcdir = "."

    def __init__(self):
        self.connected = {}

    def connect(self, event, callback, priority=500):
        self.connected[event] = callback

    def add_config_value(self, name, default, rebuild):
        pass

    def add_post_transform(self, transform):
        pass

    def add_role(self, name, role):
        pass

    def add_node(self, node, **visitors):
        pass

    def add_directive(self, name, directive):
        pass

    def setup_extension(self, name):
        pass


@pytest.fixture
def app(monkeypatch):
    """An application that has loaded the book's extension."""
    create = NotebookClient.create_kernel_manager
    monkeypatch.setattr(NotebookClient, "create_kernel_manager", create)
    execute = book_extension.run_cells.execute
    monkeypatch.setattr(execute, "NotebookClientCache", execute.NotebookClientCache)
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


def test_widgets_of_one_class_share_a_module(app):
    def script(module, place):
        return (
            f'<script type="module">\nconst widget = {module};\n'
            f'mount(widget, "{place}", {{}});\n</script>'
        )

    alone, other = script(2, "b"), '<script type="module">\nf();\n</script>'
    body = script(1, "a") + alone + other + script(1, "c")
    context = {"body": body}
    app.connected["html-page-context"](app, "a", "page.html", context, None)
    assert context["body"] == (
        '<script type="module">\nconst widget = 1;\n'
        "globalThis.posencModule0 = { widget, mount };\n"
        f'mount(widget, "a", {{}});\n</script>{alone}{other}<script type="module">\n'
        "const { widget, mount } = globalThis.posencModule0;\n"
        'mount(widget, "c", {});\n</script>'
    )
    # Slides leave the first one out.
    assert shared_modules.part(context["body"]) == body


def test_pages_without_a_body_are_left_alone(app):
    context = {}
    app.connected["html-page-context"](app, "search", "search.html", context, None)
    assert context == {}


def test_all_scripts_of_the_extension_count():
    program = "import sys, book_extension; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        cwd=build_book.ROOT / "scripts",
        text=True,
    )
    scripts = {path.stem for path in (build_book.ROOT / "scripts").glob("*.py")}
    used = scripts & set(done.stdout.split())
    assert {"freshness", "latex_output", "run_cells"} <= used
    assert used | {"kernel_reads"} <= {Path(name).stem for name in SHARED}
