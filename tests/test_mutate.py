import json
import os
import subprocess
import sys
from pathlib import Path

import mutant_lists
import pytest
from mutant_lists import load

ROOT = Path(__file__).parents[1]
SLUGS = mutant_lists.exported(ROOT / "src" / "posenc" / "__init__.py")

#: A chapter with a function of its own, one from a private part, and one for itself.
MODULE = '''\
from . import _shared
from ._part import triple

__all__ = ["Kind", "middle", "triple"]
Kind = int

def middle(a, b):
    """The middle, (a + b) / 2, never b."""
    return _half(a + b)

def _half(x):
    return _shared.scale(x, 0.5)

def unused(x):
    return x - 1
'''
FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['src']\n",
    "src/posenc/__init__.py": '__all__ = ["toy"]\n',
    "src/posenc/toy.py": MODULE,
    "src/posenc/_part.py": "def triple(x):\n    return 3 * x\n",
    "src/posenc/_shared.py": "def scale(x, factor):\n    return x * factor\n",
    "tests/test_toy.py": (
        "from posenc.toy import middle, triple\n\n"
        "def test_both():\n    assert middle(1, 2) == 1.5 and triple(2) == 6\n"
    ),
}
MUTANTS = {
    "middle": [
        ["a + b", "a - b"],
        ["a + b", "a"],
        ["a + b", "b"],
        ["x, 0.5", "x, 2", "_half"],
        ["x * factor", "x + factor", "scale"],
    ],
    "triple": [["3 * x", f"{factor} * x"] for factor in (-3, 0, 1, 2, 4)],
}


@pytest.fixture
def toy(tmp_path):
    """A small repository; the function writes its list of mutants anew."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "tests" / "mutants").mkdir()

    def write(**changes):
        path = tmp_path / "tests" / "mutants" / "toy.json"
        path.write_text(json.dumps(MUTANTS | changes))
        return tmp_path

    return write


def run(root):
    if not hasattr(os, "fork"):
        pytest.skip("mutate.py needs Linux or macOS")
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "mutate.py", "--root", root],
        capture_output=True,
        text=True,
    )


def test_every_chapter_has_enough_mutants_that_still_fit():
    counts, lists, wrong = zip(*(load(ROOT, slug) for slug in SLUGS), strict=True)
    assert [line for lines in wrong for line in lines] == []
    assert sum(map(len, lists)) >= mutant_lists.FEWEST * sum(counts) > 0


def test_functions_are_counted_wherever_they_are_defined(toy):
    functions = mutant_lists.public_functions(toy(), "toy")
    assert {name: f.file.name for name, f in functions.items()} == {
        "middle": "toy.py",
        "triple": "_part.py",
    }
    assert list(mutant_lists.reachable(functions["middle"])) == [
        "middle",
        "_half",
        "scale",
    ]
    assert len(mutant_lists.public_functions(ROOT, "t5")) == 4


@pytest.mark.parametrize(
    ("mutant", "message"),
    [
        (["a * b", "a"], "must occur once, got 0 times"),
        (["never", "always"], "must occur once, got 0 times"),  # in the docstring
        (["b", "a"], "must occur once, got 2 times"),
        (["a + b", "a + b"], "the new text is the old one"),
        (["a + b", "a +"], "SyntaxError"),
        (["x - 1", "x", "unused"], "KeyError('unused')"),
    ],
)
def test_mutants_that_do_not_fit_are_refused(toy, mutant, message):
    count, mutants, (line,) = load(toy(middle=[*MUTANTS["middle"], mutant]), "toy")
    assert (count, len(mutants)) == (2, 10)
    assert line.startswith(f"toy.middle: {mutant[0]!r} -> ")
    assert message in line


def test_each_function_needs_five_different_mutants(toy):
    four = MUTANTS["triple"][:4]
    line = "toy.triple: 4 mutants, 5 are needed"
    assert load(toy(triple=four), "toy")[2] == [line]
    assert load(toy(triple=four + four), "toy")[2] == [line]
    wrong = load(toy(triples=four), "toy")[2]
    assert wrong == ["toy.triples: no such function"]


def test_a_list_that_does_not_fit_fails_before_anything_runs(toy):
    done = run(toy(triple=[]))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "toy.triple: 0 mutants, 5 are needed\n"


def test_survivors_are_named_and_all_others_are_caught(toy):
    pytest.importorskip("torch")
    done = run(toy(middle=[*MUTANTS["middle"], ["a + b", "b + a"]]))
    assert done.returncode == 1, done.stderr
    survivors = [line for line in done.stdout.splitlines() if "SURVIVED" in line]
    assert survivors == ["SURVIVED toy.middle: 'a + b' -> 'b + a' in middle"]
    assert "2 functions, 11 mutants, 1 survived" in done.stdout


def test_without_survivors_all_is_well(toy):
    pytest.importorskip("torch")
    done = run(toy())
    assert done.returncode == 0, done.stderr
    assert "2 functions, 10 mutants, 0 survived" in done.stdout


def test_tests_that_fail_by_themselves_prove_nothing(toy):
    pytest.importorskip("torch")
    root = toy()
    (root / "tests" / "test_toy.py").write_text("def test_wrong():\n    assert 0\n")
    done = run(root)
    assert done.returncode == 1
    assert "the tests of toy end with 101 on the code as it is" in done.stderr
