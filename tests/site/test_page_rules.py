"""Each rule is shown pages that break it, and one that does not: can it tell?"""

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


@pytest.mark.parametrize(
    ("body", "url"),
    [
        ('<img src="http://example.org/dot.png">', "http://example.org/dot.png"),
        ('<script>fetch("https://example.org/a")</script>', "https://example.org/a"),
        ('<script>new WebSocket("ws://example.org/b")</script>', "ws://example.org/b"),
        ('<script>fetch("http://127.0.0.1:9/")</script>', "http://127.0.0.1:9/"),
        ('<iframe src="http://example.org/c"></iframe>', "http://example.org/c"),
        (
            "<style>@font-face { font-family: f; src: url(//example.org/f.woff) }"
            "h1 { font-family: f }</style>",
            "http://example.org/f.woff",
        ),
    ],
)
def test_foreign_requests(show, home, body, url):
    assert page_rules.foreign_requests(show(body), home) == [url]


def test_lost_buttons(show):
    button = '<button class="pe-set" {} data-widget="TurnedPair">here</button>'
    widget = '<div id="posenc-turnedpair-3"></div>'
    assert page_rules.lost_buttons(show(button.format("") + widget)) == []
    for body in (button.format(""), button.format("disabled") + widget):
        assert_reports(page_rules.lost_buttons(show(body)), "here: TurnedPair")


def test_foreign_requests_of_a_page_from_the_disk(folder, open_page):
    (folder / "disk.html").write_text(PAGE.format(head="", body="<img src='/etc/x'>"))
    page = open_page((folder / "disk.html").as_uri())
    assert page_rules.foreign_requests(page, folder.as_uri() + "/") == ["file:///etc/x"]


@pytest.mark.parametrize(
    ("head", "fragments"),
    [
        ('<link rel="preconnect" href="https://fonts.example.org">', ["<link href="]),
        ('<script src="//cdn.example.org/a.js"></script>', ["<script src="]),
        ('<link rel="stylesheet" href="HTTP://example.org/a.css">', ["<link href="]),
        ('<img srcset="https://example.org/a.png 2x">', ["<img srcset="]),
        ("<style>@import 'http://example.org/a.css'</style>", ["http://example.org/"]),
        ("<style>p { background: url( https://e.org/a )}</style>", ["https://e.org/a"]),
        ('<link rel="canonical" href="https://example.org/">', []),
        ('<a href="https://example.org/"></a>', []),
    ],
)
def test_foreign_resources(head, fragments):
    assert_reports(page_rules.foreign_resources(soup_of("", head)), *fragments)


@pytest.mark.parametrize(
    ("body", "fragments"),
    [
        ("<script>console.error('oh')</script>", ["console error: oh"]),
        ("<script>console.warn('oh')</script>", ["console warning: oh"]),
        ("<script>throw Error('oh')</script>", ["script error: oh"]),
        ("<script>Promise.reject(Error('oh'))</script>", ["script error: oh"]),
        ("<img src='no.png'>", ["no.png (404)", "console error"]),
        ("<img src='http://example.org'>", ["example.org", "console error"]),
    ],
)
def test_errors(show, body, fragments):
    problems = page_rules.errors(show(body))
    assert_reports(sorted(problems), *sorted(fragments))


@pytest.mark.parametrize(
    ("body", "fragments"),
    [
        (r'<span class="math">\(\frac{1}\)</span>', ["error in \\frac{1}"]),
        (r'<span class="math">\(\nosuch{1}\)</span>', ["error in \\nosuch{1}"]),
        (r'<span class="math">\(\text{a\_b}\)</span>', [r"error in \text{a\_b}"]),
        ('<span class="math">x_1</span>', ["not typeset: x_1"]),
        ('<i class="math"><mjx-container></mjx-container></i>', ["no MathML"]),
        ("<p>if $x_1$ is</p>", ["raw TeX: if $x_1$ is"]),
        ("<p>if $x$ is</p>", ["raw TeX"]),
        (r"<p>if \(x\) is</p>", ["raw TeX"]),
        (r"<p>\begin{align} x</p>", ["raw TeX"]),
        (r"<p>a \query{q}</p>", ["raw TeX"]),
        ("<p>$$</p>", ["raw TeX"]),
    ],
)
def test_unset_formulas(show, body, fragments):
    assert_reports(page_rules.unset_formulas(show(body)), *fragments)


