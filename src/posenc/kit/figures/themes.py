"""Versions of a figure for light, dark and narrow pages, so that each is legible.

A figure drawn once has to be pale enough for one background and dark enough for the
other. `Themed` draws it twice, with the same data and `palette.THEMES`, and lets the
page show the version that fits. Both are in one element: it shows the light picture,
and on a dark page its style puts the dark one in its place. So no style sheet of a host
can show both, and a host that drops styles shows the light one, as paper does.

If letters would be too small on a phone, each theme has a narrow version as well. It is
drawn by the same function: its figure has the width `NARROW`, and no letters outside
cells are smaller than `SMALLEST`. `choose` and `panels` are for other differences.
"""

import base64
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from PIL import Image

from posenc.core.platform import IN_BROWSER

from .palette import DARK_SELECTORS, THEMES

T = TypeVar("T")

#: Width of the narrow version of a figure, in inches.
NARROW = 4.1
#: Smallest letters of a narrow version, in points.
SMALLEST = 10
#: Least room above and below what a narrow version shows, in inches.
_EDGE = 0.06
#: Column of the book on a phone, in pixels, and its smallest legible letters.
PHONE, LEGIBLE = 296, 10
#: Pages that show the narrow version.
NARROW_PAGE = "screen and (max-width:540px)"

_DARK = ",".join(f"{selector} .pe-figure" for selector in DARK_SELECTORS)
_STYLE = (
    ".pe-figure{max-width:100%;height:auto}"
    f"@media screen{{{_DARK}{{content:var(--pe-dark)}}}}"
    f"@media {NARROW_PAGE}{{.pe-figure{{content:var(--pe-narrow)}}"
    f"{_DARK}{{content:var(--pe-narrow-dark,var(--pe-dark))}}}}"
)


def color(role: str) -> str:
    """Return a role's color (``"query"``, ``"muted"``, …) in the theme being drawn."""
    return THEMES[_current][role]


def choose(wide: T, narrow: T) -> T:
    """Return what belongs to the version being drawn: a size, words or a place."""
    return narrow if _is_narrow else wide


def panels(
    rows: int,
    columns: int,
    *,
    figsize: tuple[float, float],
    narrow_height: float,
    ratios: Sequence[float] | None = None,
    **options: Any,
) -> tuple[Figure, Sequence[Axes]]:
    """Return panels side by side, or one below the other in the narrow version.

    Parameters
    ----------
    rows, columns : int
        Of the wide version; the narrow one is a single column.
    figsize : pair of float
        Size of the wide version, in inches.
    narrow_height : float
        Height of the narrow version, in inches.
    ratios : sequence of float, optional
        Widths of the columns to each other; in a column, their heights.
    **options
        Of ``plt.subplots``.

    Returns
    -------
    figure : Figure
    axes : sequence of Axes
        Row by row.
    """
    shape = choose((rows, columns), (rows * columns, 1))
    size = choose(figsize, (NARROW, narrow_height))
    options[choose("width_ratios", "height_ratios")] = ratios
    figure, axes = plt.subplots(*shape, figsize=size, squeeze=False, **options)
    return figure, list(axes.flat)


def drawn(draw: Callable[[], Any], *, narrow: bool = False) -> Figure:
    """Draw a figure in the current theme: its wide or its narrow version."""
    global _is_narrow
    before, _is_narrow = _is_narrow, narrow
    hooks = [f"{__name__}:{_make_narrow.__name__}"] if narrow else []
    try:
        with mpl.rc_context({"figure.hooks": hooks}):
            made = draw()
    finally:
        _is_narrow = before
    figure: Figure = made if isinstance(made, Figure) else made.figure
    if narrow:
        _enlarge_letters(figure)
    return figure


def occupied(figure: Figure) -> Bbox:
    """Lay out a narrow figure; find the part without empty strips above and below.

    A drawing with a fixed aspect is less high when it is less wide. The part is in
    inches and as wide as the figure.
    """
    _lay_out(figure)
    width, height = figure.get_size_inches()
    box = figure.get_tightbbox()
    low, high = max(box.y0 - _EDGE, 0), min(box.y1 + _EDGE, height)
    return Bbox.from_extents(0, low, width, high)


def smallest_letters(figure: Figure) -> float:
    """Return a figure's smallest letters outside cells: height on a phone in pixels."""
    sizes = [float(text.get_fontsize()) for text in _words(figure)]
    width = max(figure.get_figwidth() * 96, PHONE)
    return min(sizes, default=np.inf) * 4 / 3 * PHONE / width


