"""Exercises taken out of their pages take with them what they need."""

import re

import numpy as np
import page_parser
import pytest
from exercise_cells import GRADED, parts
from exercise_rules import judge
from make_notebooks import chapters

from posenc.core.chapters import metadata
from posenc.exercises import hint, names
from posenc.pages import points as worths

SLUGS = chapters()
EVERY = [p for slug in SLUGS for p in parts(slug).values()]
IDS = [p.name for p in EVERY]


@pytest.mark.parametrize("one", EVERY, ids=IDS)
def test_an_exercise_alone_can_be_solved_and_shows_its_widget(one):
    """Its stub, its check and its solution find every name that they use."""
    judged = []

    def check_here(name, answer):
        judged.append(judge(name, answer))
        return judged[-1]

    scope, statements = {}, one.statements()
    assert len(statements) < 5
    for statement in statements:
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
    # Where a page has several widgets, ``chapter.toml`` says which is meant.
    text = f"{one.text.argument} {one.text.content}"
    shown = [re.findall(r"^(\w+)\(", cell.source, re.M)[-1] for cell in one.widgets()]
    if re.search(r"Use the (\w+ )?(widgets?|heat map)\b", text):
        assert shown
        several = len(metadata(one.slug)["widgets"]) > 1
        assert shown == (worths.widgets(one.name) if several else shown)
    else:
        assert shown == worths.widgets(one.name) == []
    derives = bool(re.search(r"\b(derive|prove)\b", text, re.IGNORECASE))
    assert derives == bool(worths.rubric(one.name))
    if derives:  # the solution holds the derivation
        assert [c for c in one.solution if c.cell_type == "markdown"]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_exercise_is_found_on_its_page(slug):
    assert [one.name for one in EVERY if one.slug == slug] == names(slug, graded=True)
    pages = page_parser.page(slug), (GRADED / f"{slug}.md").read_text("utf-8")
    labels = [
        b.options["label"] for p in pages for b in page_parser.directives(p, "exercise")
    ]
    assert [one.text.options["label"] for one in EVERY if one.slug == slug] == labels