@pytest.mark.parametrize(
    ("body", "fragments"),
    [
        ('<img src="dot.svg">', ["no alternative text: <img"]),
        ('<img src="dot.svg" alt=" ">', ["no alternative text: <img"]),
        ('<img src="dot.svg" alt="../_images/1f.png">', ["a file name"]),
        ('<img src="dot.svg" alt="figure 1.SVG">', ["a file name"]),
        ('<img src="no.svg" alt="A dot">', ["does not load: <img"]),
        ('<img src="no.svg" alt="A dot" loading="lazy">', ["does not load: <img"]),
        ('<img alt="A dot">', ["does not load"]),
        ("<canvas></canvas>", ["no label: <canvas>"]),
    ],
)
def test_bad_images(show, body, fragments):
    assert_reports(page_rules.bad_images(show(body)), *fragments)


def test_undrawn_icons(show):
    problems = page_rules.undrawn_icons(
        show('<i class="fa-dot"></i><i class="fa-cat"></i>')
    )
    assert_reports(problems, "fa-cat")


def test_sideways_scroll(show):
    body = '<div><p id="long" style="width: 500px">Long</p></div><p>Short</p>'
    problems = page_rules.sideways_scroll(show(body, width=360))
    assert_reports(problems, "px in a window of 360", "p#long ends at 508: Long")
    assert page_rules.sideways_scroll(show(body, width=1280)) == []


@pytest.mark.parametrize(
    ("body", "dark", "fragments"),
    [
        ('<p style="color: #999">Pale</p>', False, ["color-contrast"]),
        ('<p style="color: #999">Pale</p>', True, []),
        ('<p style="color: #555">Dim</p>', False, []),
        ('<p style="color: #555">Dim</p>', True, ["color-contrast"]),
        ("<button></button>", False, ["critical button-name"]),
    ],
)
def test_accessibility(show, body, dark, fragments):
    assert_reports(page_rules.accessibility(show(body, dark=dark)), *fragments)


def test_accessibility_may_leave_colors_to_another_rule(show):
    page = show('<p style="color: #999">Pale</p><button></button>')
    assert_reports(
        page_rules.accessibility(page, contrast=False), "critical button-name"
    )


@pytest.mark.parametrize(
    ("body", "dark", "fragments"),
    [
        ('<p style="color: #999">Pale</p>', False, ["2.85: rgb(153, 153, 153)"]),
        ('<p style="color: #999">Pale</p>', True, []),
        ('<p style="color: #555">Dim</p>', False, []),
        ('<p style="color: #555">Dim</p>', True, ["in <p"]),
        ('<p style="color: #888; font-size: 24px">Large</p>', False, []),
        ('<p style="color: #888; font-size: 19px"><b>Bold</b></p>', False, []),
        ('<p style="color: #888; font-size: 19px">Thin</p>', False, ["3.54"]),
        ('<p style="color: rgba(0, 0, 0, 0.3)">Faint</p>', False, ["rgb(255,255,255)"]),
        (
            '<div style="background: #eee"><p style="color: #757575">Gray</p></div>',
            False,
            ["on rgb(238,238,238)"],
        ),
        ('<p style="color: #999" aria-hidden="true">▒</p>', False, []),
        ('<p style="color: #999; visibility: hidden">Hidden</p>', False, []),
        ('<p style="color: #999">+</p>', False, []),
        ('<p style="color: #999">Aa</p><p style="color: #999">B</p>', False, ["> Aa"]),
    ],
)  # fmt: skip
def test_low_contrast(show, body, dark, fragments):
    assert_reports(page_rules.low_contrast(show(body, dark=dark)), *fragments)


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
    ("body", "fragment"),
    [
        ('<p style="display: none">Secret</p>', "hidden: <p"),
        ('<p style="opacity: 0">Secret</p>', "hidden: <p"),
        ('<ul style="height: 0; overflow: hidden; font-size: 0"><li>S</ul>', "<li"),
        ('<div class="cell_output"></div>', "empty: <div"),
        ('<div class="cell_output"><canvas></canvas></div>', "empty: <div"),
        ('<div class="pe-widget"><script>1</script></div>', "empty: <div"),
        ("<details><summary></summary><p>Folded</p></details>", "without a label"),
    ],
)
def test_unreadable_without_scripts(show, body, fragment):
    page = show(body, javascript=False)
    assert_reports(page_rules.unreadable_without_scripts(page), fragment)


