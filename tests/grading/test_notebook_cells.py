"""What can be read off a notebook without running it."""

import json

import pytest

from posenc.grading.notebook_cells import parse_notebook, read

START = "t5.last_bucket_start"


def cell_of(source):
    return parse_notebook({"cells": [{"cell_type": "code", "source": source}]}).cells[0]


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (f'result = ex.check("{START}", lambda b, m: 3, seed=1)', "lambda b, m: 3"),
        (f'check(answer=f(1), name="{START}")', "f(1)"),
        (f'!ls\ncheck("{START}", mine)\nmine?', "mine"),
    ],
)
def test_checks_are_found_with_their_answers(source, answer):
    [asked] = cell_of(source).asked
    assert (asked.name, asked.answer) == (START, answer)


@pytest.mark.parametrize(
    "source",
    [
        f'hint("{START}")',
        'check("t5.sing", mine)',
        "def f(:",
        "",
    ],
)
def test_other_cells_check_nothing(source):
    assert cell_of(source).asked == []


def test_the_notebook_says_which_exercises_it_was_given_out_with():
    content = {
        "metadata": {"posenc": {"exercises": {START: "mine", "t5.sing": "x"}}},
        "cells": [
            {"cell_type": "code", "source": ['check("t5.unused_buckets", ', "f)"]}
        ],
    }
    assert parse_notebook(content).exercises == {
        START: "mine",
        "t5.unused_buckets": "f",
    }


def test_exercises_have_the_order_and_the_headings_of_the_notebook():
    """A file keeps names in the order of the alphabet."""
    asked = ("t5.unused_buckets", "t5.buckets_by_hand")
    cells = [{"cell_type": "code", "source": "f = 1"}]
    for number, name in enumerate(asked, 1):
        text = f"Words.\n\n### Exercise {number}: A title\n\nA task."
        cells.append({"cell_type": "markdown", "source": text})
        cells.append({"cell_type": "code", "source": f"check({name!r}, x{number})"})
    about = {START: "f", asked[1]: "x2", asked[0]: "x1"}
    content = {"cells": cells, "metadata": {"posenc": {"exercises": about}}}
    notebook = parse_notebook(content)
    assert list(notebook.exercises) == [START, *asked]
    assert notebook.titles[asked[1]] == "Exercise 2: A title"


@pytest.mark.parametrize(
    "source",
    [
        "from sys import _getframe",
        "getattr(sys, '_getframe')()",
        "import _thread",
    ],
)
def test_what_no_answer_needs_is_odd_however_it_is_written(source):
    assert len(cell_of(source).odd) == 1


@pytest.mark.parametrize(
    ("source", "package"),
    [
        ("from transformers.models.t5.modeling_t5 import T5Attention", "transformers"),
        ("import flash_attn.layers.rotary as r", "flash_attn"),
        ("importlib.import_module('rotary_embedding_torch')", "rotary_embedding_torch"),
        ("__import__('jax.numpy')", "jax"),
    ],
)
def test_another_implementation_is_named(source, package):
    (words,) = cell_of(source).odd
    assert words == (f"It imports {package} (another implementation? None is needed).")


@pytest.mark.parametrize(
    "source",
    [
        "import numpy.linalg, scipy.special, matplotlib.pyplot as plt",
        "import torch\nfrom torch.nn import functional as F",
        "from IPython.display import display\nimport ipywidgets",
        "from posenc import t5\nimport posenc.alibi",
    ],
)
def test_what_pages_use_is_not_odd(source):
    assert cell_of(source).odd == []


def test_the_answer_is_the_last_cell_that_defines_it():
    sources = ["def f(): 1", "f = 2", f'check("{START}", f)', "f()"]
    cells = [{"cell_type": "code", "source": source} for source in sources]
    notebook = parse_notebook({"cells": cells})
    assert notebook.answer_to(START) == "f = 2"
    assert notebook.answer_to("t5.unused_buckets") == ""


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import gc, math", ["It imports gc (all objects in memory)."]),
        (
            "from posenc.t5.exercises import oracle",
            ["It imports posenc.t5.exercises.oracle."],
        ),
        ("f.__globals__", ["It uses __globals__."]),
        ("np.allclose = f", ["It replaces np.allclose."]),
        ("posenc.t5.f = 1", ["It replaces posenc.t5.f."]),
        ("from posenc.kit.figures.themes import Themed", []),
        ("x.real = 3\nimport numpy as np\nfrom posenc.exercises import check", []),
    ],
)
def test_what_answers_do_not_need_is_named(source, words):
    assert cell_of(source).odd == words


@pytest.mark.parametrize(
    "cells", [[None], [{"cell_type": "code"}], [{"cell_type": 3, "source": 4}]]
)
def test_odd_cells_do_no_harm(tmp_path, cells):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": []}))
    assert read(path).exercises == {}
