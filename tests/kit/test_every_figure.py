"""What every figure of the book keeps, whatever it shows.

The drawing functions are found in the packages; see `figure_rules`. What is in a
picture is tested by its chapter.
"""

import re
from functools import cache
from pathlib import Path

import figure_rules
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes

from posenc.core.chapters import having
from posenc.kit.figures.themes import color, theme

ROOT = Path(__file__).parents[2]
DRAWINGS = figure_rules.drawings()


@pytest.fixture(scope="module", params=DRAWINGS, ids=str)
def drawing(request):
    """One after the other, each with all its tests: so it is drawn only a few times."""
    return request.param


@cache
def saved(drawing):
    return figure_rules.picture(drawing, "light", save=True)


@cache
def dark(drawing):
    return figure_rules.picture(drawing, "dark")


def test_light_and_dark_differ_in_nothing_but_colors(drawing):
    assert saved(drawing).colors != dark(drawing).colors
    assert saved(drawing).shapes == dark(drawing).shapes


def test_words_can_be_read_and_colors_are_those_of_the_theme(drawing):
    for picture in (saved(drawing), dark(drawing)):
        assert picture.small == set()
        assert picture.foreign == set()


def test_no_figure_is_left_open(drawing):
    assert saved(drawing).left_open == []


def test_the_same_is_drawn_again_where_it_is_told(drawing):
    where, first = {}, saved(drawing)
    with theme("light"):
        if figure_rules.returned(drawing.function) is Axes:
            where["ax"] = plt.subplots(figsize=first.size)[1]
        drawn = drawing(**where)
    assert drawn is where.get("ax", drawn)
    assert len(plt.get_fignums()) == 1
    figure = drawn.figure if where else drawn
    assert figure_rules.shapes(figure) == first.shapes
    assert figure_rules.colors(figure) == first.colors


def test_every_drawing_is_shown_by_a_page_or_a_widget_or_another_drawing():
    places = [*ROOT.glob("book/*.md"), *ROOT.glob("src/posenc/*/widgets/*.py")]
    shown = "\n".join(path.read_text() for path in places)
    lost = []
    for slug in having("figures"):
        files = (ROOT / "src/posenc" / slug / "figures").glob("[!_]*.py")
        code = "\n".join(path.read_text() for path in files)
        for name in figure_rules.drawing_functions(slug):
            called = re.search(rf"(?<!def )\b{name}\(", code)
            if not called and not re.search(rf"\b{name}\b", shown):
                lost.append(f"{slug}: {name}")
    assert lost == []


class TestTheRulesCanFail:
    def test_a_drawing_that_is_never_the_same(self):
        rng = np.random.default_rng()

        def draw():
            return plt.subplots()[1].plot(rng.normal(size=3))[0].axes

        first, second = (figure_rules.picture(draw, "light") for _ in range(2))
        assert first.shapes != second.shapes

    def test_colors_that_are_never_the_same(self):
        rng = np.random.default_rng()

        def draw():
            return plt.subplots()[1].imshow(rng.normal(size=(3, 3))).axes

        first, second = (figure_rules.picture(draw, "light") for _ in range(2))
        assert first.shapes == second.shapes
        assert first.colors != second.colors

    @pytest.mark.parametrize("name", ["light", "dark"])
    def test_small_letters_and_colors_of_its_own(self, name):
        def draw():
            ax = plt.subplots()[1]
            ax.text(0, 0, "small", fontsize=6)
            ax.text(0, 0, "red", color="#ff0000")
            ax.plot([0, 1], color="0.4", label="gray")
            ax.plot([0, 1], color=color("query"), label="query")
            return ax

        picture = figure_rules.picture(draw, name)
        assert picture.small == {"small"}
        assert {words for words, _ in picture.foreign} == {"red", "gray"}

    def test_a_color_of_the_other_theme(self):
        with theme("dark"):
            ink = color("query")

        def draw():
            return plt.subplots()[1].plot([0, 1], color=ink, label="dark")[0].axes

        picture = figure_rules.picture(draw, "light")
        assert {words for words, _ in picture.foreign} == {"dark"}

    def test_a_figure_too_many(self):
        def draw():
            plt.figure()
            return plt.subplots()[1]

        assert len(figure_rules.picture(draw, "light").left_open) == 1
