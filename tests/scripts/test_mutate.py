import ast
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import function_definitions
import mutant_lists
import pytest
from mutant_lists import load
from tree_pattern import Names, parsed, rename, replaced

from posenc.core.chapters import chapters

ROOT = Path(__file__).parents[2]

#: A chapter with a function of its own, one from a file of its folder, one for itself.
FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['src']\n",
    "src/posenc/__init__.py": "",
    "src/posenc/core/__init__.py": "",
    "src/posenc/core/shared.py": "def scale(x, factor):\n    return x * factor\n",
    "src/posenc/toy/__init__.py": '''\
from posenc.core import shared
from .part import triple

__all__ = ["Kind", "middle", "triple"]
Kind = int

def middle(a, b):
    """The middle, (a + b) / 2, never b."""
    return _half(a + b)

def _half(x):
    return shared.scale(x, 0.5)

def unused(x):
    return x - 1
''',
    "src/posenc/toy/part.py": "def triple(x):\n    return 3 * x\n",
    "tests/toy/test_functions.py": (
        "from posenc.toy import middle, triple\n\n"
        "def test_middle():\n    assert middle(1, 2) == 1.5\n\n"
        "def test_triple():\n    assert triple(2) == 6\n"
    ),
}
MUTANTS = {
    "middle": [
        ["a + b", "a - b"],
        ["a + b", "a"],
        ["a + b", "b"],
        ["0.5", "2", "_half"],
        ["x * factor", "x + factor", "scale"],
    ],
    "triple": [["3 * x", f"{factor} * x"] for factor in (-3, 0, 1, 2, 4)],
}

#: A function with one of everything.
FUNCTION = '''\
def f(x, *, base=10.0):
    """Not code: total + 1."""
    check("x", x)
    total = 0
    for i in range(3):
        total = total + x[i : i + 2] * base
    low, high = min(total, i), max(total, i)
    if low:
        print(low)
    return g(total, low, base=base, high=high + 1)
'''


def changed(old, new, which=None, source=FUNCTION):
    """Lines of the function that a replacement removes, and those that it adds."""
    (function,) = ast.parse(source).body
    before = ast.unparse(function).splitlines()
    after = ast.unparse(replaced(function, old, new, which, ("g",))).splitlines()
    gone = [line.strip() for line in before if line not in after]
    return gone, [line.strip() for line in after if line not in before]


@pytest.mark.parametrize(
    ("old", "new", "which", "line"),
    [
        (
            "max(total,i)",
            "max(i, total)",
            None,
            "low, high = (min(total, i), max(i, total))",
        ),
        ("i : i + 2", "i:", None, "total = total + x[i:] * base"),
        ("x[i:i+2]", "x[i]", None, "total = total + x[i] * base"),
        (
            "base=base",
            "base=2.0",
            None,
            "return g(total, low, base=2.0, high=high + 1)",
        ),
        ("high=high+1", "", None, "return g(total, low, base=base)"),
        ("base=10.0", "base=0", None, "def f(x, *, base=0):"),
        ("total = 0", "total = 1", None, "total = 1"),
        ("print(low)", "", None, "pass"),
        ("min", "abs", None, "low, high = (abs(total, i), max(total, i))"),
        ("total", "-total", 2, "low, high = (min(-total, i), max(total, i))"),
        ("if low: print(low)", "if low: return 3", None, "return 3"),
        # Names that the function does not know stand for its own.
        ("sum_ = 0", "sum_ = 1", None, "total = 1"),
        ("a + b[c : c + 2] * d", "b[c] - a", None, "total = x[i] - total"),
        ("min(t, i), max(t, i)", "t, i", None, "low, high = (total, i)"),
    ],
)
def test_a_piece_is_found_in_the_tree_and_replaced(old, new, which, line):
    assert changed(old, new, which)[1] == [line]


def test_statements_are_removed_and_moved():
    assert changed('check("x", x)', "") == (["check('x', x)"], [])
    assert changed("total = 0", "") == (["total = 0"], [])
    two = "check('x', x)\nn = 0", "n = 0\ncheck('x', x)"
    (function,) = ast.parse(FUNCTION).body
    body = replaced(function, *two).body
    assert [ast.unparse(node) for node in body[1:3]] == ["total = 0", "check('x', x)"]


