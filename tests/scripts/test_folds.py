"""Questions before their answers: on pages, in notebooks, in print, in the count."""

import os
import subprocess
import sys

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


def built(tmp_path, builder):
    """Return the folder that Sphinx writes for a page, without a warning."""
    (tmp_path / "index.md").write_text(PAGE, "utf-8")
    config = (
        "extensions = ['myst_parser', 'folds']\n"
        "myst_enable_extensions = ['colon_fence', 'dollarmath']\n"
        "latex_documents = [('index', 'index.tex', 'T', 'A', 'manual')]\n"
    )
    (tmp_path / "conf.py").write_text(config, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", builder, ".", "out"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert run.stderr == ""
    return tmp_path / "out"


def test_a_page_has_details_that_open_without_a_script(tmp_path):
    page = BeautifulSoup(
        (built(tmp_path, "html") / "index.html").read_text("utf-8"), "html.parser"
    )
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
    text = (built(tmp_path, "latex") / "index.tex").read_text("utf-8")
    question = text.index(r"\textbf{Guess:} Is it")
    assert question < text.index("One, since") < text.index("Counted.")
    assert "Proof: count" not in text
