"""Pictures that other sites show beside a link to a page: PNG, made with the site.

Each chapter has its opening picture, every other page the book's cover. Sites ask for
whole addresses, so pages name theirs only once ``baseurl`` is set; the files are there
before that, too.
"""

import io
import textwrap
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from posenc.compare.figures import cover
from posenc.core.chapters import chapters, metadata
from posenc.kit.figures.palette import THEMES
from posenc.kit.figures.themes import theme

#: Width and height that sites advise.
SIZE = (1200, 630)
#: Room for the title above, and around all.
TOP, MARGIN = 120, 40
FOLDER = "pictures"


def name(slug: str) -> str:
    """Return the name of a page's picture in `FOLDER`."""
    return f"{slug if slug in chapters() else 'index'}.png"


def alt(slug: str) -> str:
    """Return the alt text of a page's picture."""
    if slug in chapters():
        return " ".join(metadata(slug)["card"]["alt"].split())
    return "A row of tokens with biases above it, rotations and sinusoids below it."


@cache
def picture(slug: str, title: str) -> bytes:
    """Return the picture of a chapter, or of the book, below a title.

    Parameters
    ----------
    slug : str
        Of the chapter; any other name gives the cover.
    title : str
        Stands above it, in two lines if it is long.
    """
    draw = cover
    if slug in chapters():
        draw = import_module(f"posenc.{slug}.figures").opening
    with theme("light"):
        drawn = _drawn(draw, (SIZE[0] - 2 * MARGIN, SIZE[1] - TOP - MARGIN))
        sheet = _sheet(title)
    sheet.paste(drawn, ((SIZE[0] - drawn.width) // 2, TOP))
    buffer = io.BytesIO()
    sheet.convert("P", palette=Image.Palette.ADAPTIVE).save(
        buffer, format="png", optimize=True
    )
    return buffer.getvalue()


def _drawn(draw: Callable[[], Any], room: tuple[int, int]) -> Image.Image:
    """Draw a figure as large as the room allows, in its own proportions."""
    figure = draw().figure
    dpi = min(np.array(room) / figure.get_size_inches())
    return _image(figure, float(dpi))


def _sheet(title: str) -> Image.Image:
    figure = plt.figure(figsize=(SIZE[0] / 100, SIZE[1] / 100))
    figure.set_layout_engine("none")
    y = 1 - TOP / 2 / SIZE[1]
    color = THEMES["light"]["text"]
    lines = "\n".join(textwrap.wrap(title, 48))
    figure.text(0.5, y, lines, size=26, ha="center", va="center", color=color)
    return _image(figure, 100)


def _image(figure: Any, dpi: float) -> Image.Image:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi)
    plt.close(figure)
    return Image.open(buffer).convert("RGB")


def write(site: Path, slug: str, title: str) -> None:
    """Write the picture of a page into the site."""
    folder = site / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name(slug)).write_bytes(picture(slug, title))
