"""Who searches for a method finds its chapter first, and the sections about it."""

import re
from urllib.parse import quote, urlsplit

import browsing
import page_rules
import pytest

pytestmark = pytest.mark.browser

#: What people type, and the page that comes first.
FIRST = {
    "RoPE": "rope",
    "rotary": "rope",
    "YaRN": "rope",
    "T5": "t5",
    "bucket": "t5",
    "ALiBi": "alibi",
    "Shaw": "shaw",
    "Swin": "swin",
    "skew": "music_transformer",
    "segment memory": "transformer_xl",
    "NoPE": "cape",
    "wav2vec": "convolutional",
    "sinusoidal": "sinusoidal",
}
#: TeX that a reader would have to decipher.
RAW = re.compile(r"\\[A-Za-z]|\\[()\[\]]|[_^]\{|\$")


@pytest.fixture(scope="module")
def page(browser, site):
    context = browsing.new_context(browser, viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def found(page, site, text):
    """Pages in their order, each with its sections and their quotations."""
    page.goto(f"{site.http}search.html?q={quote(text)}")
    page.locator("#search-results[aria-busy=false]").wait_for()
    return page.evaluate("""() =>
      [...document.querySelectorAll("#search-results ul.search > li")].map((item) => ({
        address: item.querySelector("a").pathname,
        parts: [...item.querySelectorAll("li")].map((part) =>
          [part.querySelector("a").hash, part.querySelector("p")?.textContent ?? ""]),
      }))""")


def slugs(results):
    return [urlsplit(one["address"]).path.rpartition("/")[2][:-5] for one in results]


@pytest.mark.parametrize(("text", "slug"), FIRST.items())
def test_a_chapter_comes_first_for_its_own_name(page, site, text, slug):
    results = found(page, site, text)
    assert slugs(results)[0] == slug
    assert results[0]["parts"]


@pytest.mark.parametrize("text", ["RoPE", "theta", "θ", "bias", "relative position"])
def test_results_are_sections_and_their_words_can_be_read(page, site, text):
    results = found(page, site, text)
    assert len(results) > 2
    pages = slugs(results)
    reference = [at for at, slug in enumerate(pages) if slug.startswith("api")]
    assert reference == [*range(len(pages) - len(reference), len(pages))]
    parts = [part for one in results for part in one["parts"]]
    assert all(anchor for anchor, _ in parts)
    assert [words for _, words in parts if RAW.search(words)] == []
    for one in results[:3]:
        html = (site.folder / one["address"].lstrip("/")).read_text("utf-8")
        anchors = page_rules.anchors(html)
        assert [a for a, _ in one["parts"] if a.removeprefix("#") not in anchors] == []


def test_a_greek_letter_is_found_by_its_name(page, site):
    assert slugs(found(page, site, "θ")) == slugs(found(page, site, "theta"))


def test_what_is_nowhere_is_said(page, site):
    assert found(page, site, "nowheretobefound") == []
    assert "Nothing was found" in page.locator("#search-results").inner_text()


def test_only_the_page_that_searches_loads_the_index(site):
    """The theme would load it on every page: 70 kB that none of them uses."""
    loading = {
        path.relative_to(site.folder).as_posix()
        for path in site.folder.rglob("*.html")
        if re.search(r'<script[^>]*src="[^"]*searchindex\.js', path.read_text("utf-8"))
    }
    assert loading == {"search.html"}
