"""The registry: the order of the chapters, and the facts about each.

The order is that of ``_toc.yml``. Everything else about a page that is data stands in
``chapter.toml`` of its folder; `book/contributing.md` explains its keys. No other list
of chapters is typed anywhere.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
#: In a wheel the contents lie inside the package, in a checkout at its top.
_CONTENTS = (PACKAGE / "_data" / "_toc.yml", PACKAGE.parents[1] / "_toc.yml")
_FILE = re.compile(r"^\s*- file:\s*book/([\w-]+)\s*$", re.MULTILINE)


@cache
def pages() -> tuple[str, ...]:
    """Return slugs of all pages but the first, in the order of the book."""
    return tuple(_FILE.findall(_contents()))


@cache
def chapters() -> tuple[str, ...]:
    """Return slugs of the numbered chapters, in the order of the book."""
    parts = _contents().split("- caption:")
    numbered = (part for part in parts if re.search(r"^\s*numbered: true", part, re.M))
    return tuple(slug for part in numbered for slug in _FILE.findall(part))


def rooms() -> tuple[str, ...]:
    """Return slugs of pages with a folder of their own, in the order of the book."""
    return tuple(slug for slug in pages() if (PACKAGE / slug / "chapter.toml").exists())


@cache
def having(part: str) -> tuple[str, ...]:
    """Return slugs of pages whose folder has `part`: ``"widgets"``, ``"nn"``, …."""
    return tuple(
        slug
        for slug in pages()
        if (PACKAGE / slug / part).is_dir() or (PACKAGE / slug / f"{part}.py").is_file()
    )


@cache
def facts(slug: str) -> dict[str, Any]:
    """Return the content of ``chapter.toml`` of a page; empty if it has none."""
    path = PACKAGE / slug / "chapter.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def stating(key: str) -> dict[str, Any]:
    """Return what the pages that state `key` say, by slug in the order of the book.

    Examples
    --------
    >>> stating("needs")["swin"]
    ['t5']
    """
    return {slug: facts(slug)[key] for slug in rooms() if key in facts(slug)}


def behind(names: Iterable[str], after: Mapping[str, str]) -> list[str]:
    """Return `names` in their order, but each key of `after` right after its value.

    Examples
    --------
    >>> behind(["a", "b", "c"], {"a": "b"})
    ['b', 'a', 'c']
    """
    names = list(names)
    order = [name for name in names if name not in after]
    for name in names:
        if name in after:
            order.insert(order.index(after[name]) + 1, name)
    return order


def _contents() -> str:
    file = next(path for path in _CONTENTS if path.is_file())
    return file.read_text(encoding="utf-8")
