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
from posenc.kit.figures.themes import LEGIBLE, NARROW, color, theme

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


@pytest.mark.slow
def test_light_and_dark_differ_in_nothing_but_colors(drawing):
    assert light(drawing).colors != dark(drawing).colors
    assert light(drawing).shapes == dark(drawing).shapes


@pytest.mark.parametrize("look", [light, pytest.param(dark, marks=pytest.mark.slow)])
def test_words_can_be_read_and_colors_are_those_of_the_theme(drawing, look):
    assert look(drawing).small == set()
    assert look(drawing).foreign == set()


def test_words_neither_touch_each_other_nor_leave_the_picture(drawing):
    assert light(drawing).crowded == set()


def test_no_figure_is_left_open(drawing):
    assert light(drawing).left_open == []


def test_a_narrow_version_is_legible_on_a_phone(drawing):
    if light(drawing).on_a_phone >= LEGIBLE:
        return  # it has none
    narrow = figure_rules.picture(drawing, "light", lay_out=True, narrow=True)
    assert narrow.size[0] <= NARROW
    assert narrow.on_a_phone >= LEGIBLE
    assert narrow.in_cells >= LEGIBLE
    assert narrow.crowded == set()


@pytest.mark.slow
def test_the_same_is_drawn_again_where_it_is_told(drawing):
    where, first = {}, light(drawing)
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
        folder = ROOT / "src/posenc" / slug
        files = [*folder.glob("figures.py"), *folder.glob("figures/[!_]*.py")]
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

    def test_letters_that_a_phone_makes_small(self):
        def draw():
            ax = plt.subplots(figsize=(8, 4))[1]
            ax.text(0, 0, "cell", fontsize=5, in_layout=False)
            return ax

        wide = figure_rules.picture(draw, "light", lay_out=True)
        narrow = figure_rules.picture(draw, "light", lay_out=True, narrow=True)
        assert wide.on_a_phone == pytest.approx(11 * 4 / 3 * 296 / (8 * 96))
        assert narrow.on_a_phone == pytest.approx(11 * 4 / 3 * 296 / (NARROW * 96))
        assert wide.in_cells < narrow.in_cells < LEGIBLE < narrow.on_a_phone

    def test_a_figure_too_many(self):
        def draw():
            plt.figure()
            return plt.subplots()[1]

        assert len(figure_rules.picture(draw, "light").left_open) == 1


class TestWordsThatCollide:
    """Pictures of 100 by 100 points, placed in points from the lower left."""

    @staticmethod
    def crowded(*places, **options):
        def draw():
            figure = plt.figure(figsize=(100 / 72, 100 / 72), layout="none")
            for x, y, words, more in places:
                figure.text(
                    x / 100, y / 100, words, **{"fontsize": 10} | options | more
                )
            return figure

        picture = figure_rules.picture(draw, "light", lay_out=True)
        assert picture.left_open == []
        return picture.crowded

    def test_one_on_another(self):
        assert self.crowded((10, 50, "one", {}), (20, 52, "two", {})) == {"one: on two"}
        assert self.crowded((10, 50, "one", {}), (10, 70, "two", {})) == set()

    @pytest.mark.parametrize(
        ("place", "more"),
        [
            ((90, 50), {}),
            ((-5, 50), {}),
            ((50, 97), {}),
            ((50, -3), {}),
            ((50, 80), {"rotation": 90}),
            ((120, 50), {}),
        ],
    )
    def test_out_of_the_picture(self, place, more):
        assert self.crowded((*place, "words", more)) == {"words: cut"}
        assert self.crowded((50, 50, "words", {"ha": "center"} | more)) == set()

    def test_only_a_mark_allows_it(self):
        mark = {"gid": figure_rules.ON_PURPOSE}
        assert self.crowded((10, 50, "one", {}), (10, 50, "1", mark)) == set()

    def test_words_of_axes_titles_and_legends_and_those_cut_at_the_axes(self):
        def draw():
            ax = plt.subplots(figsize=(3, 2), layout="none")[1]
            ax.plot([0, 1], label="curve")
            ax.legend(loc="center")
            ax.set(
                xticks=[0, 0.01], xticklabels=["zero", "more"], xlim=(0, 1), yticks=[]
            )
            ax.set_title("a title which is far too long for so narrow a picture")
            ax.text(0.5, 0.5, "inside", ha="center")
            ax.text(0.99, 0.2, "clipped", clip_on=True)
            ax.text(2, 0.2, "far away", clip_on=True)
            return ax

        assert figure_rules.picture(draw, "light", lay_out=True).crowded == {
            "a title which is far too long for so narrow a picture: cut",
            "clipped: cut",
            "inside: on curve",
            "zero: on more",
        }
