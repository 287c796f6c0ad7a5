"""A kernel lists what it reads of the project: modules, data, folders, absent files."""

import subprocess
import sys
import textwrap

import pytest
from run_cells import READS


@pytest.fixture
def reads(tmp_path):
    """Run a program in a project of its own; return what it reads of it."""
    root = tmp_path / "house"
    for name in ("src/a/__init__.py", "src/a/b.py", "src/a/c.js", "data/d.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")

    def run(program):
        log = tmp_path / "log"
        watch = f"__import__('runpy').run_path({str(READS)!r})['watch']"
        begin = f"{watch}({str(root)!r}, {str(log)!r})\n"
        command = [sys.executable, "-c", begin + textwrap.dedent(program)]
        subprocess.run(command, cwd=root, check=True)
        return log.read_text().splitlines()

    return run


IMPORT = "import sys; sys.path.insert(0, 'src'); import a.b"


def test_modules_are_listed_whether_compiled_or_not(reads):
    first = {name for name in reads(IMPORT) if not name.endswith("/")}
    second = {name for name in reads(IMPORT) if not name.endswith("/")}
    assert first == second == {"src/a/__init__.py", "src/a/b.py"}


def test_a_folder_of_modules_is_listed(reads):
    assert {"src/", "src/a/"} <= set(reads(IMPORT))


@pytest.mark.parametrize(
    ("program", "listed"),
    [
        ("open('data/d.json')", ["data/d.json"]),
        ("open(b'data/d.json', 'rb'); open('data/d.json')", ["data/d.json"]),
        ("import pathlib; pathlib.Path('src/a/c.js').read_text()", ["src/a/c.js"]),
        ("import os; os.open('data/d.json', os.O_RDONLY)", ["data/d.json"]),
        ("import glob; glob.glob('data/*')", ["data/"]),
        ("import os; os.listdir('data')", ["data/"]),
        ("import os; os.listdir(os.open('data', os.O_RDONLY))", ["data"]),
        ("try: open('data/new')\nexcept OSError: pass", ["data/new"]),
        ("import os; os.chdir('data'); open('d.json')", ["data/d.json"]),
        ("open('data/new', 'w')", []),
        ("import os, sys; open(sys.executable, 'rb'); os.listdir('/')", []),
        ("open(1, closefd=False)", []),
        (
            "import subprocess, sys; subprocess.run([sys.executable, '-c', ''])",
            ["src/**"],
        ),
    ],
)
def test_what_is_read_is_listed(reads, program, listed):
    assert reads(program) == listed


def test_nothing_is_left_in_the_program(reads):
    reads("assert not {'watch', 'root', 'lines', 'note', 'hook'} & set(globals())")
