"""What tests of widgets share: a page with widgets alone, and rules for all of them.

A test module names its widgets, ``WIDGETS = (BucketTable, BucketTable)``: classes, or
other callables that make one. The fixtures `address` and `page` open them on one page,
in this order. A test class that inherits `WidgetRules` brings the rules to that page.
"""

import json

import pytest
from rules import AXE

from posenc.figures.palette import THEMES

#: Like the book's site, it takes the reader's theme.
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Widgets</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>
document.documentElement.dataset.theme =
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
</script>
<style>
body {{ max-width: 46rem; margin: auto; padding: 16px; }}
html[data-theme="dark"] body {{ background: #121212; color: #eee; }}
</style></head>
<body><main><h1>Widgets</h1>{widgets}</main></body></html>"""

PICTURES = """(root) =>
  [...root.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL())"""

NAMELESS = """() => {
  const some = "input, select, button, summary, [tabindex]";
  return [...document.querySelectorAll(`.pe-widget :is(${some})`)]
    .filter((node) => node.dataset.lmSuppressShortcuts !== "true" ||
      (node.matches("input, select") && !node.labels[0].innerText.trim()))
    .map((node) => node.outerHTML);
}"""


def widget(page, index=0):
    return page.locator(".pe-widget").nth(index)


def control(root, key):
    return root.locator(f"[data-key={key}]")


def pictures(root):
    """What is drawn on the canvases of a widget, or of a whole page."""
    return root.evaluate(PICTURES)


def all_pictures(page):
    return pictures(page.locator("main"))


def readout(root):
    return root.locator(".pe-readout").inner_text()


def facts(root):
    return root.locator(".pe-facts").inner_text()


def shown(root):
    """What a widget says it draws."""
    return json.loads(root.get_attribute("data-shown"))


def set_theme(page, name):
    page.evaluate(f"document.documentElement.dataset.theme = '{name}'")


def violations(page):
    """What axe finds in a page whose texts are all unfolded."""
    for summary in page.locator("summary").all():
        summary.click()
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")["violations"]
    return [(v["id"], v["nodes"][0]["html"]) for v in found]


class WidgetRules:
    """Rules for every widget, on the page of the module that inherits them."""

    def test_live_widgets_stand_in_the_place_of_the_pictures(self, page, request):
        roots = page.locator(".pe-widget").all()
        assert len(roots) == len(request.module.WIDGETS)
        assert all(root.locator("input, select").count() for root in roots)
        assert page.locator("img").count() == 0

    def test_every_control_has_a_name_and_keeps_its_keys_from_jupyter(self, page):
        assert page.locator(".pe-widget [tabindex]").count() > 0
        assert page.evaluate(NAMELESS) == []

    def test_the_theme_may_change(self, page):
        light = all_pictures(page)
        set_theme(page, "dark")
        dark = all_pictures(page)
        assert all(a != b for a, b in zip(light, dark, strict=True))
        surface = THEMES["dark"]["surface"]
        channels = [int(surface[i : i + 2], 16) for i in (1, 3, 5)]
        for root in page.locator(".pe-widget").all():
            background = root.evaluate("root => getComputedStyle(root).backgroundColor")
            assert background == f"rgb({', '.join(map(str, channels))})"
        set_theme(page, "light")
        assert all_pictures(page) == light

    def test_a_narrower_window_redraws(self, open_page, address):
        page = open_page(address)
        page.set_viewport_size({"width": 360, "height": 800})
        page.wait_for_function(
            "document.documentElement.scrollWidth <= innerWidth", timeout=2000
        )
        assert all_pictures(page) == all_pictures(open_page(address, width=360))

    @pytest.mark.parametrize("dark", [False, True])
    def test_without_javascript_the_pictures_are_there(
        self, open_page, address, dark, request
    ):
        page = open_page(address, width=360, javascript=False, dark=dark)
        images = [image for image in page.locator("img").all() if image.is_visible()]
        wanted = [make().picture().alt for make in request.module.WIDGETS]
        assert [image.get_attribute("alt") for image in images] == wanted
        assert all(image.bounding_box()["width"] > 200 for image in images)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator("canvas").count() == 0

    @pytest.mark.parametrize("dark", [False, True])
    def test_axe_finds_nothing(self, open_page, address, dark):
        assert violations(open_page(address, dark=dark)) == []
