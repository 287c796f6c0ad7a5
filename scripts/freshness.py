"""What the site and each of its pages is made of, and whether that has changed since.

A page is made of its text, of what its cells have read (`run_cells` keeps a list), of
what Sphinx has read for it, and of what all pages share. Sources are compared by
content.
"""

import hashlib
import json
import sys
import time
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

from fingerprint import fingerprint

#: What every page is made of.
SHARED = (
    "book/_static",
    "book/assets",
    "book/references.bib",
    "scripts/book_extension.py",
    "scripts/run_cells.py",
    "scripts/code_names.py",
    "scripts/fingerprint.py",
    "scripts/folds.py",
    "scripts/formulas",
    "scripts/freshness.py",
    "scripts/link_pictures.py",
    "scripts/link_row.py",
    "scripts/make_notebooks.py",
    "scripts/make_slides.py",
    "scripts/myst.py",
    "scripts/page_head.py",
    "scripts/plain_markdown.py",
    "scripts/latex_output.py",
    "scripts/pyodide_bundle.py",
    "scripts/kernel_reads.py",
    "scripts/reference_style.py",
    "scripts/registry_pages.py",
    "scripts/report_links.py",
    "scripts/shared_modules.py",
    "scripts/site_files.py",
    "scripts/solve_page.py",
    "scripts/static_formulas.py",
    "scripts/templates",
    "scripts/try_role.py",
    "requirements.txt",
    "_config.yml",
    "_toc.yml",
)

#: All that the site is made of.
SOURCES = (
    "book",
    "src",
    "notebooks",
    "scripts/slides",
    *(name for name in SHARED if not name.startswith("book/")),
)


#: Comes and goes beside every module.
CACHE = "__pycache__"


def digest(root: Path, name: str) -> str:
    """Fingerprint of a file, of the names in a folder ``a/``, or of all in ``a/**``."""
    path = root / name.removesuffix("**")
    if name.endswith("/**"):
        return fingerprint(root, [name.removesuffix("/**")])
    if name.endswith("/"):
        return hashlib.sha256("\n".join(listing(path)).encode()).hexdigest()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


def listing(folder: Path) -> list[str]:
    """Names in a folder, without what Python and editors leave there."""
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return sorted(n for n in names if n[0] not in ".#" and n[-1] != "~" and n != CACHE)


class Moment:
    """Now, to ask later what has changed since: in doubt, it has."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.time = time.time()
        tops = [root / "src", root / "book"]
        paths = [*tops, *(path for top in tops for path in top.rglob("*/"))]
        names = (f"{path.relative_to(root).as_posix()}/" for path in paths)
        self.listings = {name: digest(root, name) for name in names}

    def touched(self, name: str) -> bool:
        """Whether a file, all in ``a/**``, or the names in ``a/`` may have changed."""
        path = self.root / name.removesuffix("**")
        if name.endswith("/"):
            nothing = digest(self.root, "nowhere/")
            return self.listings.get(name, nothing) != digest(self.root, name)
        paths = [p for p in path.rglob("*") if CACHE not in p.parts]
        dates = (p.stat() for p in [path, *paths] if p.is_file())
        return any(max(d.st_mtime, d.st_ctime) >= self.time for d in dates)


class Record:
    """What the cells of a page have read, and the cells: kept beside their results."""

    def __init__(self, root: Path, folder: Path, page: str) -> None:
        self.root = root
        self.file = folder / "inputs" / f"{page}.json"

    def read(self) -> dict[str, Any]:
        """Content of the record; empty if there is none."""
        return read_json(self.file)

    def holds(self, cells: str) -> bool:
        """Whether these cells would read the same again, with the same Python."""
        found = self.read()
        return (
            found.get("cells") == cells
            and found["python"] == sys.version
            and all(digest(self.root, n) == was for n, was in found["inputs"].items())
        )

    def write(self, cells: str, names: Iterable[str], since: Moment) -> None:
        """Keep what has been read, unless some may have changed since the run began."""
        names = {*names, "requirements.txt"}
        self.file.unlink(missing_ok=True)
        if not any(since.touched(name) for name in names):
            inputs = {name: digest(self.root, name) for name in sorted(names)}
            found = {"cells": cells, "python": sys.version, "inputs": inputs}
            write_json(self.file, found)


class Stamp:
    """What has been built without an error, and from what."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.build = root / "_build"
        self.file = self.build / "stamp.json"
        #: Files that Sphinx has read for each page: `book_extension` writes them.
        self.dependencies = self.build / "dependencies.json"
        self._digest = cache(partial(digest, root))  # pages read much the same
        self._shared: str | None = None

    def read(self) -> dict[str, Any]:
        """Content of the stamp.

        ``site`` and ``pages`` are fingerprints of what was built well, ``lite`` says
        whether pages lead to Python in the browser, ``sound`` is false while all of
        the site is being built, and stays so if that fails.
        """
        return read_json(self.file) or {
            "site": None,
            "lite": False,
            "sound": False,
            "pages": {},
        }

    def site(self) -> str:
        """Fingerprint of all that the site is made of."""
        return fingerprint(self.root, SOURCES)

    def page(self, page: str) -> str:
        """Fingerprint of all that a page such as ``book/rope`` is made of."""
        if self._shared is None:
            self._shared = fingerprint(self.root, SHARED)
        parts = [self._shared, *(f"{n} {self._digest(n)}" for n in self.inputs(page))]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def inputs(self, page: str) -> list[str]:
        """Names of what a page is made of, besides what it shares with all others."""
        cells = Record(self.root, self.build / ".jupyter_cache", page).read()
        sphinx = read_json(self.dependencies).get(page, [])
        return sorted({f"{page}.md", *cells.get("inputs", ()), *sphinx})

    def touched(self, page: str, since: Moment) -> bool:
        """Whether something that a page is made of may have changed."""
        shared = (f"{n}/**" if (self.root / n).is_dir() else n for n in SHARED)
        names = (*self.inputs(page), *shared)
        return any(since.touched(name) for name in names)

    def is_current(self, page: str | None = None) -> bool:
        """Whether the site, or a page of it, was built from the present sources."""
        found = self.read()
        if page is None:
            return bool(found["site"] == self.site())
        return bool(found["pages"].get(page) == self.page(page))


def read_json(path: Path) -> dict[str, Any]:
    """Content of a file; empty if there is none."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a file whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    unfinished.replace(path)
