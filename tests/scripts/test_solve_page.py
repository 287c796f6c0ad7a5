"""Cells of a page get their names, and what Python in it can run is told apart."""

import page_parser
import pytest
import solve_archive
import solve_page

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
    about = solve_page.of_page(PAGE.replace("layer = numbers", "layer += numbers"))
    assert about["needs"][7] == "results of PyTorch"


def test_cells_of_a_page_get_their_names():
    html = solve_page.marked(BODY, PAGE, solve_page.of_page(PAGE))
    assert '<div data-cell="1" class="cell docutils container">1' in html
    assert '<div data-needs="PyTorch" class="cell tag_torch' in html
    assert '<div data-needs="results of PyTorch" class="cell docutils' in html
    assert '<div data-exercise="t5.one" class="cell tag_stub' in html
    assert html.count(" data-") == 9
    with pytest.raises(ValueError, match="must show 10 cells, as its source, got 1"):
        solve_page.marked('<div class="cell ">', PAGE, solve_page.of_page(PAGE))


@pytest.mark.parametrize(
    ("name", "size", "needed", "drawn"),
    [
        ("posenc/t5/buckets.py", 1, True, False),
        ("posenc/t5/figures.py", 1, False, True),
        ("posenc/kit/widgets/base.py", 1, False, False),
        ("posenc/kit/figures/themes.py", 1, False, True),
        ("posenc/pages/display.py", 1, False, True),
        ("posenc/_data/_toc.yml", 1, True, False),
        ("posenc/_data/lab_runs/copy.jsonl", 1_000_000, True, False),
        ("posenc/_data/lab_runs/copy-rope-0.01-1.npz", 1, False, False),
        ("numpy/_core/tests/test_umath.py", 1, False, False),
    ],
)
def test_what_a_check_may_need_is_packed_first_and_drawing_apart(
    name, size, needed, drawn
):
    assert solve_archive.is_needed(name, size) is needed
    assert solve_archive.is_figure(name) is drawn


def test_every_exercise_is_listed_with_its_place():
    found = solve_page.listed()
    assert next(iter(found)) == "prerequisites"  # as in the contents
    assert found["t5"]["title"] == "Buckets and biases (T5)"
    name, title, label = found["t5"]["exercises"][0]
    assert (name, label) == ("t5.buckets_by_hand", "t5-ex-by-hand")
    assert title in page_parser.page("t5")
    counts = {slug: len(chapter["exercises"]) for slug, chapter in found.items()}
    assert counts == solve_page.totals()
