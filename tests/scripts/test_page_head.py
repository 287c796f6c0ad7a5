"""Titles, descriptions and tags of pages: each says what one page is about."""

import json

import link_pictures
import page_head
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from posenc import __version__
from posenc.core.chapters import chapters, facts

PAGES = {
    "index.rst": "A & B\n=====\n\nFirst words. More.\n\n.. toctree::\n\n   book/rope\n",
    "book/rope.rst": "Rotary\n======\n\nText.\n",
}


def build(folder, **options):
    """Pages of a small book, by name, as they are read by others."""
    for name, text in PAGES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    config = {
        "extensions": ["page_head"],
        "html_title": "A & B",
        "exclude_patterns": ["out", "doctrees"],
        "html_theme": "sphinx_book_theme",
        "templates_path": [str(page_head.TEMPLATES)],
        **options,
    }
    out = folder / "out"
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            folder, None, out, folder / "doctrees", "html", config, None, warning=None
        )
        app.build()
    return {
        name: BeautifulSoup(out.joinpath(name).read_text("utf-8"), "html.parser")
        for name in ("index.html", "book/rope.html", "search.html")
    }


def content(page, **attributes):
    found = page.find_all("meta", attributes)
    assert len(found) <= 1
    return found[0]["content"] if found else None


def test_each_page_says_what_it_is_about(tmp_path):
    pages = build(tmp_path)
    rope = pages["book/rope.html"]
    card = " ".join(facts("rope")["card"]["text"].replace("`", "").split())
    assert rope.title.string.startswith(facts("rope")["found"])
    assert content(rope, name="description") == card
    assert content(rope, property="og:description") == card
    assert content(rope, property="og:title") == facts("rope")["found"]
    assert content(rope, property="og:site_name") == "A & B"
    assert content(rope, property="og:url") is None
    assert content(pages["index.html"], name="description") == "First words. More."
    assert content(pages["index.html"], property="og:title") == "A & B"
    assert pages["index.html"].title.string == "A & B"
    assert content(pages["search.html"], name="description") is None


def test_with_an_address_pages_name_theirs_and_their_picture(tmp_path):
    pages = build(tmp_path, html_baseurl="https://a.org/b/")
    rope = pages["book/rope.html"]
    address = "https://a.org/b/book/rope.html"
    assert content(rope, property="og:url") == address
    assert rope.find("link", rel="canonical")["href"] == address
    assert content(rope, property="og:image") == "https://a.org/b/pictures/rope.png"
    assert content(rope, property="og:image:alt") == facts("rope")["card"]["alt"]
    assert content(rope, name="twitter:card") == "summary_large_image"
    index = pages["index.html"]
    assert content(index, property="og:image") == "https://a.org/b/pictures/index.png"
    assert content(pages["search.html"], property="og:image") is None
    sizes = [int(content(rope, property=f"og:image:{n}")) for n in ("width", "height")]
    for name in ("rope", "index"):
        with Image.open(tmp_path / f"out/pictures/{name}.png") as picture:
            assert [*picture.size] == sizes


def test_a_picture_belongs_to_its_chapter():
    pictures = {link_pictures.picture(slug, "T") for slug in ("alibi", "t5", "other")}
    assert len(pictures) == 3
    title = link_pictures.picture("alibi", "Another title")
    assert title != link_pictures.picture("alibi", "T")
    names = [link_pictures.name(slug) for slug in ("alibi", "glossary")]
    assert names == ["alibi.png", "index.png"]


def test_without_an_address_no_picture_is_named(tmp_path):
    for page in build(tmp_path).values():
        assert content(page, property="og:image") is None


def test_the_search_knows_the_words_that_people_type(tmp_path):
    (script,) = build(tmp_path)["search.html"].select("script[data-about]")
    about = json.loads(script["data-about"])
    assert about["chapters"] == [f"book/{slug}" for slug in chapters()]
    titles = about["titles"]
    assert titles["book/laboratory"] == facts("laboratory")["found"]
    assert titles.keys() >= set(about["chapters"])


def test_a_page_has_one_viewport_and_the_version(tmp_path):
    for page in build(tmp_path).values():
        assert content(page, name="viewport") is not None
        (foot,) = page.select(".pe-version")
        assert foot.get_text() == f"Version {__version__}"


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Two\n words.", "Two words."),
        ("One. " + "word " * 50, "One."),
        ("a" * 159 + " b", "a" * 159 + " …"),
        ("Two: " + "word " * 50, "Two."),
        ("Two `words`:", "Two words."),
        ("Is it? " * 30, ("Is it? " * 22).strip()),
    ],
)
def test_a_description_ends_where_a_sentence_does(text, short):
    assert page_head.shortened(text) == short


def test_a_paragraph_of_formulas_or_links_describes_nothing():
    formula = nodes.paragraph("", "", nodes.Text("so "), nodes.math("", "x"))
    links = nodes.paragraph("", "", nodes.reference("", "here", refuri="a.html"))
    work = nodes.paragraph("", "", nodes.Text("Shaw, P."))
    nodes.citation("", work)
    assert page_head.plain(work) == ""
    words = nodes.paragraph("", "", nodes.Text("Words."))
    assert [page_head.plain(part) for part in (formula, links, words)] == [
        "",
        "",
        "Words.",
    ]


def test_titles_that_are_searched_for_are_different_and_short():
    titles = [facts(slug)["found"] for slug in chapters()]
    assert len(set(titles)) == len(titles)
    assert [title for title in titles if len(title) > 80] == []


def test_tags_hold_any_text():
    html = page_head.tags('a "b"', "<c>", "d & e", None)
    page = BeautifulSoup(html, "html.parser")
    assert content(page, property="og:title") == 'a "b"'
    assert content(page, property="og:description") == "<c>"
