"""What lies at the top of the site, for those who read no page of it."""

from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import build_book
import pytest
import site_files
from bs4 import BeautifulSoup

ADDRESS = "https://a.org/book of mine/".replace(" ", "-")
PAGES = ("index", "rope", "t5")


#: Pages of the first edition, below ``book/``; its notebooks had the same names.
FIRST_EDITION = (
    "alibi api api_nn api_tools attention bibliography cape compare contributing "
    "convolutional errata glossary index laboratory linear_attention "
    "music_transformer notation prerequisites rope rotation shaw sinusoidal swin t5 "
    "teaching transformer_xl"
)


@pytest.fixture
def site(tmp_path):
    (tmp_path / "book").mkdir()
    for name in PAGES:
        (tmp_path / f"book/{name}.html").write_text("")
    return tmp_path


@pytest.mark.parametrize(("address", "top"), [("", "/"), (ADDRESS, "/book-of-mine/")])
def test_files_at_the_top(site, address, top):
    site_files.write(site, "A & B", ADDRESS)
    site_files.write(site, "A & B", address)
    assert (site / ".nojekyll").read_bytes() == b""
    assert (site / "sitemap.xml").exists() == bool(address)
    robots = RobotFileParser()
    robots.parse((site / "robots.txt").read_text().splitlines())
    assert robots.can_fetch("any", f"{address}book/rope.html")
    assert robots.site_maps() == ([f"{address}sitemap.xml"] if address else None)
    page = BeautifulSoup((site / "404.html").read_text("utf-8"), "html.parser")
    assert page.title.string == "No such page: A & B"
    links = [link["href"] for link in page.find_all("a")]
    assert links == [f"{top}book/index.html", f"{top}search.html"]
    assert page.find("meta", {"name": "robots"})["content"] == "noindex"


def test_every_page_of_the_first_edition_is_still_there():
    book = build_book.ROOT / "book"
    names = FIRST_EDITION.split()
    assert [name for name in names if not (book / f"{name}.md").is_file()] == []


def test_the_sitemap_lists_every_page(site):
    site_files.write(site, "A & B", ADDRESS)
    kind = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    urls = ET.parse(site / "sitemap.xml").getroot().findall(f"{kind}url/{kind}loc")
    assert [url.text for url in urls] == [f"{ADDRESS}book/{n}.html" for n in PAGES]
