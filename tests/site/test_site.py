"""Every page of the built site, in each way it is read, against all the rules.

`make test` opens each page once, wide and then narrow. `make test-full` opens it as all
readers do: on a phone in the dark, from the disk, without JavaScript; and axe looks at
it, on some pages at colors too, which take most of its time: `low_contrast` has those.
"""

import pytest
import rules
from bs4 import BeautifulSoup

pytestmark = pytest.mark.browser

WIDE, NARROW = 1280, 360
#: One page of each kind, on which axe looks at colors too.
COLORED = {f"book/{name}.html" for name in ("index", "rope", "compare", "teaching")}


def assert_none(problems):
    """Fail with every problem on a line of its own, after the rule it breaks."""
    lines = [
        f"{rule}: {problem}" for rule, found in problems.items() for problem in found
    ]
    assert not lines, "\n".join(["", *lines])


def test_opens(page_name, site, open_page, report):
    page = open_page(site.http + page_name, width=WIDE)
    report[page_name] = measurements(page, site)
    problems = {
        "foreign requests": rules.foreign_requests(page, site.http),
        "weight": rules.too_heavy(page, site.http, site.folder),
        "theme": rules.wrong_theme(page, dark=False),
        "formulas": rules.unset_formulas(page),
        "images": rules.bad_images(page),
        "icons": rules.undrawn_icons(page),
        "contrast": rules.low_contrast(page),
        "sideways scroll": rules.sideways_scroll(page),
    }
    page.set_viewport_size({"width": NARROW, "height": 800})
    problems["sideways scroll, narrow"] = rules.sideways_scroll(page)
    problems["errors"] = rules.errors(page)  # last: looking may have caused some
    assert_none(problems)


@pytest.mark.slow
def test_axe_finds_nothing(page_name, site, open_page):
    page = open_page(site.http + page_name, width=WIDE)
    colors = page_name in COLORED
    assert_none({"accessibility": rules.accessibility(page, contrast=colors)})


def test_pages_of_each_kind_are_there(site):
    """Else axe would look at no colors, and nobody would notice."""
    assert {name for name in COLORED if (site.folder / name).is_file()} == COLORED


@pytest.mark.slow
def test_on_a_phone_in_the_dark(page_name, site, open_page):
    page = open_page(site.http + page_name, width=NARROW, dark=True)
    problems = {
        "foreign requests": rules.foreign_requests(page, site.http),
        "theme": rules.wrong_theme(page, dark=True),
        "formulas": rules.unset_formulas(page),
        "images": rules.bad_images(page),
        "icons": rules.undrawn_icons(page),
        "contrast": rules.low_contrast(page),
        "sideways scroll": rules.sideways_scroll(page),
        "accessibility": rules.accessibility(page, contrast=False),
        "errors": rules.errors(page),
    }
    assert_none(problems)


@pytest.mark.slow
def test_from_the_disk(page_name, site, open_page):
    page = open_page(site.file + page_name, width=WIDE)
    problems = {
        "foreign requests": rules.foreign_requests(page, site.file),
        "formulas": rules.unset_formulas(page),
        "images": rules.bad_images(page),
        "icons": rules.undrawn_icons(page),
        "errors": rules.errors(page),
    }
    assert_none(problems)


@pytest.mark.slow
def test_without_javascript(page_name, site, open_page):
    page = open_page(site.file + page_name, width=WIDE, javascript=False)
    problems = {
        "foreign requests": rules.foreign_requests(page, site.file),
        "unreadable": rules.unreadable_without_scripts(page),
        "images": rules.bad_images(page),
        "icons": rules.undrawn_icons(page),
    }
    page.set_viewport_size({"width": NARROW, "height": 800})
    problems["sideways scroll"] = rules.sideways_scroll(page)
    problems["errors"] = rules.errors(page)
    assert_none(problems)


def test_source(page_name, site, soups):
    problems = {
        "foreign resources": rules.foreign_resources(soups[page_name]),
        "dead links": rules.dead_links(page_name, soups, site.folder),
        "structure": rules.bad_structure(soups[page_name]),
    }
    assert_none(problems)


def test_style_sheets_name_no_other_host(site):
    problems = {
        path.relative_to(site.folder).as_posix(): rules.foreign_urls(path.read_text())
        for path in site.folder.rglob("*.css")
    }
    assert problems
    assert_none(problems)


@pytest.mark.slow
@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("over", ["http", "file"])
def test_the_root_leads_to_the_title_page(site, open_page, over, javascript):
    home = getattr(site, over)
    page = open_page("about:blank", javascript=javascript)
    page.goto(home + "index.html")
    page.wait_for_url(home + "book/index.html")
    assert rules.foreign_requests(page, home) == []
    assert rules.errors(page) == []


def test_the_root_is_a_page_too(site):
    root = BeautifulSoup((site.folder / "index.html").read_text("utf-8"), "html.parser")
    assert rules.bad_structure(root) == []
    assert rules.dead_links("index.html", {"index.html": root}, site.folder) == []


@pytest.mark.parametrize("over", ["http", "file"])
def test_search_finds_a_page(site, open_page, over):
    home = getattr(site, over)
    page = open_page(home + "search.html?q=positional")
    page.locator("#search-results li a").first.click()
    page.wait_for_url(home + "book/**")
    assert rules.foreign_requests(page, home) == []
    assert rules.errors(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("button", "panel"),
    [
        (".primary-toggle", "#pst-primary-sidebar-modal"),
        (".secondary-toggle", "#pst-secondary-sidebar-modal"),
        (".bd-header-article .search-button", "#pst-search-dialog"),
    ],
)
def test_menus_of_a_phone_open_from_the_keyboard(site, open_page, button, panel, dark):
    page = open_page(site.http + "book/index.html", width=NARROW, dark=dark)
    page.locator(button).press("Enter")
    assert page.locator(f"{panel}[open]").is_visible()
    problems = {
        "icons": rules.undrawn_icons(page),
        "sideways scroll": rules.sideways_scroll(page),
        "accessibility": rules.accessibility(page),
    }
    page.keyboard.press("Escape")
    assert not page.locator(panel).is_visible()
    assert_none({**problems, "errors": rules.errors(page)})


def measurements(page, site):
    """How heavy a page is, and how soon it is there, on this machine."""
    times = page.evaluate("""() => {
      const [{ domContentLoadedEventEnd, loadEventEnd }] =
        performance.getEntriesByType("navigation");
      const marks = performance.getEntriesByType("mark");
      return {
        content_loaded_ms: domContentLoadedEventEnd,
        load_ms: loadEventEnd,
        marks_ms: Object.fromEntries(marks.map(m => [m.name, m.startTime])),
      };
    }""")
    return {
        "bytes_compressed": rules.weight(page, site.http, site.folder),
        "requests": len(page.record.requests),
        "ready_ms": page.record.ready,
        **times,
    }
