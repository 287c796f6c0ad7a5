"""Titles, descriptions and tags of pages: each says what one page is about."""

import json

import page_head
import pytest
from bs4 import BeautifulSoup
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from posenc import __version__
from posenc.core.chapters import chapters, metadata

PAGES = {
    "index.rst": "A & B\n=====\n\nFirst & word. More.\n\n.. toctree::\n\n book/rope\n",
    "book/rope.rst": "Rotary\n======\n\nText.\n",
}

SIZE = ("width", "height")


def build(folder, **options):
    """Pages of a small book, by name, as they are read by others."""
    for name, text in PAGES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    config = {
        "extensions": ["page_head"],
        "html_title": 'A "B"',
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


@pytest.mark.parametrize("home", ["", "https://a.org/b/"])
def test_heads_of_pages(tmp_path, home):
    pages = build(tmp_path, **({"html_baseurl": home} if home else {}))
    index, rope, search = pages.values()
    card = " ".join(metadata("rope")["card"]["text"].replace("`", "").split())
    assert rope.title.string.startswith(metadata("rope")["found"])
    assert content(rope, name="description") == card
    assert content(rope, property="og:description") == card
    assert content(rope, property="og:title") == metadata("rope")["found"]
    assert content(rope, property="og:site_name") == 'A "B"'
    assert content(index, name="description") == "First & word. More."
    assert content(index, property="og:title") == "A & B"
    assert index.title.string == 'A & B — A "B"'
    assert content(search, name="description") is None
    about = json.loads(search.select_one("script[data-about]")["data-about"])
    assert about["chapters"] == [f"book/{slug}" for slug in chapters()]
    assert about["titles"]["book/laboratory"] == metadata("laboratory")["found"]
    assert about["titles"].keys() >= set(about["chapters"])
    for page in pages.values():
        assert content(page, name="viewport") is not None
        assert page.select_one(".pe-version").get_text() == f"Version {__version__}"
    # Addresses and pictures, once the site has an address.
    address = f"{home}book/rope.html" if home else None
    assert content(rope, property="og:url") == address
    assert content(search, property="og:image") is None
    for page, name in ((rope, "rope"), (index, "index")):
        picture = f"{home}pictures/{name}.png" if home else None
        assert content(page, property="og:image") == picture
    if home:
        assert rope.find("link", rel="canonical")["href"] == address
        assert content(rope, property="og:image:alt") == metadata("rope")["card"]["alt"]
        assert content(rope, name="twitter:card") == "summary_large_image"
        size = [int(content(rope, property=f"og:image:{n}")) for n in SIZE]
        for name in ("rope", "index"):
            with Image.open(tmp_path / f"out/pictures/{name}.png") as picture:
                assert [*picture.size] == size


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("One. " + "word " * 50, "One."),
        ("a" * 159 + " b", "a" * 159 + " …"),
        ("Is it? " * 30, ("Is it? " * 22).strip()),
        ("Two: " + "word " * 50, "Two."),
    ],
)
def test_a_description_ends_where_a_sentence_does(text, short):
    assert page_head.shortened(text) == short


def test_titles_that_are_searched_for_are_different_and_short():
    titles = [metadata(slug)["found"] for slug in chapters()]
    assert len(set(titles)) == len(titles)
    assert [title for title in titles if len(title) > 80] == []
