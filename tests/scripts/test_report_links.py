"""Each section of the site leads to the form for errors, with its place filled in."""

from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
import report_links
import yaml
from docutils import nodes
from publish_check import ROOT

URL = "https://github.com/an/atlas"


def section(title, *inside):
    return nodes.section("", nodes.title("", "", nodes.Text(title)), *inside)


def page(url=URL, name="book/rope"):
    """Return a page of two sections, one of which has another in it."""
    doctree = nodes.document(None, None)
    doctree += section("Title", section("A & b", section("Inner")), section("C"))
    config = SimpleNamespace(book_repository={"url": url, "branch": "main"})
    app = SimpleNamespace(config=config, env=SimpleNamespace(docname=name))
    report_links.add_links(app, doctree)
    return doctree


def links(doctree):
    return [link["refuri"] for link in doctree.findall(nodes.reference)]


def test_each_section_ends_with_a_link_to_the_form_with_the_place_filled_in():
    doctree = page()
    sections = doctree.children[0].children[1:]
    assert [len(links(part)) for part in sections] == [1, 1]
    assert all(part.children[-1]["expr"] == "html" for part in sections)
    address = urlsplit(links(doctree)[0])
    assert address.netloc + address.path == "github.com/an/atlas/issues/new"
    asked = {key: value for key, (value,) in parse_qs(address.query).items()}
    form = ROOT / ".github/ISSUE_TEMPLATE" / asked.pop("template")
    fields = {field.get("id") for field in yaml.safe_load(form.read_text())["body"]}
    assert asked == {"where": "rope, section A & b"}
    assert fields >= set(asked)


@pytest.mark.parametrize(("url", "name"), [("", "book/rope"), (URL, "genindex")])
def test_without_a_repository_or_a_page_of_the_book_there_is_none(url, name):
    assert links(page(url, name)) == []
