"""What Python in a page does with code: here in the Python of the tests."""

import errno
import io
import os
import sys
from unittest import mock

import page_parser
import pytest

sys.path.append(str(page_parser.ROOT / "scripts/lite/solve"))

with mock.patch.dict(
    os.environ
):  # it keeps its progress where pages have a place for it
    from page_python import names, run

NUMPY = ["import numpy as np"]


@pytest.fixture(autouse=True)
def _own_log(monkeypatch, tmp_path):
    monkeypatch.setattr(run, "LOG", tmp_path / "log")
    monkeypatch.setenv("POSENC_PROGRESS", str(tmp_path / "log"))


def shown(code, steps=(), **options):
    return run.run(code, [*NUMPY, *steps], **options)["shown"]


def test_each_run_begins_with_fresh_names_and_shows_what_is_printed_first():
    two = "print('a')\nnp.arange(2)"
    assert shown(two) == [("text", "a\n"), ("text", "array([0, 1])")]
    assert shown("mine = 1") == []
    assert "NameError: name 'mine' is not defined" in shown("mine")[0][1]
    steps = ["print('silent')", "two = 2", "1 / 0", "def double(x): return two * x"]
    assert shown("double(3)", steps) == [("text", "6")]
    told = []
    shown("print('x' * 30_000)\nprint('y')", tell=told.append)
    assert "".join(told) == "x" * run.MOST_CHARACTERS


def needed(steps, code):
    return names.plan(code, [[step] for step in steps])["steps"]


def test_only_what_code_builds_on_runs_before_it():
    steps = [
        *("import numpy as np", "np.set_printoptions(precision=3)"),
        *("rng = np.random.default_rng(0)", "for _ in range(9): slow = rng.normal()"),
        *("K = np.eye(2)", "print(K)", "K[0] = 5", "use(K)", "sizes = [1]"),
        *("sizes.append(2)", "def f(x): return x @ K", "f(rng.normal(size=2))"),
    ]
    kept = needed(steps, "f(np.ones(2))")
    assert kept == [*steps[:2], "K = np.eye(2)", "K[0] = 5", "use(K)", steps[10]]
    assert needed(steps, "sizes") == [*steps[:2], "sizes = [1]", steps[9]]
    assert needed(steps[:-1], "rng.normal()") == steps[:4]
    assert needed(steps, "sizes = 3\nsizes") == steps[:2]
    assert "sizes = [1]" in needed(steps, "sizes = sizes + [3]")
    steps = [["import numpy as np"], ["import matplotlib.pyplot as plt", 1]]
    steps += [["picture = plt.figure()", 1], ["plt.show()", 1], ["n = 3"]]
    assert names.plan("n", steps) == {"steps": ["n = 3"], "draws": False}
    assert names.plan("picture", steps)["draws"]
    assert not names.plan("picture = n\npicture", steps)["draws"]
    assert names.plan("def f():\n    from matplotlib import cm", [])["draws"]


@pytest.mark.parametrize(
    "code",
    [
        *("x = (", "def f(a, a): pass", "nonlocal x", "await f()"),
        *("def f():\n    x = 1\n    global x", "def f():\n    from math import *"),
    ],
)
def test_run_code_with_a_syntax_error_shows_its_line(code):
    assert needed(NUMPY, code) == []
    ((kind, text),) = shown(code)
    assert kind == "error"
    assert f'File "<your code>", line {len(code.splitlines())}' in text
    assert "SyntaxError" in text


def test_errors_begin_with_the_readers_own_line(monkeypatch):
    ((kind, text),) = shown("def f():\n\n    return 1 / 0\nf()")
    assert kind == "error"
    assert [line for line in text.split("\n") if "File" in line] == [
        '  File "<your code>", line 4, in <module>',
        '  File "<your code>", line 3, in f',
    ]
    assert "    return 1 / 0" in text
    check = 'check("t5.buckets_by_hand", my_buckets)'
    ((kind, text),) = run.run("my_bucket = [0]", NUMPY, check)["shown"]
    assert kind == "error"
    assert text.startswith("NameError: name 'my_buckets' is not defined")
    assert text.endswith("The check needs my_buckets, which your code does not define.")
    stdin = io.StringIO()
    stdin.readline = mock.Mock(side_effect=OSError(errno.EIO, "I/O error"))
    monkeypatch.setattr("sys.stdin", stdin)
    assert "reads no input: write the value" in shown("x = input()")[0][1]


def test_a_check_is_judged_and_kept():
    check = 'check("t5.last_bucket_start", f)'
    wrong = run.run("f = lambda num_buckets, max_distance: 3", NUMPY, check)
    assert wrong["status"] == "failed"
    assert '"t5.last_bucket_start"' in wrong["progress"]
    assert wrong["shown"][-1][0] == "html"
    unanswered = run.run("f = ...", NUMPY, check)
    assert unanswered["progress"] == ""
    assert "not answered yet" in unanswered["shown"][-1][1]
    assert "hint(" not in unanswered["shown"][-1][1]  # a button is beside it


@pytest.mark.parametrize(("look", "dark"), [("light", False), ("dark", True)])
def test_figures_become_pictures_in_the_colors_of_the_page(look, dark):
    code = (
        "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots(1, 2)\n"
        "axes[0].set_title('<a>')\naxes[1].set_ylabel('b')\n"
        "print(figure.get_facecolor()[0] < 0.5)\naxes[0].plot([1, 2])"
    )
    (_, said), (kind, picture) = shown(code, look=look)
    assert said == f"{dark}\n"
    assert kind == "html"
    assert 'alt="The picture that this code draws: &lt;a&gt;, b"' in picture
    assert "data:image/png;base64,iVBOR" in picture
    assert shown("1") == [("text", "1")]  # the figure is gone


def test_names_are_completed_from_imports_alone_and_described():
    found = names.complete("np.linalg", "x = np.linalg.", NUMPY)
    assert ["norm", "function"] in found
    assert ["LinAlgError", "class"] in found
    assert not any(name.startswith("_") for name, _ in found)
    assert ["pi", "variable"] in names.complete("math", "import math\nmath.(", [])
    assert names.complete("unknown.more", "", []) == []
    shown("text = 'abc'")
    assert ["upper", "function"] in names.complete("text", "", [])
    call, words = names.describe("np.linspace", "", NUMPY).split("\n")
    assert call.startswith("linspace(start, stop, num=50, endpoint=True")
    assert words == "Return evenly spaced numbers over a specified interval."
    assert names.describe("np.nothing", "", NUMPY) == ""
