"""Papers are complete and linked; links have the right form (nothing is fetched)."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import page_parser
import pytest
from pybtex.database import parse_file

ROOT = Path(__file__).parents[2]
ENTRIES = parse_file(ROOT / "book" / "references.bib").entries
#: The documents that the book follows have no public address.
PAPERS = [key for key in ENTRIES if not key.startswith("source")]
PAGES = sorted((ROOT / "book").glob("*.md"))


def well_formed(url):
    parts = urlsplit(url)
    return (
        parts.scheme == "https"
        and re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc)
        and re.fullmatch(r"[\w./~%+#?=&:-]*[\w/]", url)
    )


def cited():
    """Keys that the pages cite."""
    kinds = ("cite", "cite:t", "cite:p", "cite:author", "cite:year")
    groups = [
        group
        for page in PAGES
        for group in page_parser.roles(page.read_text("utf-8"), *kinds)
    ]
    return {key.strip() for group in groups for key in group.split(",")}


@pytest.mark.parametrize("key", PAPERS)
def test_a_paper_has_what_a_reader_needs_to_find_it(key):
    entry = ENTRIES[key]
    assert entry.persons["author"]
    assert {"title", "year", "url"} <= set(entry.fields)
    assert {"booktitle", "journal", "institution", "note"} & set(entry.fields)
    fields = entry.fields
    assert well_formed(fields["url"])
    # The key's year is that of the preprint or that of the proceedings.
    url, dated = fields["url"], fields["year"].rstrip("ab")
    years = {dated}
    if "arxiv" in url:
        found = re.fullmatch(r"https://arxiv\.org/abs/(\d\d)(\d\d)\.(\d{4,5})", url)
        year, month, number = found.groups()
        assert 1 <= int(month) <= 12
        assert len(number) == (4 if int(year) < 15 else 5)
        assert int(f"20{year}") <= int(dated)
        years.add(f"20{year}")
    named = re.search(r"\d{4}", key)
    assert named is None or named[0] in years


def test_every_paper_is_there_once_and_cited():
    urls = [ENTRIES[key].fields["url"] for key in PAPERS]
    assert len(set(urls)) == len(urls)
    assert cited() == set(ENTRIES)


def test_links_of_the_pages_are_well_formed():
    links = [
        link for page in PAGES for link in page_parser.links(page.read_text("utf-8"))
    ]
    outside = [link for link in links if "://" in link]
    assert [link for link in outside if not well_formed(link)] == []
