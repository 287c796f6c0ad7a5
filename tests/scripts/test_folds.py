"""Questions before their answers: on pages, in notebooks, in print, in the count."""

import subprocess
import sys

import length
import pytest
from bs4 import BeautifulSoup

PAGE = """# Title

:::{guess} Is it $1$ or *two*?
One, since
$$
1
  = 1
$$
:::

:::{fold} Proof: count
````{note}
Counted.
````
:::
"""


def built(tmp_path, builder, text=PAGE):
    """What Sphinx writes for a page, and what it complains of."""
    (tmp_path / "index.md").write_text(text, "utf-8")
    config = (
        "extensions = ['myst_parser', 'folds']\n"
        "myst_enable_extensions = ['colon_fence', 'dollarmath']\n"
        "latex_documents = [('index', 'index.tex', 'T', 'A', 'manual')]\n"
    )
    (tmp_path / "conf.py").write_text(config, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", builder, ".", "out"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    return tmp_path / "out", run.stderr


@pytest.fixture(autouse=True)
def _path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))


def test_a_page_has_details_that_open_without_a_script(tmp_path):
    out, told = built(tmp_path, "html")
    assert told == ""
    page = BeautifulSoup((out / "index.html").read_text("utf-8"), "html.parser")
    guess, fold = page.select("details")
    assert guess["class"] == ["pe-guess"]
    assert fold["class"] == ["pe-fold"]
    assert not guess.has_attr("open")
    assert " ".join(guess.summary.get_text().split()) == r"Guess: Is it \(1\) or two?"
    assert guess.summary.em.get_text() == "two"
    assert "One, since" in guess.get_text()
    assert fold.summary.get_text().strip() == "Proof: count"
    assert "Counted." in fold.get_text()


def test_print_has_question_and_answer_and_what_is_folded(tmp_path):
    out, told = built(tmp_path, "latex")
    assert told == ""
    text = (out / "index.tex").read_text("utf-8")
    question = text.index(r"\textbf{Guess:} Is it")
    assert question < text.index("One, since") < text.index("Counted.")
    assert "Proof: count" not in text


def test_what_is_folded_and_what_a_button_sets_is_not_counted():
    shown = "# Title\n\nOne.\n\n:::{guess} Or two?\nThree four.\n:::\n"
    apart = "\n:::{admonition} Five\n:class: dropdown\n\nSix seven eight.\n:::\n"
    assert length.length(shown + apart).words == 5
    assert length.length(shown + apart.replace("dropdown", "tip")).words > 5
    assert length.length("See {try}`both at 6 <TurnedPair m=6 n=6>`.").words == 4