@pytest.mark.parametrize(
    ("old", "new", "which", "message"),
    [
        ("total - 1", "0", None, "it is not there"),
        ("'Not code: total + 1.'", "''", None, "it is not there"),  # the docstring
        ("a + a", "0", None, "it is not there"),  # two names, not one
        ("total + b[b]", "0", None, "it is not there"),
        ("min(x, i)", "0", None, "it is not there"),  # x is known: it is not total
        ("max(t, i), max(t, i)", "0", None, "it is not there"),
        ("min(s, i), max(t, i)", "0", None, "it is not there"),  # one name, not two
        ("print(low, high)", "0", None, "it is not there"),
        ("write(low)", "0", None, "it is not there"),  # print is no local name
        ("0.0", "1", None, "it is not there"),
        ("base", "0", None, "it is there 2 times, on lines 6, 10: say which, from 1"),
        ("base", "0", 3, "it is there 2 times: there is no number 3"),
        ("base", "0", 0, "it is there 2 times: there is no number 0"),
        ("high + 1", "high  +  1", None, "nothing changes"),
        ("high + 1", "highest", None, "nothing has the name highest there"),
        ("high + 1", "return", None, "it is not there"),
        ("high + 1", "", None, "it is not there"),
        ("high +", "high", None, "invalid syntax"),
        ("high + 1", "high +", None, "invalid syntax"),
    ],
)
def test_replacements_that_make_no_sense_are_refused(old, new, which, message):
    with pytest.raises((ValueError, SyntaxError), match=message):
        changed(old, new, which)


