"""Fixtures of the tests that drive a browser: the browser, the site, its pages."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import browsing
import build_book
import pytest
import widget_page
from bs4 import BeautifulSoup

#: Measurements of the pages that this process of the tests has opened.
REPORT = build_book.BUILD / "report" / os.getenv("PYTEST_XDIST_WORKER", "site")


def page_names():
    """Pages of the built site by their path in it; the root only redirects."""
    pages = [*build_book.SITE.glob("*.html"), *build_book.SITE.glob("book/**/*.html")]
    names = {path.relative_to(build_book.SITE).as_posix() for path in pages}
    return sorted(names - {"index.html"})


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
    if not build_book.is_current():
        pytest.fail(
            f"{build_book.SITE} is missing, or was built from other sources than are "
            "here now: run `python scripts/build_book.py`",
            pytrace=False,
        )
    with browsing.served(build_book.SITE) as address:
        yield Site(build_book.SITE, address, build_book.SITE.as_uri() + "/")


@pytest.fixture(scope="session")
def soups(site):
    """Every page of the site, parsed, by its path."""
    return {
        name: BeautifulSoup((site.folder / name).read_text("utf-8"), "html.parser")
        for name in page_names()
    }


@pytest.fixture(scope="session")
def browser():
    with browsing.launched() as browser:
        yield browser


@pytest.fixture
def open_page(browser):
    """`browsing.open_page` without its first argument; closes the pages at the end."""
    pages = []

    def open_page(url, **options):
        pages.append(browsing.open_page(browser, url, **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.context.close()


@pytest.fixture(scope="module")
def address(request, tmp_path_factory):
    """Of a page with the widgets that the test module names, see `widget_page`."""
    path = tmp_path_factory.mktemp("widget") / "page.html"
    widgets = "".join(make().static_html() for make in request.module.WIDGETS)
    path.write_text(widget_page.PAGE.format(widgets=widgets), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(open_page, address):
    """That page, open; in the end it must have made no error and no other request."""
    page = open_page(address)
    yield page
    assert page.record.errors == []
    foreign = [url for url in page.record.requests if not url.startswith("data:")]
    assert foreign == [address]


@pytest.fixture(scope="session")
def report():
    """Dict of measurements by page, written to `REPORT` when the session ends."""
    measured = {}
    yield measured
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.with_suffix(".json").write_text(
        json.dumps(measured, indent=1, sort_keys=True) + "\n"
    )
