"""What the pages' own script and style do, on small pages: no site has to be built."""

import build_book
import pytest

pytestmark = pytest.mark.browser

STATIC = (build_book.ROOT / "book/_static").as_uri()
MATHJAX = (build_book.ROOT / "book/assets/mathjax/tex-chtml.js").as_uri()
#: Formulas wider than a phone, one with a line of its own and one in a sentence.
WIDE = rf"""<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="{STATIC}/book.css">
<script>DOCUMENTATION_OPTIONS = {{}}</script><script src="{STATIC}/book.js"></script>
<script defer src="{MATHJAX}"></script>
<article class="bd-article"><div class="math">\[\rule{{60em}}{{1em}}\]</div>
<p>A bar <span class="math">\(\rule{{50em}}{{1em}}\)</span> in a line.</p></article>"""


def test_a_wide_formula_scrolls_and_fades_until_its_end(open_page, tmp_path):
    (tmp_path / "page.html").write_text(WIDE, "utf-8")
    page = open_page((tmp_path / "page.html").as_uri(), width=360)
    page.wait_for_function("document.querySelectorAll('.pe-wide').length === 2")
    faded = """() => [...document.querySelectorAll("mjx-container")].map((formula) =>
      formula.scrollWidth > formula.clientWidth
      && getComputedStyle(formula).maskImage !== "none")"""
    assert page.evaluate(faded) == [True, True]
    page.evaluate(
        """async () => {
          for (const formula of document.querySelectorAll("mjx-container"))
            formula.scrollLeft = formula.scrollWidth;
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        }"""
    )
    assert page.evaluate(faded) == [False, False]
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
