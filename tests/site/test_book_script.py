"""What the pages' own script and style do, on small pages: no site has to be built."""

import io

import build_book
import matplotlib.pyplot as plt
import numpy as np
import pytest

from posenc.kit.figures.palette import THEMES

pytestmark = pytest.mark.browser

STATIC = (build_book.ROOT / "book/_static").as_uri()
MATHJAX = (build_book.ROOT / "book/assets/mathjax/tex-chtml.js").as_uri()
#: A bar that is as long as the formula, in the color of its text.
WIDE = rf"""<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="{STATIC}/palette.css">
<link rel="stylesheet" href="{STATIC}/book.css">
<style>body {{ background: var(--pe-surface) }}
mjx-mspace {{ background: var(--pe-text) !important }}</style>
<script>DOCUMENTATION_OPTIONS = {{}}</script><script src="{STATIC}/book.js"></script>
<script defer src="{MATHJAX}"></script>
<article class="bd-article"><div class="math">\[\rule{{60em}}{{1em}}\]</div>
<p>A bar <span class="math">\(\rule{{50em}}{{1em}}\)</span> in a line.</p></article>"""


def ink(page, formula):
    """Return how much of a formula's color its first and last columns have, 0 to 1."""
    box = formula.bounding_box()
    height = box["height"]
    shot = page.screenshot(clip={**box, "y": box["y"] + 0.25 * height, "height": 2})
    row = plt.imread(io.BytesIO(shot))[0, :, :3].mean(axis=1)
    theme = THEMES[page.evaluate("document.documentElement.dataset.theme")]
    ground, text = (
        np.mean([int(theme[name][i : i + 2], 16) / 255 for i in (1, 3, 5)])
        for name in ("surface", "text")
    )
    share = (row - ground) / (text - ground)
    return share[:3].mean(), share[-3:].mean()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("which", [0, 1])
def test_a_wide_formula_fades_until_its_end(open_page, tmp_path, dark, which):
    (tmp_path / "page.html").write_text(WIDE, "utf-8")
    page = open_page((tmp_path / "page.html").as_uri(), width=360, dark=dark)
    formula = page.locator("mjx-container").nth(which)
    page.wait_for_function("document.querySelectorAll('.pe-wide').length === 2")
    first, last = ink(page, formula)
    assert first > 0.95
    assert last < 0.2
    formula.evaluate(
        """async (formula) => {
          formula.scrollLeft = formula.scrollWidth;
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        }"""
    )
    assert min(ink(page, formula)) > 0.95
    page.set_viewport_size({"width": 1600, "height": 800})
    page.wait_for_function("!document.querySelector('.pe-wide, .pe-more')")
    assert page.record.errors == []


#: Letters of a formula, and a picture's colors as widgets have them.
LETTERS = rf"""<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>
<link rel="stylesheet" href="{STATIC}/palette.css">
<link rel="stylesheet" href="{STATIC}/book.css">
<script>DOCUMENTATION_OPTIONS = {{}}; MathJax = {{loader: {{load: ["[tex]/html"]}},
tex: {{packages: {{"[+]": ["html"]}}}}}}</script>
<script src="{STATIC}/book.js"></script><script defer src="{MATHJAX}"></script>
<article class="bd-article"><div class="math">\[\class{{pe-query}}{{q}} +
\class{{pe-key}}{{k}} + x\]</div></article>"""


def test_letters_of_formulas_mark_their_role(open_page, tmp_path):
    (tmp_path / "page.html").write_text(LETTERS, "utf-8")
    page = open_page((tmp_path / "page.html").as_uri())

    def marked():
        return page.evaluate("document.body.dataset.mark ?? null")

    formula = page.locator("mjx-container[tabindex]")
    query, key = (formula.locator(f".pe-{role}").first for role in ("query", "key"))
    query.hover()
    assert marked() == "query"
    page.mouse.move(1, 1)
    assert marked() is None
    formula.focus()
    steps = []
    for _ in range(3):
        page.keyboard.press("Enter")
        steps.append(marked())
    assert steps == ["query", "key", None]
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert marked() is None
    key.dispatch_event("click")  # as a tap does
    assert marked() == "key"
    page.locator("article").dispatch_event("click")
    assert marked() is None
