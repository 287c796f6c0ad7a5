"""The API reference: every public module stands on one of its pages, once."""

import pkgutil
import re
from pathlib import Path

import posenc

BOOK = Path(__file__).parents[1] / "book"
#: Drawings for the pages, programs that are run by name, and checks of one chapter.
OUTSIDE = re.compile(
    r"posenc\.(figures|exercises\.\w|conventions\.\w|lab\.runs|nn$|widgets$|lab$)"
    r"|.*\.__main__"
)


def test_every_public_module_is_in_the_reference_once():
    modules = {
        module.name
        for module in pkgutil.walk_packages(posenc.__path__, "posenc.")
        if not re.search(r"\._(?!_)", module.name)
    }
    wanted = {name for name in modules if not OUTSIDE.match(name)}
    shown = [
        name
        for page in sorted(BOOK.glob("api*.md"))
        for name in re.findall(r"automodule:: (\S+)", page.read_text("utf-8"))
    ]
    assert sorted(shown) == sorted(wanted)
