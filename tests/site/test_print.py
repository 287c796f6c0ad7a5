"""Chapters as a browser prints them: how many sheets, and what stands on them."""

import re
import subprocess

import pytest
from test_site import assert_none

from posenc.core.chapters import chapters

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: A4 sheets of each chapter without the rules for print in ``book.css``. The first
#: edition had none; its T5 took 35, and 39 with what has joined since.
SHEETS = {
    "attention": 44,
    "shaw": 42,
    "sinusoidal": 38,
    "rotation": 41,
    "transformer_xl": 39,
    "t5": 39,
    "music_transformer": 37,
    "convolutional": 38,
    "rope": 50,
    "linear_attention": 46,
    "swin": 43,
    "alibi": 41,
    "cape": 36,
    "checkpoint": 30,
}

#: Marks the first and the last line of each formula, and its number, for those who read
#: the PDF. Returns how many marks each formula has.
MARK = """() => [...document.querySelectorAll("article div.math")]
  .filter((box) => box.checkVisibility()).map((box, i) => {
    const number = box.querySelector(".eqno"), formula = box.querySelector("mjx-math");
    const mark = (node, place) => {
      const word = document.createElement("span");
      word.textContent = `mark${i}end`;
      word.style.cssText = "position: absolute; left: 0; font: 3px sans-serif";
      word.style[place] = 0;
      node.style.position = "relative";
      node.append(word);
    };
    mark(formula, "top");
    mark(formula, "bottom");
    if (number) mark(number, "bottom");
    return number ? 3 : 2;
  })"""


@pytest.fixture(scope="module", params=chapters())
def slug(request):
    return request.param


@pytest.fixture(scope="module")
def printed(slug, site, browser):
    """A chapter as a printer sees it, opened once for all tests."""
    import browsing

    page = browsing.open_page(browser, f"{site.file}book/{slug}.html")
    page.emulate_media(media="print")
    yield page
    page.context.close()


def test_there_is_nothing_to_click(printed):
    controls = """() => {
      // Words that set a widget, and those of a picture, are read on paper, too.
      const parts = "input, select, textarea, button:not(.pe-set, .pe-word)";
      const seen = { visibilityProperty: true, opacityProperty: true };
      return [...document.querySelectorAll(parts)]
        .filter((node) => node.checkVisibility(seen))
        .map((node) => node.outerHTML.slice(0, 100));
    }"""
    assert_none({"printed": printed.evaluate(controls)})
    left_out = ".pe-controls, .pe-text, .pe-served, #jb-print-docs-body"
    assert printed.locator(left_out).count() > 3
    assert not any(one.is_visible() for one in printed.locator(left_out).all())
    assert printed.locator("h1").last.is_visible()


def test_widgets_are_pictures(printed):
    blank = """() => [...document.querySelectorAll(".pe-widget")].filter((root) => {
      const drawn = (canvas) => canvas.getContext("2d")
        .getImageData(0, 0, canvas.width, canvas.height).data.some((x) => x > 0);
      const panels = [...root.querySelectorAll(".pe-panel")];
      return !panels.length || panels.some((panel) => !panel.checkVisibility()) ||
        [...root.querySelectorAll(".pe-panel canvas")].some((canvas) => !drawn(canvas));
    }).map((root) => root.parentElement.id)"""
    assert printed.locator(".pe-widget").count() > 0
    assert_none({"blank": printed.evaluate(blank)})


def test_sheets_are_few_and_part_no_formula_from_its_number(printed, slug, tmp_path):
    marks = printed.evaluate(MARK)
    pdf = tmp_path / "page.pdf"
    assert printed.pdf(format="A4", path=pdf).count(b"/Type /Page\n") <= (
        0.7 * SHEETS[slug]
    )
    text = subprocess.run(
        ["pdftotext", pdf, "-"], capture_output=True, check=True, encoding="utf-8"
    ).stdout
    places = {i: [] for i in range(len(marks))}
    for sheet, words in enumerate(text.split("\f")):
        for found in re.findall(r"mark(\d+)end", words):
            places[int(found)].append(sheet)
    assert {i: len(sheets) for i, sheets in places.items()} == dict(enumerate(marks))
    parted = [i for i, sheets in places.items() if len(set(sheets)) > 1]
    assert parted == []
