"""A new chapter, made by the script, passes what every chapter has to pass."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from new_chapter import TEMPLATES, new_files

ROOT = Path(__file__).parents[1]
#: What the tests of a chapter need of the book.
ROOMS = ("book", "notebooks", "scripts", "src", "tests")
FILES = ("_config.yml", "_toc.yml", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture
def copy(tmp_path):
    """The book without what is built or installed."""
    for room in ROOMS:
        shutil.copytree(
            ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def run(root, *command):
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=root,
        env={"PYTHONPATH": str(root / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.slow
def test_its_files_pass_as_they_are(copy):
    said = run(copy, "scripts/new_chapter.py", "dial", "Dials")
    assert "book/dial.md" in said
    made = [copy / line for line in said.partition("\n\n")[0].splitlines()]
    assert all(path.is_file() for path in made)
    run(copy, "-m", "ruff", "format", "--check", ".")
    run(copy, "-m", "ruff", "check", ".")
    run(copy, "-m", "mypy")
    run(copy, "scripts/make_notebooks.py")
    assert (copy / "notebooks" / "dial.ipynb").is_file()
    tests = [f"tests/test_{name}.py" for name in ("dial", "figures_dial", "imports")]
    words = "dial or every_exercise_has"
    passed = run(copy, "-m", "pytest", "-q", *tests)
    assert " passed" in passed
    exercises = ("tests/test_exercises.py", "tests/test_notebooks.py")
    passed = run(copy, "-m", "pytest", "-q", "-k", words, *exercises)
    assert " passed" in passed
    run(copy, "scripts/mutate.py", "dial")


def test_the_lists_of_chapters_name_it():
    files = new_files("dial", "Dials and hands")
    toc = files[ROOT / "_toc.yml"]
    old = (ROOT / "_toc.yml").read_text("utf-8")
    assert [line for line in toc.splitlines() if line not in old.splitlines()] == [
        "      - file: book/dial"
    ]
    # behind the last numbered chapter, before the reference
    assert toc.index("book/dial") < toc.index("caption: Reference")
    assert "numbered: true" not in toc[toc.index("book/dial") :]
    package = files[ROOT / "src" / "posenc" / "__init__.py"]
    assert "    convolutional,\n    dial,\n    linear_attention,\n" in package
    assert '    "convolutional",\n    "dial",\n' in package
    assert "## Dials and hands" in files[ROOT / "book" / "api.md"]
    page = files[ROOT / "book" / "dial.md"]
    assert page.startswith("---\n")
    assert "# Dials and hands\n" in page


def test_no_word_of_the_template_is_left():
    files = new_files("dial", "Dials")
    assert len(files) == len([*TEMPLATES.rglob("*.*")]) + 3
    for path, text in files.items():
        assert "SLUG" not in path.name
        assert "SLUG" not in text, path
        assert "TITLE" not in text, path


@pytest.mark.bad_input
@pytest.mark.parametrize("slug", ["", "Dial", "two words", "1st", "class", "a-b"])
def test_a_slug_that_is_no_name_is_refused(slug):
    with pytest.raises(ValueError, match="slug must be small letters"):
        new_files(slug, "Dials")


@pytest.mark.bad_input
def test_what_is_there_is_left_alone():
    with pytest.raises(ValueError, match=r"slug must be new, but .*t5.* exists"):
        new_files("t5", "Buckets again")
    with pytest.raises(ValueError, match="title must be one line of text, got ' '"):
        new_files("dial", " ")
