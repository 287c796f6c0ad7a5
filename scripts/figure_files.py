"""Figures of a page as files of their own: a browser loads those that it shows.

A cell's output holds every version of a figure in itself, so that a notebook is whole.
On a page of the site the versions are files instead, named by their content. The page
stays light, and its figures come when they are scrolled to.
"""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from posenc.kit.figures.themes import NARROW_PAGE

#: Folder of the files, below the top of the site.
FOLDER = "_static/figures"

_IMAGE = re.compile(r'<img class="pe-figure [^>]*>')
_INLINE = re.compile(r'data:image/svg\+xml,((?:(?!&quot;)[^"])*)')
_NARROW = re.compile(r"--pe-narrow:url\(&quot;((?:(?!&quot;).)*)&quot;\);?")
_NAME = re.compile(rf"{FOLDER}/(\w+\.svg)")
_SIZE = re.compile(r"<svg[^>]*?\bwidth='([\d.]+)pt' height='([\d.]+)pt'")


class File(NamedTuple):
    """A picture that a page shows: its address, and its size in pixels."""

    address: str
    size: str


def move(html: str, site: Path, top: str) -> str:
    """Write the figures of a page to files; return the page that shows those.

    Parameters
    ----------
    html : str
        The page, or a part of it.
    site : Path
        Folder of the site.
    top : str
        Address of that folder as the page sees it, such as ``"../"``.
    """

    def written(content: str) -> File:
        svg = unquote(content)
        name = f"{hashlib.sha256(svg.encode()).hexdigest()[:20]}.svg"
        path = site / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, encoding="utf-8")
        (points,) = _SIZE.findall(svg)
        width, height = (round(float(length) * 4 / 3) for length in points)
        return File(f"{top}{FOLDER}/{name}", f'width="{width}" height="{height}"')

    def show(image: re.Match[str]) -> str:
        files = {content: written(content) for content in _INLINE.findall(image[0])}
        wide = next(iter(files.values()))
        short = _INLINE.sub(lambda match: files[match[1]].address, image[0])
        narrow = _NARROW.search(short)
        short = _NARROW.sub("", short)
        short = short.replace("<img ", f'<img loading="lazy" {wide.size} ', 1)
        if narrow is None:
            return short
        sizes = {file.address: file.size for file in files.values()}
        source = (
            f'<source media="{NARROW_PAGE}" srcset="{narrow[1]}" {sizes[narrow[1]]}>'
        )
        return f"<picture>{source}{short}</picture>"

    return _IMAGE.sub(show, html)


def remove_unused(site: Path) -> None:
    """Remove the files that no page of the site names: pages have newer ones."""
    pages = (path.read_text("utf-8") for path in site.rglob("*.html"))
    named = {name for page in pages for name in _NAME.findall(page)}
    for path in (site / FOLDER).glob("*.svg"):
        if path.name not in named:
            path.unlink()
