"""Chapters as a browser prints them: how many sheets, and what stands on them."""

import re
import subprocess

import browsing
import pytest
from test_site import assert_none

from posenc.core.chapters import chapters

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: A4 sheets of the longest chapter. Without the rules for print it has 50.
MOST_SHEETS = 35

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
def printed(request, site, browser):
    """A chapter as a printer sees it, opened once for all tests."""
    page = browsing.open_page(browser, f"{site.file}book/{request.param}.html")
    page.emulate_media(media="print")
    yield page
    page.context.close()


def test_there_is_nothing_to_click_and_widgets_are_pictures(printed):
    controls = """() => {
      // Words that set a widget, and those of a picture, are read on paper, too.
      const parts = "input, select, textarea, button:not(.pe-set, .pe-word)";
      const seen = { visibilityProperty: true, opacityProperty: true };
      return [...document.querySelectorAll(parts)]
        .filter((node) => node.checkVisibility(seen))
        .map((node) => node.outerHTML.slice(0, 100));
    }"""
    blank = """() => [...document.querySelectorAll(".pe-widget")].filter((root) => {
      const drawn = (canvas) => canvas.getContext("2d")
        .getImageData(0, 0, canvas.width, canvas.height).data.some((x) => x > 0);
      const panels = [...root.querySelectorAll(".pe-panel")];
      return !panels.length || panels.some((panel) => !panel.checkVisibility()) ||
        [...root.querySelectorAll(".pe-panel canvas")].some((canvas) => !drawn(canvas));
    }).map((root) => root.parentElement.id)"""
    assert printed.locator(".pe-widget").count() > 0
    found = {"controls": printed.evaluate(controls), "blank": printed.evaluate(blank)}
    assert_none(found)
    left_out = ".pe-controls, .pe-text, .pe-served, #jb-print-docs-body"
    assert printed.locator(left_out).count() > 3
    assert not printed.locator(left_out).locator("visible=true").count()
    assert printed.locator("h1").last.is_visible()


def test_no_formula_is_parted_from_its_number(printed, tmp_path):
    marks = printed.evaluate(MARK)
    pdf = tmp_path / "page.pdf"
    printed.pdf(format="A4", path=pdf)
    text = subprocess.run(
        ["pdftotext", pdf, "-"], capture_output=True, check=True, encoding="utf-8"
    ).stdout
    sheets = text.split("\f")
    assert len(sheets) - 1 <= MOST_SHEETS  # each sheet ends with a form feed
    places = {i: [] for i in range(len(marks))}
    for sheet, words in enumerate(sheets):
        for mark in re.findall(r"mark(\d+)end", words):
            places[int(mark)].append(sheet)
    assert {i: len(sheets) for i, sheets in places.items()} == dict(enumerate(marks))
    assert [i for i, sheets in places.items() if len(set(sheets)) > 1] == []
