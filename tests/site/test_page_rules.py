"""Show each rule that needs a browser a page that breaks it."""

import os
from pathlib import Path

import browsing
import page_rules
import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MATHJAX = Path(__file__).parents[2] / "book/assets/mathjax"
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
PAGE = """<!DOCTYPE html><html lang="en" data-theme="light">
<head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">
<style>.fa-dot::before { content: "." }
@media (prefers-color-scheme: dark) { html, a { background: #111; color: #eee } }
</style></head><body><main><h1>A page</h1>"""
#: With formulas, a page has this too.
SCRIPT = '<script defer src="mathjax/tex-chtml.js"></script>'
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
        ("sideways_scroll", '<p style="width: 9999px">Long</p>', {}, "p ends at 10007"),
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
def test_a_page_that_breaks_a_rule_is_reported(
    tmp_path, open_page, rule, body, options, fragment
):
    (tmp_path / "dot.svg").write_text(DOT)
    (tmp_path / "mathjax").symlink_to(MATHJAX)
    script = SCRIPT if "math" in body else ""
    (tmp_path / "page.html").write_text(PAGE + script + body)
    with browsing.served(tmp_path) as home:
        page = open_page(f"{home}page.html", **options)
        problems = getattr(page_rules, rule)(page)
    assert fragment in problems[-1]


def test_heavy_pages_and_foreign_requests_are_reported(tmp_path, open_page):
    (tmp_path / "noise.bin").write_bytes(os.urandom(page_rules.MAX_WEIGHT))
    fetch = "<script>fetch('noise.bin'); fetch('http://127.0.0.1:9/')</script>"
    (tmp_path / "page.html").write_text(PAGE + fetch)
    with browsing.served(tmp_path) as home:
        page = open_page(f"{home}page.html")
        (problem,) = page_rules.too_heavy(page, home, tmp_path)
        assert "over 1,000,000" in problem
        assert page_rules.foreign_requests(page, home) == ["http://127.0.0.1:9/"]
