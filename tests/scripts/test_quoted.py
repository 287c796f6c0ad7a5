"""Notebooks of exercises alone say what they quote: nothing in them points nowhere."""

import functools
import re

import course_notebooks
import pytest
from exercise_cells import parts
from make_notebooks import chapters, glued_numbers

GREEK = (
    "alpha beta gamma Gamma delta Delta varepsilon zeta eta theta Theta kappa lambda "
    "Lambda mu nu xi pi rho sigma Sigma tau varphi phi Phi chi psi omega Omega ell"
)
#: Letters that mean the same everywhere, and spacing such as ``\\[2pt]``.
USUAL = {"e", "pi"}
NO_LETTERS = re.compile(
    r"\\(?:text|operatorname|mathrm|begin|end)\s*\{[^{}]*\}|\\\\\[\w+\]|\\tag\{\d+\}"
)


def letters(formula):
    """Names of the Latin and Greek letters of a formula."""
    found = re.findall(r"\\([A-Za-z]+)|([A-Za-z])", NO_LETTERS.sub(" ", formula))
    return {latin or greek for greek, latin in found if latin or greek in GREEK.split()}


def told(name):
    """Return what a student reads of an exercise alone, but for answers on paper."""
    cells = course_notebooks.excerpt("one", [name]).cells
    sources = [c.source for c in cells[1:] if c.cell_type == "markdown"]
    return [source for source in sources if "### BEGIN SOLUTION" not in source]


def points_nowhere(texts):
    """References, exercises and letters of quotations that the texts do not explain."""
    text = "\n\n".join(texts)
    tags = re.findall(r"\\tag\{(\d+)\}", text)
    lone = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", " ", text, flags=re.S)
    found = [f"({n})" for n in re.findall(r"\((\d+)\)", lone) if n not in tags]
    kinds = r"(Theorem|Proposition|Lemma|Corollary|Definition) (\d+)"
    for kind, number in re.findall(kinds, text):
        if f"**{kind} {number}" not in text:
            found.append(f"{kind} {number}")
    found += re.findall(r"theorem “[^”]+”", text)
    found += re.findall(
        r"(?:next|last|later|earlier|previous|in an optional) (?:exercise|section)",
        text,
    )
    quoted = "\n".join(t for t in texts if t.startswith("From the chapter:"))
    shown = re.findall(r"\$\$.*?\$\$", quoted, re.S)
    rest = functools.reduce(lambda left, one: left.replace(one, " "), shown, text)
    words = {w for one in re.findall(r"\$([^$]+)\$", rest) for w in letters(one)}
    asked = {letter for formula in shown for letter in letters(formula)}
    indices = re.findall(r"\\sum_\{?\s*([a-z])", quoted)
    return found + sorted(asked - words - USUAL - {*indices})


@pytest.mark.slow
@pytest.mark.parametrize("slug", chapters())
def test_an_exercise_alone_points_to_nothing_that_is_not_there(slug, monkeypatch):
    numbers = functools.cache(glued_numbers)
    monkeypatch.setattr(course_notebooks, "glued_numbers", numbers)
    lost = {name: points_nowhere(told(name)) for name in parts(slug)}
    assert {name: some for name, some in lost.items() if some} == {}
