"""The registry: the order of the chapters, and the metadata of each.

The order is that of ``_toc.yml``. All other metadata of a page stands in
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


def packages() -> tuple[str, ...]:
    """Return slugs of pages with a folder of their own, in the order of the book."""
    return tuple(slug for slug in pages() if (PACKAGE / slug / "chapter.toml").exists())


@cache
def with_part(part: str) -> tuple[str, ...]:
    """Return slugs of pages whose folder has `part`: ``"widgets"``, ``"nn"``, …."""
    return tuple(
        slug
        for slug in pages()
        if (PACKAGE / slug / part).is_dir() or (PACKAGE / slug / f"{part}.py").is_file()
    )


@cache
def metadata(slug: str) -> dict[str, Any]:
    """Return the content of ``chapter.toml`` of a page; empty if it has none."""
    path = PACKAGE / slug / "chapter.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def with_key(key: str) -> dict[str, Any]:
    """Return the value of `key` on each page that has it, by slug in the book's order.

    Examples
    --------
    >>> with_key("needs")["swin"]
    ['t5']
    """
    return {slug: metadata(slug)[key] for slug in packages() if key in metadata(slug)}


def insert_after(names: Iterable[str], after: Mapping[str, str]) -> list[str]:
    """Return `names` in their order, but each key of `after` right after its value.

    Examples
    --------
    >>> insert_after(["a", "b", "c"], {"a": "b"})
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


_OLD_NAMES = {
    "rooms": packages,
    "having": with_part,
    "facts": metadata,
    "stating": with_key,
    "behind": insert_after,
}


def __getattr__(name: str) -> Any:
    from .old_names import renamed  # imports this module

    return renamed(__name__, _OLD_NAMES, name)
