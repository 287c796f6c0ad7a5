"""Drawing functions of the book, how tests call them, and what a drawing holds.

A drawing function is one that a ``posenc.<slug>.figures`` defines and exports, and that
returns Axes or a Figure. It is drawn without arguments, or with those that `ARGUMENTS`
of ``tests/<slug>/test_figures*.py`` lists under its name: one dict for each drawing.
"""

import importlib
import inspect
import runpy
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Tick
from matplotlib.collections import Collection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from posenc.core.chapters import having
from posenc.kit.figures.palette import THEMES
from posenc.kit.figures.themes import Themed, theme

TESTS = Path(__file__).parent

#: Smallest letters of a picture, in points; numbers in cells are as large as those are.
LEGIBLE = 7


def texts(ax):
    """Words that are written inside a drawing."""
    return [text.get_text() for text in ax.texts]


class Drawing(NamedTuple):
    """A drawing function with arguments: one picture of the book."""

    slug: str
    name: str
    number: int

    def __str__(self):
        return f"{self.slug}-{self.name}" + f"-{self.number}" * bool(self.number)

    @property
    def function(self):
        return drawing_functions(self.slug)[self.name]

    def __call__(self, **where):
        return self.function(**arguments(self.slug, self.name)[self.number], **where)


def returned(function):
    """What a function returns, by its annotation."""
    return inspect.signature(function).return_annotation


@cache
def drawing_functions(slug):
    package = importlib.import_module(f"posenc.{slug}.figures")
    exported = {name: getattr(package, name) for name in package.__all__}
    return {
        name: one
        for name, one in exported.items()
        if inspect.isfunction(one) and one.__module__.startswith(package.__name__)
        if returned(one) in (Axes, Figure)
    }


@cache
def tables(slug):
    files = sorted((TESTS / slug).glob("test_figures*.py"))
    found = [runpy.run_path(str(file)).get("ARGUMENTS", {}) for file in files]
    return {name: lists for table in found for name, lists in table.items()}


def arguments(slug, name):
    """What a drawing function is called with: one dict for each drawing."""
    return tables(slug).get(name, [{}])


def drawings():
    """Every drawing of the book."""
    return [
        Drawing(slug, name, number)
        for slug in having("figures")
        for name in drawing_functions(slug)
        for number in range(len(arguments(slug, name)))
    ]


class Picture(NamedTuple):
    """What was drawn in one theme."""

    size: tuple
    shapes: Counter
    colors: Counter
    small: set
    foreign: set
    left_open: list


def picture(draw, name, *, save=False):
    """Draw in a theme; with `save` as a page shows it, which takes far longer."""
    seen = {}

    def look():
        drawn = draw()
        figure = drawn if isinstance(drawn, Figure) else drawn.figure
        seen["size"] = tuple(figure.get_size_inches())
        seen["shapes"] = shapes(figure)
        seen["colors"] = colors(figure)
        seen["small"] = small_words(figure)
        seen["foreign"] = foreign_colors(figure, name)
        return figure

    if save:
        assert Themed(look, alt="a figure").svg(name).startswith("<svg")
    else:
        with theme(name):
            plt.close(look())
    return Picture(**seen, left_open=plt.get_fignums())


def artists(figure):
    """What a figure consists of, but for ticks and empty words."""
    ticks = {id(part) for tick in figure.findobj(Tick) for part in tick.findobj()}
    found = [one for one in figure.findobj() if id(one) not in ticks]
    return [one for one in found if written(one) != ""]


def shapes(figure):
    """What a drawing is made of but for its colors: words, places, numbers."""
    return Counter(
        (type(one).__name__, written(one), *outline(one)) for one in artists(figure)
    )


def colors(figure):
    """Colors of words, lines, areas and pixels."""
    getters = ("get_color", "get_facecolor", "get_edgecolor", "get_array")
    return Counter(
        (type(one).__name__, getter, as_bytes(getattr(one, getter)()))
        for one in artists(figure)
        for getter in getters
        if hasattr(one, getter)
    )


def as_bytes(value):
    """Numbers as bytes; names of colors, and nothing, as they are."""
    plain = value is None or isinstance(value, str)
    return value if plain else np.asarray(value, dtype=float).round(6).tobytes()


def written(artist):
    return artist.get_text() if isinstance(artist, Text) else None


def outline(artist):
    """Places of an artist, to a millionth, as bytes."""
    match artist:
        case Text():
            places = [artist.get_position()]
        case Line2D():
            places = [artist.get_xydata()]
        case Patch():
            path = artist.get_patch_transform().transform_path(artist.get_path())
            places = [path.vertices]
        case Collection():
            paths = [path.vertices for path in artist.get_paths()]
            places = [*paths, artist.get_offsets()]
        case AxesImage():
            places = [artist.get_extent(), artist.get_array().shape]
        case _:
            places = []
    return [as_bytes(place) for place in places]


def words(figure):
    return [text for text in figure.findobj(Text) if text.get_text().strip()]


def small_words(figure):
    """Words in letters too small to read."""
    apart = [text for text in words(figure) if text.get_in_layout()]  # not in a cell
    return {text.get_text() for text in apart if text.get_fontsize() < LEGIBLE}


@cache
def shades():
    """Colors of the tables that turn numbers into colors."""
    names = ("viridis", "coolwarm")
    return {to_rgba(c) for name in names for c in mpl.colormaps[name](np.arange(256))}


def foreign_colors(figure, name):
    """Words and lines in a color that the palette does not have in this theme."""
    own = {to_rgba(color) for color in (*THEMES[name].values(), "#000000", "#ffffff")}
    lines = [line for line in figure.findobj(Line2D) if len(line.get_xydata())]
    drawn = [line for line in lines if line.get_linestyle() != "None"]
    found = {(text.get_text(), to_rgba(text.get_color())) for text in words(figure)}
    found |= {(line.get_label(), to_rgba(line.get_color())) for line in drawn}
    return {pair for pair in found if pair[1] not in own | shades()}