def _words(figure: Figure) -> list[Text]:
    """Return words outside cells: letters in a cell are as large as that is."""
    texts = figure.findobj(Text)
    return [t for t in texts if t.get_text().strip() and t.get_in_layout()]


def _make_narrow(figure: Figure) -> None:
    """Give a new figure the width of the narrow version; matplotlib calls it."""
    if figure.get_figwidth() > NARROW:
        figure.set_figwidth(NARROW)


def _enlarge_letters(figure: Figure) -> None:
    for text in figure.findobj(Text):
        if text.get_in_layout() and float(text.get_fontsize()) < SMALLEST:
            text.set_fontsize(SMALLEST)
    for ax in figure.axes:
        # More ticks come when it is laid out.
        for axis in (getattr(ax, f"{name}axis", None) for name in "xyz"):
            if axis is None:
                continue
            size = axis.get_tick_params().get("labelsize", SMALLEST)
            if FontProperties(size=size).get_size_in_points() < SMALLEST:
                axis.set_tick_params(labelsize=SMALLEST)


@contextmanager
def theme(name: str) -> Iterator[None]:
    """Draw in the book's matplotlib style, in the theme ``"light"`` or ``"dark"``."""
    global _current
    before, _current = _current, name
    colors = THEMES[name]
    style: Any = {
        "font.size": 11,
        "axes.titlesize": 12,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": colors["line"],
        "axes.labelcolor": colors["text"],
        "axes.facecolor": "none",
        "axes.prop_cycle": cycler(
            color=[colors[c] for c in ("query", "key", "value", "position")],
        ),
        "text.color": colors["text"],
        "xtick.color": colors["muted"],
        "ytick.color": colors["muted"],
        "grid.color": colors["line"],
        "grid.alpha": 0.4,
        "figure.facecolor": colors["surface"],
        "figure.constrained_layout.use": True,
        "legend.frameon": False,
        "image.cmap": "viridis",
        "svg.hashsalt": "posenc",  # the same picture gives the same bytes
        "savefig.facecolor": colors["surface"],
    }
    try:
        with mpl.rc_context(style):
            yield
    finally:
        _current = before


_current = "light"
_is_narrow = False


class Themed:
    """A figure for notebooks and pages, in a light and a dark version.

    Parameters
    ----------
    draw : callable without arguments
        Draws the figure and returns its Axes or Figure. It is called once per theme and
        takes its colors from `color` or matplotlib's current style.
    alt : str
        What the picture shows, for readers who cannot see it.
    """

    def __init__(self, draw: Callable[[], Any], *, alt: str) -> None:
        if not alt.strip():
            msg = "alt must say what the picture shows, got an empty text"
            raise ValueError(msg)
        self.draw, self.alt = draw, alt

    def svg(self, theme_name: str, *, narrow: bool = False) -> str:
        """Return a picture as SVG text; its letters are paths, so it needs no font."""
        return _finished(self._render(theme_name, "svg", narrow=narrow).files[0])

    def html(self) -> str:
        """Return one image, which shows the picture that fits the page."""
        return self._bundle()["text/html"]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        # In the browser nothing is printed, and drawing takes seconds.
        return self._bundle() if IN_BROWSER else self._bundle("png")

    def _bundle(self, *kinds: str) -> dict[str, str]:
        light = self._render("light", "svg", *kinds)
        dark = self._render("dark", "svg", layout=light.layout)
        others = {"dark": dark}
        if light.smallest < LEGIBLE and not IN_BROWSER:
            narrow = self._render("light", "svg", narrow=True)
            others["narrow"] = narrow
            others["narrow-dark"] = self._render(
                "dark", "svg", layout=narrow.layout, narrow=True
            )
        style = ";".join(
            f"--pe-{name}:url(&quot;{_address(picture.files[0])}&quot;)"
            for name, picture in others.items()
        )
        html = (
            f"<style>{_STYLE}</style>"
            f'<img class="pe-figure dark-light" alt="{escape(self.alt)}" '
            f'src="{_address(light.files[0])}" style="{style}">'
        )
        pictures = {
            f"image/{kind}": base64.b64encode(other).decode()
            for kind, other in zip(kinds, light.files[1:], strict=True)
        }
        return {"text/html": html, "text/plain": self.alt, **pictures}

    def _render(
        self,
        theme_name: str,
        *kinds: str,
        layout: "_Layout | None" = None,
        narrow: bool = False,
    ) -> "Rendered":
        """Draw once, and save the picture in each kind of file."""
        with theme(theme_name):
            figure = drawn(self.draw, narrow=narrow)
            part = None  # of the figure: all of it
            if layout is not None and layout.give(figure):
                part = layout.part
            elif narrow:
                part = occupied(figure)
            else:
                _lay_out(figure)
            files = []
            for kind in kinds:
                buffer = io.BytesIO()
                metadata = {"Date": None} if kind == "svg" else None
                more: dict[str, Any] = {"bbox_inches": part, "metadata": metadata}
                _forget_engine(figure)
                figure.savefig(buffer, format=kind, dpi=200, **more)
                files.append(buffer.getvalue())
            rendered = Rendered(files, _Layout(figure, part), smallest_letters(figure))
            plt.close(figure)
        return rendered


