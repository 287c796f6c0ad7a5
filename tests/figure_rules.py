"""Drawing functions of the book, how tests call them, and what a drawing holds.

A drawing function is one that a ``posenc.<slug>.figures`` defines and exports, and that
returns Axes or a Figure. It is drawn without arguments, or with those that `ARGUMENTS`
of ``tests/<slug>/test_figures*.py`` lists under its name: one dict for each drawing.
`SHOWS` has arguments and what a drawing with them must hold: heights of a line, its
points, or an image; or words, as one reads them line by line.
"""

import importlib
import inspect
import runpy
from functools import cache
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from posenc.core.chapters import with_part
from posenc.kit.figures import themes
from posenc.kit.figures.palette import THEMES

TESTS = Path(__file__).parent

#: Smallest letters of a picture, in points; numbers in cells are as large as those are.
LEGIBLE = 7

#: How far words keep from others at least, in points; else they are read as one.
GAP = 1

#: How far words may stick out of the picture, in points: nobody sees it.
SLACK = 0.5

#: Group id of words that lie on others on purpose: ``text.set_gid(ON_PURPOSE)``.
ON_PURPOSE = "on purpose"


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

    def __call__(self):
        return self.function(**arguments(self.slug, self.name)[self.number])


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
def tables(slug, kind="ARGUMENTS"):
    files = sorted((TESTS / slug).glob("test_figures*.py"))
    found = [runpy.run_path(str(file)).get(kind, {}) for file in files]
    return {name: lists for table in found for name, lists in table.items()}


def rows_of_what_is_shown():
    return [
        (slug, name, *row)
        for slug in with_part("figures")
        for name, row in tables(slug, "SHOWS").items()
    ]


def numbers(figure):
    """Heights and points of all lines, and what images hold."""
    points = [line.get_xydata() for ax in figure.axes for line in ax.lines]
    images = [np.asarray(i.get_array()) for ax in figure.axes for i in ax.images]
    return [*points, *(line[:, 1] for line in points), *images]


def read(ax):
    """Words inside a drawing, line by line from the top."""
    where = [ax.transData.transform(text.get_position()) for text in ax.texts]
    order = sorted(range(len(where)), key=lambda i: (-where[i][1].round(), where[i][0]))
    return [ax.texts[i].get_text() for i in order]


def holds(figure, wanted):
    """Whether a drawing holds numbers, or words in this order."""
    if isinstance(wanted, list):
        every = [iter(read(ax)) for ax in figure.axes]
        return any(all(word in words for word in wanted) for words in every)
    shape = np.shape(wanted)
    return any(
        one.shape == shape and np.allclose(one, wanted, rtol=1e-9, equal_nan=True)
        for one in numbers(figure)
    )


def arguments(slug, name):
    """What a drawing function is called with: one dict for each drawing."""
    return tables(slug).get(name, [{}])


def drawings():
    """Every drawing of the book."""
    return [
        Drawing(slug, name, number)
        for slug in with_part("figures")
        for name in drawing_functions(slug)
        for number in range(len(arguments(slug, name)))
    ]


class Picture(NamedTuple):
    """What was drawn in one theme."""

    size: tuple
    small: set
    foreign: set
    crowded: set
    on_a_phone: float
    in_cells: float


def picture(draw, name, *, lay_out=False, narrow=False):
    """Draw in a theme and look. That pages show it is seen where they are built.

    Words can collide only where they have been laid out, which takes as long again.
    """
    with themes.theme(name):
        figure = themes.drawn(draw, narrow=narrow)
        seen = {
            "size": tuple(figure.get_size_inches()),
            "small": small_words(figure),
            "foreign": foreign_colors(figure, name),
            "crowded": crowded_words(figure) if lay_out else set(),
            "on_a_phone": themes.smallest_letters(figure),  # ticks have words by now
            "in_cells": smallest_in_cells(figure),
        }
        plt.close(figure)
    return Picture(**seen)


def words(figure):
    return [text for text in figure.findobj(Text) if text.get_text().strip()]


def small_words(figure):
    """Words in letters too small to read."""
    apart = [text for text in words(figure) if text.get_in_layout()]  # not in a cell
    return {text.get_text() for text in apart if text.get_fontsize() < LEGIBLE}


def smallest_in_cells(figure):
    """Height of the smallest letters in cells, on a phone, in pixels."""
    cells = [text for text in words(figure) if not text.get_in_layout()]
    scale = 4 / 3 * themes.PHONE / max(figure.get_figwidth() * 96, themes.PHONE)
    return min((text.get_fontsize() * scale for text in cells), default=np.inf)


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


class Line(NamedTuple):
    """A line of words where it is drawn, in points from the lower left."""

    words: str
    text: int  # lines of one text have the same
    corners: np.ndarray  # (4, 2), of the box that is turned with the words
    cut: bool


class Lines(RendererBase):
    """Draws nothing, but notes each line of words; hidden ones never come here."""

    def __init__(self, width, height):
        super().__init__()
        self.picture = Bbox.from_extents(0, 0, width, height)
        self.lines, self.texts, self.on_purpose = [], 0, False

    def flipy(self):
        return False

    def open_group(self, s, gid=None):
        if s == "text":
            self.texts, self.on_purpose = self.texts + 1, gid == ON_PURPOSE

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        width, height, below = self.get_text_width_height_descent(s, prop, ismath)
        flat = Bbox.from_bounds(0, -below, width, height).corners()[[0, 1, 3, 2]]
        cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
        corners = np.array([x, y]) + flat @ [[cos, sin], [-sin, cos]]
        ends = Bbox([corners.min(axis=0), corners.max(axis=0)])
        shown = Bbox.intersection(ends, gc.get_clip_rectangle() or ends)
        if s.strip() and shown and not self.on_purpose:
            inside = Bbox.intersection(shown, self.picture)
            cut = inside is None or (ends.size - inside.size > SLACK).any()
            self.lines.append(Line(s, self.texts, corners, cut))

    def nothing(self, *_, **__):
        """No words: not drawn."""

    draw_path = draw_markers = draw_path_collection = draw_quad_mesh = nothing
    draw_image = draw_gouraud_triangles = nothing


def crowded_words(figure):
    """Words that lie on others or touch them, and words that are cut at an edge.

    The figure is laid out as the book saves it: as it is, without a tight box. It has
    another canvas and resolution afterwards.
    """
    FigureCanvasSVG(figure)  # becomes its canvas
    figure.set_dpi(72)
    renderer = Lines(*figure.bbox.size)
    figure.draw(renderer)
    lines = renderer.lines
    low, high = (
        np.reshape([end(one.corners, axis=0) for one in lines], (-1, 2))
        for end in (np.min, np.max)
    )
    near = (low[:, None] < high + GAP).all(axis=2)
    return {one.words + ": cut" for one in lines if one.cut} | {
        f"{lines[a].words}: on {lines[b].words}"
        for a, b in np.argwhere(near & near.T)
        if a < b and lines[a].text != lines[b].text
        if distance(lines[a].corners, lines[b].corners) < GAP
    }


def distance(first, second):
    """How far two boxes lie apart, along that of their sides that tells it best.

    If they overlap it is negative: so far must one be moved.
    """
    gaps = []
    for box in (first, second):
        for side in np.diff(box[:3], axis=0):
            along = side / np.hypot(*side)
            a, b = first @ along, second @ along
            gaps += [b.min() - a.max(), a.min() - b.max()]
    return max(gaps)
