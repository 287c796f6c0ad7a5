"""Cells of a page get their names, and what Python in it can run is told apart."""

from types import SimpleNamespace

import myst
import pytest
import solve_archive
import solve_page
from docutils import nodes

PAGE = """\
# Title

```{code-cell} ipython3
import numpy as np
import matplotlib.pyplot as plt
from posenc import t5
from posenc.t5 import figures as draw, bucket_starts
```

```{code-cell} ipython3
numbers = np.arange(3)
```

```{code-cell} ipython3
:tags: [remove-input]
picture = draw.opening(numbers)
```

```{code-cell} ipython3
picture += 1
```

```{code-cell} ipython3
:tags: [torch]
layer = t5.nn.Bias()
```

```{code-cell} ipython3
print(numbers)
```

```{code-cell} ipython3
print(layer)
```

```{code-cell} ipython3
layer = numbers
```

```{code-cell} ipython3
from posenc.t5.widgets import BucketTable
```

```{exercise} One
:label: t5-ex-one
Do it.
```

```{code-cell} ipython3
:tags: [stub]
answer = ...
```

```{code-cell} ipython3
:tags: [check, remove-cell]
check("t5.one", answer)
```
"""
BODY = "".join(
    f'<div class="cell {tags}docutils container">{number}</div>'
    for number, tags in enumerate([*[""] * 4, "tag_torch ", *[""] * 4, "tag_stub "])
)


def test_what_runs_is_told_from_what_does_not():
    about = solve_page.of_page(PAGE)
    assert about["imports"] == {
        "np": "import numpy as np",
        "plt": "import matplotlib.pyplot as plt",
        "t5": "from posenc import t5",
        "draw": "from posenc.t5 import figures as draw",
        "bucket_starts": "from posenc.t5 import bucket_starts",
    }
    assert about["checks"] == {"t5.one": 'check("t5.one", answer)'}
    assert about["places"] == {"t5.one": 10}
    assert about["cells"] == [0, 1, 3, 5, 7]
    assert about["steps"][5:] == [
        (1, "numbers = np.arange(3)"),
        (2, "picture = draw.opening(numbers)", 1),
        (3, "picture += 1", 1),
        (5, "print(numbers)"),
        (7, "layer = numbers"),
    ]
    assert about["needs"] == {
        4: "PyTorch",
        6: "results of PyTorch",
        8: "more than a page has",
    }


def test_cells_of_a_page_get_their_names():
    html = solve_page.marked(BODY, PAGE, solve_page.of_page(PAGE))
    assert '<div data-cell="1" class="cell docutils container">1' in html
    assert '<div data-needs="PyTorch" class="cell tag_torch' in html
    assert '<div data-cell="5" class="cell docutils container">5' in html
    assert '<div data-needs="results of PyTorch" class="cell docutils' in html
    assert '<div data-exercise="t5.one" class="cell tag_stub' in html
    assert html.count(" data-") == 9


def test_a_page_with_other_cells_is_refused():
    with pytest.raises(ValueError, match="must show 10 cells, as its source, got 1"):
        solve_page.marked('<div class="cell ">', PAGE, solve_page.of_page(PAGE))


def test_a_check_that_names_no_exercise_is_refused():
    with pytest.raises(ValueError, match=r'begin with check\("<exercise>", got'):
        solve_page.exercise_of("print(1)")


@pytest.mark.parametrize(
    ("name", "size", "needed"),
    [
        ("posenc/t5/buckets.py", 1, True),
        ("posenc/t5/chapter.toml", 1, True),
        ("posenc/t5/figures.py", 1, False),
        ("posenc/t5/figures/draw.py", 1, False),
        ("posenc/kit/widgets/base.py", 1, False),
        ("posenc/nn.py", 1, False),
        ("posenc/_data/printed_tables.json", 1, True),
        ("posenc/_data/_toc.yml", 1, True),
        ("posenc/_data/large.json", 1_000_000, False),
        ("posenc/_data/lab_runs/copy.jsonl", 1_000_000, True),
        ("posenc/_data/lab_runs/copy-rope-0.01-1.npz", 1, False),
        ("numpy/_core/tests/test_umath.py", 1, False),
    ],
)
def test_what_a_check_may_need_is_packed_first(name, size, needed):
    assert solve_archive.is_needed(name, size) is needed


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("posenc/t5/figures.py", True),
        ("posenc/t5/figures/opening_picture.py", True),
        ("posenc/kit/figures/themes.py", True),
        ("posenc/pages/display.py", True),
        ("posenc/t5/buckets.py", False),
        ("posenc/t5/widgets/bucket_table.py", False),
        ("posenc/kit/figures/notes.txt", False),
    ],
)
def test_what_draws_is_packed_apart(name, drawn):
    assert solve_archive.is_figure(name) is drawn
    assert not (drawn and solve_archive.is_needed(name, 1))


def test_a_name_that_is_bound_again_needs_nothing_more():
    about = solve_page.of_page(PAGE.replace("layer = numbers", "layer += numbers"))
    assert about["needs"][7] == "results of PyTorch"


def test_every_exercise_is_listed_with_its_place():
    found = solve_page.listed()
    assert next(iter(found)) == "prerequisites"  # as in the contents
    assert found["t5"]["title"] == "Buckets and biases (T5)"
    name, title, label = found["t5"]["exercises"][0]
    assert (name, label) == ("t5.buckets_by_hand", "t5-ex-by-hand")
    assert title in myst.page("t5")
    counts = {slug: len(chapter["exercises"]) for slug, chapter in found.items()}
    assert counts == solve_page.totals()


@pytest.mark.parametrize("solve", [True, False])
def test_write_list_without_python_in_pages_drops_the_scripts(solve, tmp_path):
    script = tmp_path / "solve/progress.html"
    script.parent.mkdir()
    script.touch()
    app = SimpleNamespace(
        builder=SimpleNamespace(format="html"),
        config=SimpleNamespace(book_solve=solve),
        outdir=tmp_path,
    )
    solve_page.write_list(app, None)
    assert script.exists() is solve
    assert (tmp_path / "solve/exercises.json").exists() is solve


@pytest.mark.parametrize("lite", [True, False])
def test_without_python_in_pages_each_stub_leads_to_the_notebook(lite, monkeypatch):
    monkeypatch.setattr(myst, "page", lambda _: PAGE)
    stub = nodes.container(classes=["cell", "tag_stub"])
    document = nodes.section("", stub, nodes.container(classes=["cell"]))
    config = SimpleNamespace(book_solve=False, book_lite=lite)
    app = SimpleNamespace(config=config, env=SimpleNamespace(docname="book/t5"))
    solve_page.link_to_notebook(app, document)
    assert [type(node).__name__ for node in document] == [
        "container",
        "only",
        "container",
    ]
    (link,) = document.findall(lambda node: "refuri" in node or "reftarget" in node)
    target = link.get("refuri") or link.get("reftarget")
    assert target == (
        "../lite/run.html?notebook=t5&exercise=t5.one"
        if lite
        else "../notebooks/t5.ipynb"
    )
    config.book_solve = True
    solve_page.link_to_notebook(app, document)
    assert len(document) == 3