@pytest.fixture
def toy(tmp_path):
    """A small repository; the function writes its list of mutants anew."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write(**changes):
        path = tmp_path / "tests" / "toy" / "mutants.json"
        path.write_text(json.dumps(MUTANTS | changes))
        return tmp_path

    return write


def run(root):
    if not hasattr(os, "fork"):
        pytest.skip("mutate.py needs Linux or macOS")
    pytest.importorskip("torch")
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "mutate.py", "--root", root],
        capture_output=True,
        text=True,
    )


def test_every_chapter_has_enough_mutants_that_still_fit():
    assert mutant_lists.slugs(ROOT) == sorted(chapters())
    counts, lists, wrong = zip(*(load(ROOT, slug) for slug in chapters()), strict=True)
    assert [line for lines in wrong for line in lines] == []
    assert sum(map(len, lists)) >= mutant_lists.FEWEST * sum(counts) > 0


@pytest.mark.slow
@pytest.mark.parametrize("slug", chapters())
def test_mutants_survive_new_names_of_variables(slug):
    """A local variable of a function may be renamed: nothing else is then mutated."""
    entries = mutant_lists.entries(ROOT, slug)
    functions = function_definitions.public_functions(ROOT, slug)
    for name, old, new, where, which in entries:
        function = function_definitions.reachable(functions[name])[where]
        known = function_definitions.global_names(function.file)
        wrong = replaced(function.node, old, new, which, known)
        named = Names.of([*parsed(old), *parsed(new)])
        for variable in variables(function.node) & (named.used | named.local):
            node, expected = pickle.loads(pickle.dumps((function.node, wrong)))
            rename([*node.body, *expected.body], {variable: "renamed"})
            found = replaced(node, old, new, which, known)
            assert ast.dump(found) == ast.dump(expected), (name, old, new, variable)


def variables(function):
    """Names that a function gives to what it computes."""
    arguments = {node.arg for node in ast.walk(function.args) if hasattr(node, "arg")}
    imports = {
        node.asname or node.name
        for node in ast.walk(function)
        if isinstance(node, ast.alias)
    }
    return Names.of(function.body).local - arguments - imports


def test_functions_are_counted_wherever_they_are_defined(toy):
    functions = function_definitions.public_functions(toy(), "toy")
    assert {name: f.name for name, f in functions.items()} == {
        "middle": "posenc.toy.middle",
        "triple": "posenc.toy.part.triple",
    }
    used = function_definitions.reachable(functions["middle"])
    assert {name: f.module for name, f in used.items()} == {
        "middle": "posenc.toy",
        "_half": "posenc.toy",
        "scale": "posenc.core.shared",
    }
    assert len(function_definitions.public_functions(ROOT, "t5")) == 6


def test_without_a_list_of_names_what_is_public_has_no_underscore(toy):
    path = toy() / "src/posenc/toy/__init__.py"
    path.write_text(path.read_text().replace("__all__ =", "names ="))
    functions = function_definitions.public_functions(path.parents[3], "toy")
    assert list(functions) == ["triple", "middle", "unused"]


@pytest.mark.parametrize(
    ("mutant", "message"),
    [
        (["a * b", "a"], "it is not there"),
        (["b", "a", 2], "it is there 1 times: there is no number 2"),
        (["a + b", "a + b"], "nothing changes"),
        (["a + b", "a +"], "invalid syntax"),
        (["x - 1", "x", "unused"], "middle uses no function unused"),
    ],
)
def test_mutants_that_do_not_fit_are_refused(toy, mutant, message):
    count, mutants, (line,) = load(toy(middle=[*MUTANTS["middle"], mutant]), "toy")
    assert (count, len(mutants)) == (2, 10)
    assert line.startswith(f"toy.middle: {mutant[0]!r}")
    assert message in line


def test_each_function_needs_five_different_mutants(toy):
    four = MUTANTS["triple"][:4]
    line = "toy.triple: 4 mutants, 5 are needed"
    assert load(toy(triple=four), "toy")[2] == [line]
    assert load(toy(triple=four + four), "toy")[2] == [line]
    (line,) = load(toy(triples=four[:1]), "toy")[2]
    assert line.startswith("toy.triples: '3 * x' -> ")
    assert line.endswith(": the chapter exports no such function")


def test_a_list_that_does_not_fit_fails_before_anything_runs(toy):
    done = run(toy(triple=[]))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "toy.triple: 0 mutants, 5 are needed\n"


@pytest.mark.slow
def test_survivors_are_named_and_all_others_are_caught(toy):
    done = run(toy(middle=[*MUTANTS["middle"], ["a + b", "b + a"]]))
    assert done.returncode == 1, done.stderr
    survivors = [line for line in done.stdout.splitlines() if "SURVIVED" in line]
    assert survivors == ["SURVIVED toy.middle: 'a + b' -> 'b + a' in middle"]
    assert "2 functions, 11 mutants, 1 survived" in done.stdout


@pytest.mark.slow
def test_what_never_ends_is_caught_and_what_crashes_is_not(toy):
    crash = ["return 3 * x", "import os\nos._exit(3)"]
    forever = ["return 3 * x", "while True: pass"]
    done = run(toy(triple=[*MUTANTS["triple"], crash, forever]))
    assert done.returncode == 1, done.stderr
    assert "never ends: toy.triple: 'return 3 * x' -> 'while" in done.stdout
    assert "crashes with status 3: toy.triple: 'return 3 * x' -> 'imp" in done.stdout
    assert "2 functions, 12 mutants, 1 survived" in done.stdout


@pytest.mark.slow
def test_without_survivors_all_is_well(toy):
    done = run(toy())
    assert done.returncode == 0, done.stderr
    assert "2 functions, 10 mutants, 0 survived" in done.stdout


@pytest.mark.slow
def test_what_a_few_examples_miss_all_examples_catch(toy):
    root = toy(triple=[*MUTANTS["triple"][1:], ["3 * x", "3 * x + (x == 77)"]])
    path = root / "tests" / "toy" / "test_functions.py"
    path.write_text(
        "from hypothesis import given, strategies as st\n"
        f"{path.read_text()}\n"
        "@given(st.integers(0, 30))\n"
        "def test_many(x):\n    assert triple(x) == 3 * x\n\n"
        "def test_compile():\n    assert triple(77) == 231\n"
    )
    done = run(root)
    assert done.returncode == 0, done.stderr
    assert "1 left: now all tests, all examples\n" in done.stdout
    assert "2 functions, 10 mutants, 0 survived" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def test_wrong():\n    assert 0\n", "::test_wrong on the code as it is, toy"),
        ("import nothing_of_that_name\n", "the tests cannot be collected"),
        ("", "no test of toy"),
    ],
)
def test_tests_that_fail_by_themselves_prove_nothing(toy, text, message):
    root = toy()
    (root / "tests" / "toy" / "test_functions.py").write_text(text)
    done = run(root)
    assert done.returncode == 1
    assert message in done.stdout
