"""A new chapter, made by the script, passes what every chapter has to pass."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from new_chapter import TEMPLATES, new_files
from widget_page import control, shown

from posenc.core.chapters import chapters
from posenc.pages import course

ROOT = Path(__file__).parents[2]
#: What a book is made of, without what is built or installed.
ROOMS = ("benchmarks", "book", "graded", "notebooks", "scripts", "src", "tests")
FILES = (
    "LICENSE",
    "Makefile",
    "README.md",
    "_config.yml",
    "_toc.yml",
    "pyproject.toml",
)
#: The new chapter, and the one that it links to: enough for a site.
CONTENTS = """\
format: jb-book
root: book/contributing
parts:
  - caption: Absolute positions
    numbered: true
    chapters:
      - file: book/attention
      - file: book/dial
"""


def copy_of_the_book(folder):
    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, folder / room, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    return folder


def run(root, *command):
    """What a Python program prints in the copy; it must end well."""
    ended = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A copy of the book with the new chapter ``dial``, and the files of it."""
    root = copy_of_the_book(tmp_path_factory.mktemp("book"))
    said = run(root, "scripts/new_chapter.py", "dial", "Dials")
    files = [root / line for line in said.partition("\n\n")[0].splitlines()]
    assert root / "book" / "dial.md" in files
    assert all(path.is_file() for path in files)
    return root, files


@pytest.mark.slow
class TestMade:
    def test_its_code_has_our_style_and_types(self, made):
        root, files = made
        code = [path for path in files if path.suffix == ".py"]
        run(root, "-m", "ruff", "format", "--check", *code)
        run(root, "-m", "ruff", "check", *code)
        run(root, "-m", "mypy", "src/posenc/dial")

    def test_it_gives_a_notebook_and_leaves_the_others(self, made):
        root, _ = made
        said = run(root, "scripts/make_notebooks.py")
        assert said.split() == ["written:", "notebooks/dial.ipynb"]

    def test_its_tests_and_those_of_the_registry_pass(self, made):
        """In the browser, too."""
        root, _ = made
        tests = (
            "tests/dial",
            "src/posenc/dial",
            "tests/pages",
            "tests/test_imports.py",
        )
        assert " passed" in run(root, "-m", "pytest", "-q", *tests)

    def test_it_is_measured_with_the_others(self, made):
        root, _ = made
        asked = "import run; print([path.stem for path in run.scripts()][-1])"
        listed = f"import sys; sys.path.insert(0, 'benchmarks'); {asked}"
        assert run(root, "-c", listed).split() == ["dial"]
        run(root, "benchmarks/dial.py")
        assert (root / "book" / "data" / "bench_dial.json").is_file()

    @pytest.mark.browser
    def test_its_page_is_built_and_its_widget_moves(self, made, tmp_path, open_page):
        root = tmp_path / "site"
        shutil.copytree(made[0], root)
        (root / "_toc.yml").write_text(CONTENTS)
        said = run(
            root, Path(sys.executable).with_name("jupyter-book"), "build", ".", "-n"
        )
        own = [line for line in said.splitlines() if "dial.md" in line]
        assert [line for line in own if "WARNING" in line or "ERROR" in line] == []
        page = open_page((root / "_build/html/book/dial.html").as_uri())
        assert page.locator("article h1").inner_text().startswith("2. Dials")
        assert "Reading: 1 minute. Exercises: 2 minutes." in page.content()
        widget = page.locator(".pe-widget")
        control(widget, "scale").press("End")
        assert shown(widget)["scale"] == 2
        assert page.record.errors == []

    def test_it_goes_as_it_came(self, made, tmp_path):
        """To delete a chapter, delete its folders, its page and its line."""
        root = tmp_path / "book"
        shutil.copytree(made[0], root)
        for folder in ("src/posenc/dial", "tests/dial"):
            shutil.rmtree(root / folder)
        for room in ("book", "graded"):
            (root / room / "dial.md").unlink()
        shutil.copy(ROOT / "_toc.yml", root)
        listed = run(root, "-c", LISTED)
        assert listed.split() == list(chapters())


#: Imports everything that lists chapters, and prints their names.
LISTED = """
import posenc, posenc.nn, posenc.exercises
from posenc import compare
from posenc.pages import course, errata
[getattr(posenc, name) for name in dir(posenc)]
posenc.exercises.names(), errata.page(), course.weeks("term"), compare.table("cost")
print(*posenc.core.chapters.chapters())
"""


@pytest.mark.parametrize("slug", ["music_transformer", "cape"])
def test_a_chapter_on_which_none_stands_can_be_deleted(tmp_path, slug):
    """What imports its code, figures or widgets would have to go, too."""
    src = tmp_path / "src"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", src, ignore=ignored)
    shutil.rmtree(src / "posenc" / slug)
    contents = (ROOT / "_toc.yml").read_text("utf-8")
    (tmp_path / "_toc.yml").write_text(contents.replace(f"- file: book/{slug}\n", ""))
    said = run(tmp_path, "-c", "import posenc; print(*posenc.__all__, *dir(posenc))")
    assert slug not in said.split()
    assert "t5" in said.split()


def test_the_table_of_contents_names_it():
    toc = new_files("dial", "Dials and hands")[ROOT / "_toc.yml"]
    old = (ROOT / "_toc.yml").read_text("utf-8")
    assert [line for line in toc.splitlines() if line not in old.splitlines()] == [
        "      - file: book/dial"
    ]
    # behind the last numbered chapter, before the reference
    assert toc.index("book/dial") < toc.index("caption: Reference")
    assert "numbered: true" not in toc[toc.index("book/dial") :]


def test_its_facts_and_names_are_filled_in():
    files = new_files("my_method", "My method of 2")
    page = files[ROOT / "book" / "my_method.md"]
    assert page.startswith("---\n")
    assert "# My method of 2\n" in page
    facts = tomllib.loads(files[ROOT / "src/posenc/my_method/chapter.toml"])
    assert facts["card"]["title"] == "My method of 2"
    assert facts["widgets"] == ["MyMethodLine"]
    assert facts["weeks"] == {"term": len(course.plans()["term"]) + 1}
    widget = files[ROOT / "src/posenc/my_method/widgets/my_method_line.py"]
    assert "class MyMethodLine(BookWidget):" in widget
    ours = [line for line in widget.splitlines() if line.startswith("from posenc.")]
    assert ours == sorted(ours)


def test_no_word_of_the_template_is_left():
    files = new_files("dial", "Dials")
    assert len(files) == len([*TEMPLATES.rglob("*.*")]) + 1
    for path, text in files.items():
        for word in ("SLUG", "TITLE", "CLASS", "FRONT", "WEEK"):
            assert word not in path.name
            assert word not in text, path


@pytest.mark.bad_input
@pytest.mark.parametrize("slug", ["", "Dial", "two words", "1st", "class", "a-b"])
def test_a_slug_that_is_no_name_is_refused(slug):
    with pytest.raises(ValueError, match="slug must be small letters"):
        new_files(slug, "Dials")


@pytest.mark.bad_input
@pytest.mark.parametrize("slug", ["t5", "core", "lab"])
def test_what_is_there_is_left_alone(slug):
    with pytest.raises(ValueError, match=rf"slug must be new, but .*{slug}.* exists"):
        new_files(slug, "Buckets again")


@pytest.mark.bad_input
@pytest.mark.parametrize("title", [" ", "Two\nlines", 'In "quotes"', "Back\\slash"])
def test_a_title_is_one_line_without_quotes(title):
    with pytest.raises(ValueError, match="title must be one line of text"):
        new_files("dial", title)
