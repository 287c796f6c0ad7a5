"""Show a page without faults to all rules, and to each rule a page that breaks it."""

import random
from pathlib import Path

import browsing
import page_rules
import pytest
from bs4 import BeautifulSoup

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MATHJAX = Path(__file__).parents[2] / "book/assets/mathjax"
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">
<style>
  .fa-dot::before {{ content: "." }}
  @media (prefers-color-scheme: dark) {{ html, a {{ background: #111; color: #eee }} }}
</style>{head}</head>
<body><main><h1>A page</h1>{body}</main></body>
</html>"""

GOOD = r"""
<p>See <a href="page.html#here">here</a>, or <a href="https://example.org/">there</a>.</p>
<h2 id="here">Here</h2>
<p><span class="math">\(a_1 + \text{b}\)</span> costs $5 or $6, <code>\(x\)</code>.</p>
<img src="dot.svg" alt="A dot: small"> <img src="dot.svg" alt="" role="presentation">
<canvas aria-label="Nothing yet" width="9" height="9"></canvas>
<i class="fa-dot"></i>
<div style="overflow: auto" tabindex="0"><div style="width: 2000px">Wide</div></div>
<details><summary>More</summary><p>Folded</p></details>
<div class="cell_output"><img src="dot.svg" alt="A dot"></div>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages")
    (path / "dot.svg").write_text(DOT)
    (path / "folder").mkdir()
    (path / "mathjax").symlink_to(MATHJAX)
    return path


@pytest.fixture(scope="module")
def home(folder):
    with browsing.served(folder) as address:
        yield address


@pytest.fixture
def show(folder, home, open_page):
    """Open a page with the given body; with formulas if it holds any."""

    def show(body, head="", **options):
        if "math" in body:
            head += '<script defer src="mathjax/tex-chtml.js"></script>'
        (folder / "page.html").write_text(PAGE.format(head=head, body=body))
        return open_page(home + "page.html", **options)

    return show


def soup_of(body, head=""):
    return BeautifulSoup(PAGE.format(head=head, body=body), "html.parser")


def assert_reports(problems, *fragments):
    """One problem for each fragment, in this order."""
    assert len(problems) == len(fragments), problems
    for problem, fragment in zip(problems, fragments, strict=True):
        assert fragment in problem


@pytest.mark.parametrize("dark", [False, True])
def test_a_good_page_breaks_no_rule(show, folder, home, dark):
    head = """<script>document.documentElement.dataset.theme =
      matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"</script>"""
    page = show(GOOD, head, width=360, dark=dark)
    assert page_rules.foreign_requests(page, home) == []
    assert page_rules.unset_formulas(page) == []
    assert page_rules.bad_images(page) == []
    assert page_rules.undrawn_icons(page) == []
    assert page_rules.cut_contents(page) == []
    assert page_rules.sideways_scroll(page) == []
    assert page_rules.accessibility(page) == []
    assert page_rules.low_contrast(page) == []
    assert page_rules.wrong_theme(page, dark=dark) == []
    assert page_rules.too_heavy(page, home, folder) == []
    assert page_rules.errors(page) == []

    page = show(GOOD, width=360, dark=dark, javascript=False)
    assert page_rules.unreadable_without_scripts(page) == []

    soup = soup_of(GOOD)
    anchors = {"page.html": page_rules.anchors(str(soup))}
    assert page_rules.foreign_resources(soup) == []
    assert page_rules.bad_structure(soup) == []
    assert page_rules.dead_links("page.html", soup, anchors, folder) == []


MATHML = "<noscript><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></noscript>"
DARK, PLAIN = {"dark": True}, {"javascript": False}


@pytest.mark.parametrize(
    ("rule", "body", "options", "fragment"),
    [
        ("lost_buttons", '<button class="pe-set" data-widget="A">b</button>', {}, "A"),
        ("unset_formulas", r'<i class="math">\(\nosuch{1}\)</i>', {}, r"in \nosuch{1}"),
        ("unset_formulas", '<i class="math">x_1</i>', {}, "not typeset: x_1"),
        ("unset_formulas", "<p>if $x_1$ is</p>", {}, "raw TeX: if $x_1$ is"),
        ("bad_images", '<img src="dot.svg">', {}, "no alternative text: <img"),
        ("bad_images", '<img src="dot.svg" alt="figure 1.SVG">', {}, "a file name"),
        ("bad_images", '<img alt="A dot">', {}, "does not load"),
        ("bad_images", "<canvas></canvas>", {}, "no label: <canvas>"),
        ("cut_contents", '<p class="page-toc"><a style="margin: 2000px">A', {}, "A"),
        ("undrawn_icons", '<i class="fa-dot"></i><i class="fa-cat"></i>', {}, "fa-cat"),
        ("accessibility", '<p style="color: #999">Pale</p>', {}, "color-contrast"),
        ("accessibility", "<button></button>", {}, "critical button-name"),
        ("low_contrast", '<p style="color: #999">Pale</p>', {}, "2.85: rgb(153, 153"),
        ("low_contrast", '<p style="color: #555">Dim</p>', DARK, "in <p"),
        ("errors", "<script>console.warn('oh')</script>", {}, "console warning: oh"),
        ("errors", "<script>throw Error('oh')</script>", {}, "script error: oh"),
        ("unreadable_without_scripts", '<p style="opacity: 0">S</p>', PLAIN, "hidden"),
        ("unreadable_without_scripts", '<p class="cell_output"></p>', PLAIN, "empty"),
        (
            "unreadable_formulas",
            r'<i class="math" hidden>\(x\)</i>',
            PLAIN,
            "no MathML",
        ),
        (
            "unreadable_formulas",
            r'<i class="math">\(x\)</i>' + MATHML,
            PLAIN,
            "raw TeX",
        ),
    ],
)
def test_a_page_that_breaks_a_rule_is_reported(show, rule, body, options, fragment):
    assert_reports(getattr(page_rules, rule)(show(body, **options)), fragment)


def test_sideways_scroll(show):
    body = '<div><p id="long" style="width: 500px">Long</p></div><p>Short</p>'
    problems = page_rules.sideways_scroll(show(body, width=360))
    assert_reports(problems, "px in a window of 360", "p#long ends at 508: Long")


@pytest.mark.parametrize(
    ("body", "url"),
    [
        ('<img src="http://example.org/dot.png">', "http://example.org/dot.png"),
        ('<script>new WebSocket("ws://example.org/b")</script>', "ws://example.org/b"),
        ('<script>fetch("http://127.0.0.1:9/")</script>', "http://127.0.0.1:9/"),
    ],
)
def test_foreign_requests(show, home, body, url):
    assert page_rules.foreign_requests(show(body), home) == [url]


def test_foreign_requests_of_a_page_from_the_disk(folder, open_page):
    (folder / "disk.html").write_text(PAGE.format(head="", body="<img src='/etc/x'>"))
    page = open_page((folder / "disk.html").as_uri())
    assert page_rules.foreign_requests(page, folder.as_uri() + "/") == ["file:///etc/x"]


@pytest.mark.parametrize(
    ("head", "fragment"),
    [
        ('<script src="//cdn.example.org/a.js"></script>', "<script src="),
        ('<img srcset="https://example.org/a.png 2x">', "<img srcset="),
        ("<style>@import 'http://example.org/a.css'</style>", "http://example.org/"),
    ],
)
def test_foreign_resources(head, fragment):
    assert_reports(page_rules.foreign_resources(soup_of("", head)), fragment)


def test_wrong_theme(show):
    late = """<script>addEventListener("load",
      () => { document.documentElement.dataset.theme = "dark" })</script>"""
    assert_reports(
        page_rules.wrong_theme(show("", late, dark=True), dark=True), "flashes"
    )
    assert_reports(
        page_rules.wrong_theme(show("", dark=True), dark=True), "flashes", "is light"
    )


@pytest.mark.parametrize(
    ("html", "fragment"),
    [
        ("<title>T</title><h1>H</h1>", "no lang"),
        ("<html lang=en><title></title><h1>H</h1></html>", "no <title>"),
        ("<html lang=en><title>T</title><h1>H</h1><h1>H</h1></html>", "one <h1>"),
        ("<html lang=en><title>T</title><h1>H</h1><h3>D</h3></html>", "h3 after h1: D"),
        ("<html lang=en><title>T</title><h1 id=a>H</h1><p id=a></html>", "id twice: a"),
    ],
)
def test_bad_structure(html, fragment):
    soup = BeautifulSoup(html, "html.parser")
    problems = [p for p in page_rules.bad_structure(soup) if soup.html or "lang" in p]
    assert_reports(problems, fragment)


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("b.html?q=1#there", None),
        ("../dot.svg", None),
        ("mailto:a@b.org", None),
        ("c.html", "no such file"),
        ("B.html", "no such file"),
        ("b.html#here", "no such anchor"),
        ("../folder/", "a folder"),
        ("/a.html", "leaves the site"),
        ("mailto:b.org", "no address"),
        ("https://localhost/", "not a proper address"),
    ],
)
def test_dead_links(tmp_path, link, problem):
    (tmp_path / "book").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "dot.svg").write_text(DOT)
    bodies = {"book/a.html": '<p id="here">', "book/b.html": '<p id="there">'}
    for name in bodies:
        (tmp_path / name).touch()
    bodies["book/a.html"] += f'<a href="{link}">'
    anchors = {name: page_rules.anchors(body) for name, body in bodies.items()}
    soup = soup_of(bodies["book/a.html"])
    problems = page_rules.dead_links("book/a.html", soup, anchors, tmp_path)
    assert_reports(problems, *([problem] if problem else []))


def test_dead_sources(tmp_path):
    (tmp_path / "a.html").touch()
    soup = soup_of('<img src="no.png"><script src="no.js"></script>')
    problems = page_rules.dead_links("a.html", soup, {}, tmp_path)
    assert_reports(problems, "no.png", "no.js")


def test_weight_counts_what_a_page_loads_as_it_would_be_sent(show, folder, home):
    noise = random.Random(0).randbytes(page_rules.MAX_WEIGHT)
    (folder / "noise.bin").write_bytes(noise)
    (folder / "text.txt").write_bytes(b"a" * page_rules.MAX_WEIGHT)
    light = show("<script>fetch('text.txt')</script>")
    assert page_rules.too_heavy(light, home, folder) == []
    assert 1_000 < page_rules.weight(light, home, folder) < 3_000
    heavy = show("<script>fetch('noise.bin')</script>")
    assert_reports(page_rules.too_heavy(heavy, home, folder), "over 1,000,000")
