"""Light and dark versions of a figure, so that it is legible on every page.

A figure drawn once has to be pale enough for one background and dark enough for the
other. `Themed` draws it twice, with the same data and `palette.THEMES`, and lets the
page show the version that fits. Both are in one element: it shows the light picture,
and on a dark page its style puts the dark one in its place. So no style sheet of a host
can show both, and a host that drops styles shows the light one, as paper does.
"""

import base64
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any
from urllib.parse import quote

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.figure import Figure
from PIL import Image

from posenc.core.platform import IN_BROWSER

from .palette import DARK_SELECTORS, THEMES

_STYLE = (
    ".pe-figure{max-width:100%;height:auto}"
    + "@media screen{"
    + ",".join(f"{selector} .pe-figure" for selector in DARK_SELECTORS)
    + "{content:var(--pe-dark)}}"
)


def color(role: str) -> str:
    """Color of a role (``"query"``, ``"muted"``, …) in the theme being drawn."""
    return THEMES[_current][role]


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

    def svg(self, theme_name: str) -> str:
        """Picture as SVG text; its letters are paths, so it needs no font."""
        (text,), _ = self._render(theme_name, "svg")
        return _finished(text)

    def html(self) -> str:
        """Return one image, which shows the picture that fits the page's theme."""
        return self._bundle()["text/html"]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        # In the browser nothing is printed, and drawing takes seconds.
        return self._bundle() if IN_BROWSER else self._bundle("png")

    def _bundle(self, *kinds: str) -> dict[str, str]:
        (svg, *others), layout = self._render("light", "svg", *kinds)
        (dark_svg,), _ = self._render("dark", "svg", layout=layout)
        light, dark = (
            f"data:image/svg+xml,{quote(_finished(text), safe=_UNQUOTED)}"
            for text in (svg, dark_svg)
        )
        html = (
            f"<style>{_STYLE}</style>"
            f'<img class="pe-figure dark-light" alt="{escape(self.alt)}" src="{light}" '
            f'style="--pe-dark:url(&quot;{dark}&quot;)">'
        )
        pictures = {
            f"image/{kind}": base64.b64encode(other).decode()
            for kind, other in zip(kinds, others, strict=True)
        }
        return {"text/html": html, "text/plain": self.alt, **pictures}

    def _render(
        self, theme_name: str, *kinds: str, layout: "_Layout | None" = None
    ) -> tuple[list[bytes], "_Layout"]:
        """Draw the picture once; return each kind of file, and where its parts lie."""
        with theme(theme_name):
            drawn = self.draw()
            figure: Figure = drawn if isinstance(drawn, Figure) else drawn.figure
            if layout is None or not layout.give(figure):
                _draw_once(figure)
            files = []
            for kind in kinds:
                buffer = io.BytesIO()
                metadata = {"Date": None} if kind == "svg" else None
                figure.savefig(buffer, format=kind, dpi=200, metadata=metadata)
                figure.set_layout_engine("none")  # it has been laid out
                files.append(buffer.getvalue())
            layout = _Layout(figure)
            plt.close(figure)
        return files, layout


class _Layout:
    """Where the parts of a figure lie: another theme has other colors, not places."""

    def __init__(self, figure: Figure) -> None:
        self.axes = [ax.get_position(original=True) for ax in figure.axes]
        self.texts = [text.get_position() for text in figure.texts]

    def give(self, figure: Figure) -> bool:
        """Lay out another figure alike, and say whether it has the same parts."""
        found = _Layout(figure)
        same = len(found.axes) == len(self.axes) and len(found.texts) == len(self.texts)
        if not same or figure.subfigs or figure.legends:
            return False
        figure.set_layout_engine("none")
        for ax, place in zip(figure.axes, self.axes, strict=True):
            ax.set_position(place)
        for text, at in zip(figure.texts, self.texts, strict=True):
            text.set_position(at)
        return True


def _draw_once(figure: Any) -> None:
    """Let `savefig` begin with the layout alone: it draws all for it, and once more."""
    engine = figure.get_layout_engine()
    if engine is None or not figure.axes:
        return

    def lay_out(_: Any) -> None:
        del figure.draw
        engine.execute(figure)

    figure.draw = lay_out


def _finished(svg: bytes) -> str:
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"(?<=data:image/png;base64,)[^\"]+", _smaller_png, text)
    return _shorter(text)


_UNQUOTED = " /:=,;()@&?!*'~$+"


def _shorter(svg: str) -> str:
    """Return the picture in fewer bytes: no remarks, unused names, long fractions."""
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(?<=>)\s+(?=<)", "", svg)
    svg = re.sub(r'(?<=<g) id="[^"]*"', "", svg)
    svg = re.sub(r'(?<= d=")[^"]+', _shorter_path, svg)
    svg = re.sub(r'translate\([^)]+\)|(?<= [xy]=")[^"]+', _rounded, svg)
    return svg.replace('"', "'")  # a double quote takes three characters in an address


def _shorter_path(found: re.Match[str]) -> str:
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", _rounded(found)).strip()


def _rounded(found: re.Match[str]) -> str:
    """Numbers to a hundredth of a point, which no screen can show."""
    return re.sub(
        r"\d+\.\d{3,}",
        lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."),
        found[0],
    )


def _smaller_png(found: re.Match[str]) -> str:
    """Store the same pixels with a list of colors, if 256 are enough."""
    image = Image.open(io.BytesIO(base64.b64decode(found[0])))
    pixels = np.asarray(image.convert("RGBA")).astype(np.uint32)
    if (pixels[..., 3] < 255).any():
        return found[0]
    red, green, blue = (pixels[..., i] for i in range(3))
    colors, index = np.unique(red << 16 | green << 8 | blue, return_inverse=True)
    if len(colors) > 256:
        return found[0]
    small = Image.fromarray(index.reshape(red.shape).astype(np.uint8))
    colors = np.stack([colors >> 16, colors >> 8, colors], axis=1).astype(np.uint8)
    small.putpalette(colors.tobytes())
    buffer = io.BytesIO()
    small.save(buffer, format="png", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode()
