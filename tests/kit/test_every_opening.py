"""What stands under the titles of chapters and the first page, on Python's side."""

import re

import page_parser
import pytest
from bs4 import BeautifulSoup
from widget_page import accepts, drawing, every_opening, made, settable

from posenc.core.chapters import chapters
from posenc.kit.figures.themes import Themed

CELLS = every_opening()


@pytest.fixture(scope="module", params=CELLS)
def slug(request):
    return request.param


@pytest.fixture(scope="module")
def opening(slug):
    return made(CELLS[slug])


@pytest.fixture(scope="module")
def html(opening):
    return opening.static_html()


def test_openings_are_found():
    chapters_and_others = {"index", "laboratory", "prerequisites", *chapters()}
    assert CELLS.keys() == chapters_and_others


def test_opening_follows_the_title(slug):
    page = page_parser.page(slug)
    title, _, rest = page.partition("\n# ")[2].partition("\n\n")
    assert title
    assert rest.startswith("```{code-cell} ipython3\n:tags: [remove-input]\n")
    # It has taken the place of a picture.
    assert len(re.findall(r"^: +name: \S+-opening$", page, re.MULTILINE)) == 1


def test_opening_is_simple_and_its_state_is_valid(opening):
    assert opening.simple
    values = {name: getattr(opening, name) for name in settable(type(opening))}
    assert accepts(type(opening), values)


def test_opening_without_javascript_is_the_drawing(slug, html):
    (image,) = BeautifulSoup(html, "html.parser").div.find_all("img")
    draw, alt = drawing(slug)
    assert image["alt"] == alt
    drawn = Themed(draw, alt="drawn").html()
    assert image["src"] == BeautifulSoup(drawn, "html.parser").img["src"]
