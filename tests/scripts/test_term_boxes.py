"""Words that lead to the glossary show the first sentence of what stands there."""

import subprocess
import sys

import build_book
import page_rules
import pytest
from bs4 import BeautifulSoup

STATIC = build_book.ROOT / "book/_static"
GLOSSARY = r"""
# Glossary

```{glossary}
key
  The vector that a token shows. More about it.

lag
delay
  In {doc}`page`, a *number* $i - j$: how far a token lies back. See {term}`key`.

unused
  No page leads here.
```
"""
PAGE = """
# Page

A {term}`key` and a {term}`lag <delay>`, and {term}`key` again: $i$.

[A link](https://example.org/)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Folder of a small book with a glossary, and what Sphinx complained of."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "book").mkdir()
    (folder / "book/glossary.md").write_text(GLOSSARY, "utf-8")
    (folder / "book/page.md").write_text(PAGE, "utf-8")
    index = "# Book\n\n```{toctree}\nbook/page\nbook/glossary\n```\n"
    (folder / "index.md").write_text(index, "utf-8")
    config = f"""
extensions = ["myst_parser", "sphinx.ext.mathjax", "term_boxes"]
myst_enable_extensions = ["dollarmath"]
html_static_path = [{str(STATIC)!r}]
html_css_files = ["palette.css", "book.css"]
html_js_files = ["book.js"]
mathjax_path = {(build_book.ROOT / "book/assets/mathjax/tex-chtml.js").as_uri()!r}
"""
    (folder / "conf.py").write_text(config, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "out"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", ":".join(sys.path))
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.stderr == ""
    return folder / "out/book"


def test_a_page_ends_with_a_box_for_each_of_its_terms(built):
    page = BeautifulSoup((built / "page.html").read_text("utf-8"), "html.parser")
    found = {box["id"]: box for box in page.select("[popover=hint]")}
    assert sorted(found) == ["about-term-delay", "about-term-key"]
    assert found["about-term-key"].get_text() == "The vector that a token shows."
    delay = found["about-term-delay"]
    words = r"In Page, a number \(i - j\): how far a token lies back."
    assert delay.get_text() == words
    assert delay.select_one(".math")
    assert not delay.select("a, p")
    glossary = (built / "glossary.html").read_text("utf-8")
    assert "popover" not in glossary


@pytest.fixture
def page(open_page, built):
    page = open_page((built / "page.html").as_uri())
    yield page
    assert page_rules.errors(page) == []


def term(page, words, which=0):
    return page.get_by_role("link", name=words, exact=True).nth(which)


def box(page, name):
    return page.locator(f"#about-term-{name}")


@pytest.mark.browser
def test_a_box_opens_on_hover_and_from_the_keyboard(page):
    client = page.context.new_cdp_session(page)
    tree = client.send("Accessibility.getFullAXTree")["nodes"]
    told = {
        node["name"]["value"]: node.get("description", {}).get("value")
        for node in tree
        if node.get("role", {}).get("value") == "link"
    }
    assert told["key"] == "The vector that a token shows."
    assert "a number" in told["lag"]
    assert not told["A link"]
    assert not page.locator(".pe-what:visible").count()
    term(page, "key", 1).hover()
    box(page, "key").wait_for()
    link, beside = term(page, "key", 1).bounding_box(), box(page, "key").bounding_box()
    assert 0 <= beside["y"] - link["y"] - link["height"] < 20
    assert abs(beside["x"] - link["x"]) < 2
    box(page, "key").hover()
    page.clock.install()
    page.clock.run_for(2000)
    assert box(page, "key").is_visible()
    page.mouse.move(0, 0)
    box(page, "key").wait_for(state="hidden")
    term(page, "lag").hover()
    box(page, "delay").wait_for()
    assert not box(page, "key").is_visible()
    page.mouse.move(0, 0)
    box(page, "delay").wait_for(state="hidden")
    while not term(page, "key").evaluate("link => link === document.activeElement"):
        page.keyboard.press("Tab")
    box(page, "key").wait_for()
    page.keyboard.press("Escape")
    box(page, "key").wait_for(state="hidden")
    assert term(page, "key").evaluate("link => link === document.activeElement")
    page.keyboard.press("Tab")
    box(page, "delay").wait_for()
    page.keyboard.press("Tab")
    box(page, "key").wait_for()
    assert not box(page, "delay").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#term-key")


@pytest.mark.browser
def test_a_finger_follows_the_link_or_opens_the_box(browser, built):
    context = browser.new_context(has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto((built / "page.html").as_uri())
    mark = page.get_by_role("button", name="What is “lag”?")
    mark.tap()
    box(page, "delay").wait_for()
    beside = box(page, "delay").bounding_box()
    assert beside["x"] >= 0
    assert beside["x"] + beside["width"] <= 360
    page.locator("h1").first.tap()
    box(page, "delay").wait_for(state="hidden")
    term(page, "lag").tap()
    page.wait_for_url("**/glossary.html#term-delay")
    context.close()
