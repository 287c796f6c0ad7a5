"""Fixtures of the tests of the built site: its pages, what they weigh."""

import os
from dataclasses import dataclass
from pathlib import Path

import browsing
import build_book
import page_rules
import pytest


def page_names():
    """Pages of the built site by their path in it, without those two at its top."""
    pages = [*build_book.SITE.glob("*.html"), *build_book.SITE.glob("book/**/*.html")]
    names = {path.relative_to(build_book.SITE).as_posix() for path in pages}
    return sorted(names - {"index.html", "404.html"})


def pytest_generate_tests(metafunc):
    if "page_name" in metafunc.fixturenames:
        # Without a site there is one test, which says so.
        metafunc.parametrize("page_name", page_names() or ["(no site)"])


@dataclass(frozen=True)
class Site:
    """The built site: its folder, and its address over http and from the disk."""

    folder: Path
    http: str
    file: str


@pytest.fixture(scope="session")
def site():
    # `make test SLUG=…` builds and looks at one page.
    if not build_book.is_current(os.getenv("SLUG") or None):
        pytest.fail(
            f"{build_book.SITE} is missing, or was built from other sources than are "
            "here now: run `python scripts/build_book.py`",
            pytrace=False,
        )
    with browsing.served(build_book.SITE) as address:
        yield Site(build_book.SITE, address, build_book.SITE.as_uri() + "/")


@pytest.fixture(scope="session")
def anchors(site):
    """What a fragment can lead to, of every page of the site, by its path."""
    return {
        name: page_rules.anchors((site.folder / name).read_text("utf-8"))
        for name in page_names()
    }
