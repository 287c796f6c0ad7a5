"""What every figure of the book keeps, whatever it shows.

The drawing functions are found in the packages; see `figure_rules`. What is in a
picture is tested by its chapter.
"""

import re
from functools import cache
from pathlib import Path

import figure_rules
import pytest

from posenc.core.chapters import with_part
from posenc.kit.figures.themes import LEGIBLE, NARROW, theme

ROOT = Path(__file__).parents[2]
DRAWINGS = figure_rules.drawings()


@pytest.fixture(scope="module", params=DRAWINGS, ids=str)
def drawing(request):
    """One after the other, each with all its tests: so it is drawn only a few times."""
    return request.param


@cache
def light(drawing):
    return figure_rules.picture(drawing, "light", lay_out=True)


@cache
def dark(drawing):
    return figure_rules.picture(drawing, "dark")


@pytest.mark.parametrize("look", [light, pytest.param(dark, marks=pytest.mark.slow)])
def test_words_can_be_read_and_colors_are_those_of_the_theme(drawing, look):
    assert look(drawing).small == set()
    assert look(drawing).foreign == set()


def test_words_neither_touch_each_other_nor_leave_the_picture(drawing):
    assert light(drawing).crowded == set()


def test_a_narrow_version_is_legible_on_a_phone(drawing):
    if light(drawing).on_a_phone >= LEGIBLE:
        return  # it has none
    narrow = figure_rules.picture(drawing, "light", lay_out=True, narrow=True)
    assert narrow.size[0] <= NARROW
    assert narrow.on_a_phone >= LEGIBLE
    assert narrow.in_cells >= LEGIBLE
    assert narrow.crowded == set()


@pytest.mark.parametrize(
    "row", figure_rules.rows_of_what_is_shown(), ids=lambda row: "-".join(row[:2])
)
def test_figure_shows_numbers_computed_by_posenc(row):
    slug, name, setting, *wanted = row
    with theme("light"):
        drawn = figure_rules.drawing_functions(slug)[name](**setting)
        missing = [one for one in wanted if not figure_rules.holds(drawn.figure, one)]
    assert missing == []


def test_every_drawing_is_shown_by_a_page_or_a_widget_or_another_drawing():
    places = [*ROOT.glob("book/*.md"), *ROOT.glob("src/posenc/*/widgets/*.py")]
    shown = "\n".join(path.read_text() for path in places)
    lost = []
    for slug in with_part("figures"):
        folder = ROOT / "src/posenc" / slug
        files = [*folder.glob("figures.py"), *folder.glob("figures/[!_]*.py")]
        code = "\n".join(path.read_text() for path in files)
        for name in figure_rules.drawing_functions(slug):
            called = re.search(rf"(?<!def )\b{name}\(", code)
            if not called and not re.search(rf"\b{name}\b", shown):
                lost.append(f"{slug}: {name}")
    assert lost == []
