"""Every page of the built site, in each way it is read, against all the page_rules.

`make test` opens each page once, wide and then narrow. `make test-full` opens it as all
readers do: on a phone in the dark, from the disk, without JavaScript. From the disk axe
looks at it too: once, since a page has the same parts everywhere. On one page of each
kind it looks on the phone as well, and at colors, which take most of its time:
`low_contrast` has those of all pages.
"""

import page_rules
import pytest
from bs4 import BeautifulSoup

pytestmark = pytest.mark.browser

WIDE, NARROW = 1280, 360
#: One page of each kind, at which axe looks more closely.
COLORED = {f"book/{name}.html" for name in ("index", "rope", "compare", "teaching")}

#: Formulas that scroll on a phone, by more than a few pixels. Break a new one.
SCROLLING = {
    "api": 7,
    "cape": 3,
    "checkpoint": 2,
    "convolutional": 1,
    "linear_attention": 3,
    "rope": 2,
    "rotation": 5,
    "sinusoidal": 2,
    "swin": 2,
    "t5": 2,
    "transformer_xl": 6,
}


def assert_none(problems):
    """Fail with every problem on a line of its own, after the rule it breaks."""
    lines = [
        f"{rule}: {problem}" for rule, found in problems.items() for problem in found
    ]
    assert not lines, "\n".join(["", *lines])


def test_opens(page_name, site, open_page):
    page = open_page(site.http + page_name, width=WIDE)
    problems = {
        "foreign requests": page_rules.foreign_requests(page, site.http),
        "weight": page_rules.too_heavy(page, site.http, site.folder),
        "theme": page_rules.wrong_theme(page, dark=False),
        "formulas": page_rules.unset_formulas(page),
        "images": page_rules.bad_images(page),
        "icons": page_rules.undrawn_icons(page),
        "contrast": page_rules.low_contrast(page),
        "cut contents": page_rules.cut_contents(page),
        "sideways scroll": page_rules.sideways_scroll(page),
    }
    problems["buttons in the text"] = page_rules.lost_buttons(page)
    page.set_viewport_size({"width": NARROW, "height": 800})
    problems["sideways scroll, narrow"] = page_rules.sideways_scroll(page)
    most = SCROLLING.get(page_name.removeprefix("book/").removesuffix(".html"), 0)
    problems["wide formulas"] = page_rules.wide_formulas(page, most)
    problems["errors"] = page_rules.errors(page)  # last: looking may have caused some
    assert_none(problems)


@pytest.mark.slow
def test_on_a_phone_in_the_dark(page_name, site, open_page):
    page = open_page(site.http + page_name, width=NARROW, dark=True)
    problems = {
        "foreign requests": page_rules.foreign_requests(page, site.http),
        "theme": page_rules.wrong_theme(page, dark=True),
        "formulas": page_rules.unset_formulas(page),
        "images": page_rules.bad_images(page),
        "icons": page_rules.undrawn_icons(page),
        "contrast": page_rules.low_contrast(page),
        "sideways scroll": page_rules.sideways_scroll(page),
        "errors": page_rules.errors(page),
    }
    if page_name in COLORED:
        problems["accessibility"] = page_rules.accessibility(page)
    assert_none(problems)


@pytest.mark.slow
def test_from_the_disk(page_name, site, open_page):
    page = open_page(site.file + page_name, width=WIDE)
    problems = {
        "foreign requests": page_rules.foreign_requests(page, site.file),
        "formulas": page_rules.unset_formulas(page),
        "images": page_rules.bad_images(page),
        "icons": page_rules.undrawn_icons(page),
        "errors": page_rules.errors(page),
        # Last: it takes the page apart.
        "accessibility": page_rules.accessibility(page, contrast=page_name in COLORED),
    }
    assert_none(problems)


@pytest.mark.slow
def test_without_javascript(page_name, site, open_page):
    page = open_page(site.file + page_name, width=WIDE, javascript=False)
    problems = {
        "foreign requests": page_rules.foreign_requests(page, site.file),
        "unreadable": page_rules.unreadable_without_scripts(page),
        "formulas": page_rules.unreadable_formulas(page),
        "images": page_rules.bad_images(page),
        "icons": page_rules.undrawn_icons(page),
    }
    page.set_viewport_size({"width": NARROW, "height": 800})
    problems["sideways scroll"] = page_rules.sideways_scroll(page)
    problems["errors"] = page_rules.errors(page)
    assert_none(problems)


