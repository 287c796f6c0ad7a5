"""The API reference: every public module stands on one of its pages, once."""

import importlib
import pkgutil
import re

import chapter_directives
import page_parser

import posenc
from posenc.core.chapters import packages, with_part

#: Rooms, what all code shares, programs that are run by name, doors to the rest, and
#: what nbgrader loads: the teacher's guide says how.
OUTSIDE = re.compile(
    r"posenc\.(core|kit|pages|grading|classroom|training|nn|__main__)$"
    r"|posenc\.(kit|conventions|grading|classroom)\."
    r"|posenc\.(core\.(?!data$|running_example$)|pages\.(cover|dependencies|points)$)"
    r"|posenc\.training\.(runs|__main__)$"
)


def expected():
    """Yield modules: of rooms those that export, of the others all but `OUTSIDE`."""
    for module in pkgutil.walk_packages(posenc.__path__, "posenc."):
        if module.name.split(".")[1] not in packages() and not OUTSIDE.match(
            module.name
        ):
            yield module.name
    for slug in packages():
        if getattr(importlib.import_module(f"posenc.{slug}"), "__all__", []):
            yield f"posenc.{slug}"
    for part in ("nn", "widgets"):
        yield from (f"posenc.{slug}.{part}" for slug in with_part(part))


def test_every_public_module_is_in_the_reference_once():
    shown = [
        line.removeprefix(".. automodule:: ")
        for page in sorted(page_parser.BOOK.glob("api*.md"))
        for line in chapter_directives.expanded(page.read_text("utf-8")).splitlines()
        if line.startswith(".. automodule:: ")
    ]
    assert sorted(shown) == sorted(expected())