class Rendered(NamedTuple):
    """A picture in each kind of file; where its parts lie; its smallest letters."""

    files: list[bytes]
    layout: "_Layout"
    smallest: float


class _Layout:
    """Positions of a figure's parts: another theme has other colors, not places."""

    def __init__(self, figure: Figure, part: Bbox | None = None) -> None:
        self.part = part
        self.axes = [ax.get_position(original=True) for ax in figure.axes]
        self.texts = [text.get_position() for text in figure.texts]

    def give(self, figure: Figure) -> bool:
        """Lay out another figure alike, and return whether it has the same parts."""
        other = _Layout(figure)
        same = len(other.axes) == len(self.axes) and len(other.texts) == len(self.texts)
        if not same or figure.subfigs or figure.legends:
            return False
        figure.set_layout_engine("none")
        for ax, place in zip(figure.axes, self.axes, strict=True):
            ax.set_position(place)
        for text, at in zip(figure.texts, self.texts, strict=True):
            text.set_position(at)
        return True


def _lay_out(figure: Figure) -> None:
    """Place the parts of a figure before it is saved."""
    FigureCanvasSVG(figure)  # becomes its canvas: letters are measured as it draws them
    figure.set_dpi(72)
    if (engine := figure.get_layout_engine()) and figure.axes:
        engine.execute(figure)
    figure.set_layout_engine("none")


def _forget_engine(figure: Figure) -> None:
    """Leave no layout engine, not even "none": with one, `savefig` draws twice."""
    # Without a name, matplotlib takes the engine of its settings.
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)


def _finished(svg: bytes) -> str:
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"(?<=data:image/png;base64,)[^\"]+", _smaller_png, text)
    return _shorter(text)


def _address(svg: bytes) -> str:
    return f"data:image/svg+xml,{quote(_finished(svg), safe=_UNQUOTED)}"


_UNQUOTED = " /:=,;()@&?!*'~$+"


def _shorter(svg: str) -> str:
    """Return the picture in fewer bytes: no remarks, unused names, long fractions."""
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(?<=>)\s+(?=<)", "", svg)
    svg = re.sub(r'(?<=<g) id="[^"]*"', "", svg)
    svg = re.sub(r'(?<= d=")[^"]+', _shorter_path, svg)
    svg = re.sub(r'translate\([^)]+\)|(?<= [xy]=")[^"]+', _rounded, svg)
    return svg.replace('"', "'")  # a double quote takes three characters in an address


def _shorter_path(match: re.Match[str]) -> str:
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", _rounded(match)).strip()


def _rounded(match: re.Match[str]) -> str:
    """Round numbers to a hundredth of a point, which no screen can show."""
    return re.sub(
        r"\d+\.\d{3,}",
        lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."),
        match[0],
    )


def _smaller_png(match: re.Match[str]) -> str:
    """Store the same pixels with a list of colors, if 256 are enough."""
    image = Image.open(io.BytesIO(base64.b64decode(match[0])))
    pixels = np.asarray(image.convert("RGBA")).astype(np.uint32)
    if (pixels[..., 3] < 255).any():
        return match[0]
    red, green, blue = (pixels[..., i] for i in range(3))
    colors, index = np.unique(red << 16 | green << 8 | blue, return_inverse=True)
    if len(colors) > 256:
        return match[0]
    small = Image.fromarray(index.reshape(red.shape).astype(np.uint8))
    colors = np.stack([colors >> 16, colors >> 8, colors], axis=1).astype(np.uint8)
    small.putpalette(colors.tobytes())
    buffer = io.BytesIO()
    small.save(buffer, format="png", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode()
