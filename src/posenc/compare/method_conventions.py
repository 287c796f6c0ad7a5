"""Conventions of every method, and the calls of well-known libraries that are ours.

They stand in the chapters' ``chapter.toml``. ``tests/compare/test_conventions.py``
derives the conventions from our code, ``test_peers*.py`` of each chapter runs each of
the calls against it.
"""

from dataclasses import dataclass
from typing import Any

from .methods import METHODS, ROWS


@dataclass(frozen=True)
class Peer:
    """A call of a well-known library that does the same.

    Attributes
    ----------
    path : str
        Full name of the function or class.
    ours : str
        Our call with the same result.
    differs : str
        Differences to mind, in Markdown.
    test : str
        Test in ``test_peers*.py`` of the chapter that runs the two against each other.
    """

    path: str
    ours: str
    differs: str
    test: str

    @property
    def package(self) -> str:
        """Name of the library, as one installs it."""
        return self.path.split(".")[0].replace("_", "-")

    @property
    def name(self) -> str:
        """Name without its modules; that of a method with its class."""
        parts = self.path.split(".")
        return ".".join(parts[-2:] if parts[-2][0].isupper() else parts[-1:])


@dataclass(frozen=True)
class Convention:
    """Conventions of a method: counts, pairs, scale and alignment, in Markdown."""

    method: str
    counts: str
    pairs: str
    base: str
    scale: str
    alignment: str
    peers: tuple[Peer, ...] = ()


def _convention(method: str, row: dict[str, Any]) -> Convention:
    peers = tuple(Peer(**peer) for peer in row.get("peers", ()))
    return Convention(**{**row, "method": method, "peers": peers})


CONVENTIONS = tuple(
    _convention(method.name, ROWS[method.name][1]["conventions"])
    for method in METHODS
    if "conventions" in ROWS[method.name][1]
)
