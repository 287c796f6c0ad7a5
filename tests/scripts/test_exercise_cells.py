"""Exercises taken out of their pages take with them what they need, and no more."""

import re
from pathlib import Path

import exercise_cells
import myst
import numpy as np
import pytest
from exercise_cells import GRADED, asked, opening, part, parts
from exercise_rules import judge
from make_notebooks import chapters

from posenc.core.chapters import facts
from posenc.exercises import hint, names
from posenc.pages import points as worths

SLUGS = chapters()
EVERY = [p for slug in SLUGS for p in parts(slug).values()]
IDS = [p.name for p in EVERY]

PAGE = """# Title

```{code-cell} ipython3
import math, json
import numpy as np
from posenc.exercises import check, hint
from posenc import rope as turned, t5
```

```{code-cell} ipython3
unused = json.dumps(1)
rate = 2
table = np.zeros(3)
table[1] = rate
table = table + 1
for i in range(3):
    table[i] += math.floor(rate)
rate = 3
assert table.sum()


def helper(x):
    return x * rate


def other(x):
    return helper(x)


class Unused:
    pass
```

```{math}
:label: law
a = b
```

## Exercises

How it works.

In all of them $a$ is a letter.

And $b$ another.

```{exercise} One
:label: one

Use {eq}`law`, and {eq}`far <other-law>`.
You may call `turned.apply_rotary`, not `q[i]`, `rate`.
```

```{code-cell} ipython3
:tags: [stub]
def answer(x, helper=None):
    return table[x]
```

```{code-cell} ipython3
:tags: [check]
check("t5.unused_buckets", answer)
```

```{solution-start} one
```

Words.

```{code-cell} ipython3
:tags: [solution]
import math


def answer(x, helper=None):
    return math.floor(table[x])


check("t5.unused_buckets", answer)
```

```{solution-end}
```
"""


@pytest.fixture
def page(monkeypatch):
    """Chapter t5 with the small page above, and without exercises for marks."""
    monkeypatch.setattr(myst, "page", lambda slug: PAGE)
    monkeypatch.setattr(exercise_cells, "GRADED", Path("nowhere"))
    parts.cache_clear()
    opening.cache_clear()
    yield
    parts.cache_clear()
    opening.cache_clear()


def test_names_are_followed_to_the_statements_that_bind_them(monkeypatch, page):
    one = part("t5.unused_buckets")
    assert one.statements() == [
        "import math",
        "import numpy as np",
        "from posenc.exercises import check, hint",
        "from posenc import rope as turned",
        "rate = 2",
        "table = np.zeros(3)",
        "table[1] = rate",
        "table = table + 1",
        "for i in range(3):\n    table[i] += math.floor(rate)",
    ]
    assert [block.options["label"] for block in one.cited()] == ["law"]
    assert opening("t5") == "In all of them $a$ is a letter.\n\nAnd $b$ another."
    calling = PAGE.replace("return table[x]", "return other(x)")
    monkeypatch.setattr(myst, "page", lambda _: calling)
    parts.cache_clear()
    assert part("t5.unused_buckets").statements()[-3:] == [
        "rate = 3",
        "def helper(x):\n    return x * rate",
        "def other(x):\n    return helper(x)",
    ]


@pytest.mark.parametrize("one", EVERY, ids=IDS)
def test_an_exercise_alone_can_be_solved(one):
    """Its stub, its check and its solution find every name that they use."""
    judged = []

    def check_here(name, answer):
        judged.append(judge(name, answer))
        return judged[-1]

    scope = {}
    for statement in one.statements():
        exec(statement, scope)
    assert scope["np"] is np
    assert scope["hint"] is hint
    scope["check"] = check_here
    exec(one.stub.source, scope)
    exec(one.check.source, scope)
    assert not judged.pop()
    exec(one.code, scope)
    assert judged
    assert all(judged), judged


@pytest.mark.parametrize("slug", SLUGS)
def test_every_exercise_is_found_on_its_page(slug):
    assert [one.name for one in EVERY if one.slug == slug] == names(slug, graded=True)
    pages = myst.page(slug), (GRADED / f"{slug}.md").read_text("utf-8")
    labels = [b.options["label"] for p in pages for b in myst.directives(p, "exercise")]
    assert [one.text.options["label"] for one in EVERY if one.slug == slug] == labels


@pytest.mark.parametrize("one", EVERY, ids=IDS)
def test_an_exercise_shows_its_widget_and_a_derivation_has_a_rubric(one):
    """Where a page has several widgets, ``chapter.toml`` says which is meant."""
    text = f"{one.text.argument} {one.text.content}"
    shown = [re.findall(r"^(\w+)\(", cell.source, re.M)[-1] for cell in one.widgets()]
    if re.search(r"Use the (\w+ )?(widgets?|heat map)\b", text):
        assert shown
        several = len(facts(one.slug)["widgets"]) > 1
        assert shown == (worths.widgets(one.name) if several else shown)
    else:
        assert shown == worths.widgets(one.name) == []
    derives = bool(re.search(r"\b(derive|prove)\b", text, re.IGNORECASE))
    assert derives == bool(worths.rubric(one.name))
    if derives:
        words = [c.source for c in one.solution if c.cell_type == "markdown"]
        assert words, "the page's solution must have the derivation"


def test_unknown_exercises_are_errors():
    for find in (part, worths.points, lambda name: asked(f'check("{name}", mine)')):
        with pytest.raises(ValueError, match=r"There is no exercise named 't5\.sing'"):
            find("t5.sing")