MATHML = "<noscript>{}<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>{}</noscript>"


@pytest.mark.parametrize(
    ("body", "fragments"),
    [
        ('<i class="math" hidden>{x}</i>' + MATHML.format("", ""), []),
        ('<i class="math">{x}</i>' + MATHML.format("", ""), ["raw TeX"]),
        ('<i class="math" hidden>{x}</i>', ["no MathML"]),
        ('<p>{x}</p><pre>{x}</pre><p style="visibility: hidden">{x}', ["raw TeX"]),
        (
            '<i class="math" hidden>{x}</i>' + MATHML.format("<p hidden>", "</p>"),
            ["not to be seen"],
        ),
        (
            '<i class="math" hidden>{x}</i>'
            + MATHML.format('<p style="font-size: 1px">', "</p>"),
            ["not to be seen"],
        ),
    ],
)
def test_unreadable_formulas(show, body, fragments):
    page = show(body.replace("{x}", r"\(\frac ab\)"), javascript=False)
    assert_reports(page_rules.unreadable_formulas(page), *fragments)


def test_an_empty_page_is_unreadable(folder, home, open_page):
    (folder / "empty.html").write_text("<main><script>1</script></main>")
    page = open_page(home + "empty.html", javascript=False)
    assert_reports(page_rules.unreadable_without_scripts(page), "main text is empty")


@pytest.mark.parametrize(
    ("html", "fragments"),
    [
        ("<title>T</title><h1>H</h1>", ["no lang"]),
        ("<html lang=en><title></title><h1>H</h1></html>", ["no <title>"]),
        ("<html lang=en><title>T</title><h2>H</h2></html>", ["one <h1>"]),
        ("<html lang=en><title>T</title><h1>H</h1><h1>H</h1></html>", ["one <h1>"]),
        (
            "<html lang=en><title>T</title><h1>H</h1><h3>Deep</h3></html>",
            ["h3 after h1: Deep"],
        ),
        (
            "<html lang=en><title>T</title><h1 id=a>H</h1><h2 id=a>H</h2></html>",
            ["id twice: a"],
        ),
        (
            "<html lang=en><title>T</title><h1>H</h1><h2>H</h2><h3>H</h3><h2>H</h2>"
            "<div class=onlyprint><h1>H</h1></div></html>",
            [],
        ),
    ],
)
def test_bad_structure(html, fragments):
    soup = BeautifulSoup(html, "html.parser")
    problems = [p for p in page_rules.bad_structure(soup) if soup.html or "lang" in p]
    assert_reports(problems, *fragments)


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("b.html", None),
        ("b.html?q=1#there", None),
        ("#here", None),
        ("#", None),
        ("", None),
        ("../dot.svg", None),
        ("mailto:a@b.org", None),
        ("https://example.org/a#b", None),
        ("c.html", "no such file"),
        ("B.html", "no such file"),
        ("b.html#here", "no such anchor"),
        ("#there", "no such anchor"),
        ("../folder/", "a folder"),
        ("../../a.html", "leaves the site"),
        ("/a.html", "leaves the site"),
        ("mailto:b.org", "no address"),
        ("https://localhost/", "not a proper address"),
        ("https://example.org/a b", "not a proper address"),
        ("javascript:go()", "not a proper address"),
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


def test_no_browser_is_an_error_that_says_what_to_do(monkeypatch):
    monkeypatch.setattr(browsing, "find_browser", lambda: None)
    with (
        pytest.raises(FileNotFoundError, match="apt-get install chromium"),
        browsing.launched(),
    ):
        pass