def test_formulas_without_javascript(site, open_page):
    page = open_page(site.file + "book/rope.html", width=NARROW, javascript=False)
    assert page.locator("math").count() > 100
    assert_none({"formulas": page_rules.unreadable_formulas(page)})
    text = page.locator("article").inner_text()
    assert not [tex for tex in (r"\(", r"\[", r"\frac") if tex in text]
    first = page.locator(".pe-formula", has=page.locator(".eqno")).first
    assert first.locator(".eqno").inner_text() == "(9.1)"
    assert first.locator("math").bounding_box()["height"] > 30  # it has two lines
    query = page.locator("math .pe-query").first
    assert query.evaluate("e => getComputedStyle(e).color") == "rgb(0, 105, 165)"
    page.goto(page.url + "#equation-rope-polar")
    assert abs(first.bounding_box()["y"]) < 200
    assert_none({"sideways scroll": page_rules.sideways_scroll(page)})


def parsed(site, name):
    return BeautifulSoup((site.folder / name).read_text("utf-8"), "html.parser")


def words(element):
    return " ".join(element.get_text().split())


def test_source(page_name, site, anchors):
    """Check links and structure; each page of a kind must be there for axe."""
    assert all((site.folder / name).is_file() for name in COLORED)
    soup = parsed(site, page_name)
    problems = {
        "foreign resources": page_rules.foreign_resources(soup),
        "dead links": page_rules.dead_links(page_name, soup, anchors, site.folder),
        "structure": page_rules.bad_structure(soup),
    }
    assert_none(problems)


def test_citations_are_labels_of_the_bibliography(site):
    """A citation has the words of its label, or its year behind the authors."""
    works = parsed(site, "book/bibliography.html").select(".citation[id]")
    labels = {
        work["id"]: words(work.select_one(".label")).strip("[]") for work in works
    }
    assert len(set(labels.values())) == len(labels)
    links, wrong = 0, {}
    for path in site.folder.glob("book/*.html"):
        for link in parsed(site, f"book/{path.name}").select(
            'a[href^="bibliography.html#"]'
        ):
            label = labels[link["href"].partition("#")[2]]
            cited = words(link)
            if cited == label.rpartition(", ")[2]:
                authors = words(link.find_parent(class_="bibtex-citation"))
                cited = authors.replace(f" [{cited}]", f", {cited}")
            links += 1
            if cited != label:
                wrong[path.stem, cited] = label
    assert links > len(labels)
    assert wrong == {}


def test_style_sheets_name_no_other_host(site):
    sheets = {str(path): path.read_text() for path in site.folder.rglob("*.css")}
    assert sheets
    assert [name for name in sheets if page_rules.foreign_urls(sheets[name])] == []


@pytest.mark.slow
@pytest.mark.parametrize("javascript", [True, False])
def test_the_root_leads_to_the_title_page(site, open_page, javascript):
    for home in (site.http, site.file):
        page = open_page("about:blank", javascript=javascript)
        page.goto(home + "index.html")
        page.wait_for_url(home + "book/index.html")
        assert page_rules.foreign_requests(page, home) == []
        assert page_rules.errors(page) == []
    root = parsed(site, "index.html")
    assert page_rules.bad_structure(root) == []
    assert page_rules.dead_links("index.html", root, {}, site.folder) == []


#: Buttons on a phone, and what each opens.
MENUS = {
    ".primary-toggle": "#pst-primary-sidebar-modal",
    ".secondary-toggle": "#pst-secondary-sidebar-modal",
    ".bd-header-article .search-button": "#pst-search-dialog",
}


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_menus_of_a_phone_open_from_the_keyboard(site, open_page, dark):
    page = open_page(site.http + "book/index.html", width=NARROW, dark=dark)
    for button, panel in MENUS.items():
        page.locator(button).press("Enter")
        assert page.locator(f"{panel}[open]").is_visible()
        problems = {
            "icons": page_rules.undrawn_icons(page),
            "sideways scroll": page_rules.sideways_scroll(page),
            "accessibility": page_rules.accessibility(page),
        }
        page.keyboard.press("Escape")
        assert not page.locator(panel).is_visible()
        assert_none({**problems, "errors": page_rules.errors(page)})
