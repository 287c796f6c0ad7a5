"""What tests of widgets share: which there are, and a page with widgets alone.

A test module names its widgets, ``WIDGETS = (BucketTable, BucketTable)``: classes, or
other callables that make one. The fixtures `address` and `page` open them on one page,
in this order. What holds for every widget is tested in ``tests/kit`` alone, in
``test_every_widget.py`` and ``test_every_widget_in_browser.py``.

``tests/<slug>/shown.py`` holds what is compared there. SHOWN gives each class a
function that returns what `data-shown` must hold in a setting, and phrases that must be
there or not; POINTED one that returns words on a cell, given by canvas, row and column;
TABLES one that returns the first cells of the rows of its text; PIXELS one that returns
places on a canvas and their colors.
"""

import ast
import contextlib
import importlib
import json
import math
import runpy
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import page_parser
import pytest
import traitlets
from page_rules import AXE

from posenc.compare.figures import COVER_ALT, cover
from posenc.core import chapters
from posenc.kit.figures.themes import Rendered, Themed
from posenc.kit.widgets.base import BookWidget

TESTS = Path(__file__).parents[1]

#: Like the book's site, it takes the reader's theme, and long words may break.
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Widgets</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>
document.documentElement.dataset.theme =
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
</script>
<style>
body {{ max-width: 46rem; margin: auto; padding: 16px; overflow-wrap: break-word; }}
html[data-theme="dark"] body {{ background: #121212; color: #eee; }}
</style></head>
<body><main><h1>Widgets</h1>{widgets}</main></body></html>"""

#: In the place of a picture, where nobody looks at it.
BLANK = b'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"></svg>'

PICTURES = """(root) =>
  [...root.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL())"""


def every_widget():
    """All classes of widgets, chapter by chapter."""
    found = []
    for slug in chapters.with_part("widgets"):
        module = importlib.import_module(f"posenc.{slug}.widgets")
        found += [getattr(module, name) for name in module.__all__]
    return found


@contextlib.contextmanager
def undrawn():
    """Pictures of widgets are blank meanwhile: to draw one twice takes a second."""

    def blank(picture, theme_name, *kinds, **more):
        return Rendered([BLANK] * len(kinds), None, math.inf)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Themed, "_render", blank)
        yield


def every_opening():
    """Pages that open with a widget, and the cell of it."""
    first = {
        slug: next(
            (
                cell
                for cell in page_parser.cells(page_parser.page(slug))
                if cell.is_code
            ),
            None,
        )
        for slug in ("index", *chapters.pages())
    }
    return {s: cell for s, cell in first.items() if cell and ".opening(" in cell.source}


def drawing(slug):
    """What stands in place of a page's opening where nothing moves, and its words."""
    if slug == "index":
        return cover, COVER_ALT
    figures, card = (
        importlib.import_module(f"posenc.{slug}.figures"),
        chapters.metadata(slug).get("card"),
    )
    return figures.opening, card["alt"] if card else figures.OPENING_ALT


def made(cell):
    """The widget that a cell ends with."""
    *before, last = ast.parse(cell.source).body
    names = {}
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def settable(cls):
    """Names of the traits that readers change, of a class or of an instance's own."""
    own = next(base for base in cls.__mro__ if BookWidget in base.__bases__)
    traits = vars(own).items()
    return [
        name
        for name, trait in traits
        if isinstance(trait, traitlets.TraitType) and not trait.read_only
    ]


def other_values(widget, name):
    """Some values of a trait, other than the present one, that it takes by itself."""
    trait, now = widget.traits()[name], getattr(widget, name)
    if isinstance(trait, traitlets.Bool):
        values = [not now]
    elif isinstance(trait, traitlets.Enum):
        values = trait.values
    elif isinstance(trait, traitlets.Int):
        ends = {end for end in (trait.min, trait.max) if end is not None}
        values = sorted({*ends, now - 1, now + 1})
    elif isinstance(trait, traitlets.Float):
        values = [trait.min, trait.max]
    elif isinstance(trait, traitlets.Unicode):
        values = ['{"model_type": "olmo"}']
    else:
        numbers = [[item + 1 for item in now]] if isinstance(now[0], int) else []
        values = [now[::-1], now[1:], now[:1], *numbers]
    one_by_one = [{name: value} for value in values if value != now]
    return [v[name] for v in one_by_one if accepts(type(widget), v)]


def accepts(cls, values):
    """Whether Python takes values for traits."""
    try:
        widget = cls(**values)
    except traitlets.TraitError:
        return False
    return all(getattr(widget, name) == value for name, value in values.items())


def mounted_state(html):
    """State of the widget that a piece of a page mounts."""
    start = html.index("{", html.index('mount(widget, "posenc-'))
    return json.JSONDecoder().raw_decode(html[start:])[0]


def widget(page, index=0):
    return page.locator(".pe-widget").nth(index)


def control(root, key):
    return root.locator(f"[data-key={key}]")


def places_of(root, name, presses):
    """Where a button of the widget is, before and after each of some clicks on it."""
    button = root.get_by_role("button", name=name)
    return [
        button.click()
        if n % 2
        else button.bounding_box()["y"] - root.bounding_box()["y"]
        for n in range(2 * presses + 1)
    ][::2]


def pictures(root):
    """What is drawn on the canvases of a widget, or of a whole page."""
    return root.evaluate(PICTURES)


def readout(root):
    return root.locator(".pe-readout").inner_text()


def facts(root):
    return root.locator(".pe-facts").inner_text()


def table_rows(root):
    """Cells of a widget's table, row by row, once the reader has unfolded it."""
    root.locator("summary").press("Enter")
    rows = root.locator("details tbody tr")
    # The browser says that it unfolded only after the key: rows are made then.
    rows.first.wait_for()
    return [row.split("\t") for row in rows.all_inner_texts()]


def shown(root):
    """What a widget says it draws."""
    return json.loads(root.get_attribute("data-shown"))


#: Words on all pictures of a widget, drawn once more in the other theme.
WORDS = """async (root) => {
  const all = CanvasRenderingContext2D.prototype, { fillText } = all, words = [];
  all.fillText = function (text, ...place) {
    if (root.contains(this.canvas) && this.globalAlpha > 0.3) words.push(String(text));
    return fillText.call(this, text, ...place);
  };
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
  await new Promise((done) => requestAnimationFrame(done));
  all.fillText = fillText;
  return words;
}"""


def real(value, digits=2):
    """A number as the widgets write it."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", "−")


class Near(NamedTuple):
    """Numbers that a widget holds in rounded form."""

    values: Any
    atol: float = 0
    rtol: float = 0


def compare(found, want):
    """Compare what a widget says it draws, or a part of it, with what is right."""
    if isinstance(want, dict):
        for name, part in want.items():
            compare(found[name], part)
    elif isinstance(want, list | tuple) and not isinstance(want, Near):
        for one, part in zip(found, want, strict=True):
            compare(one, part)
    elif isinstance(want, str | None):
        assert found == want
    else:
        near = want if isinstance(want, Near) else Near(want, 1e-9, 1e-9)
        numbers, right = (np.asarray(x, float) for x in (found, near.values))
        np.testing.assert_allclose(numbers, right, near.rtol, near.atol)


def shades(name, parts):
    """Red, green and blue of parts of a table of colors, as matplotlib has them."""
    return np.rint(255 * mpl.colormaps[name](parts))[..., :3]


def tables(name):
    """What all ``tests/<slug>/shown.py`` hold under a name, in one dict."""
    files = sorted(TESTS.glob("*/shown.py"))
    every = [runpy.run_path(str(file)).get(name, {}) for file in files]
    return {key: one for table in every for key, one in table.items()}


def set_theme(page, name):
    page.evaluate(f"document.documentElement.dataset.theme = '{name}'")


#: Follows a link on the page itself.
FOLLOW = """(fragment) => new Promise((done) => {
  addEventListener("hashchange", () => setTimeout(done), { once: true });
  location.hash = fragment;
})"""


def unfold(page):
    """Open all texts of a page, and give it axe."""
    for summary in page.locator("summary").all():
        summary.click()
    page.add_script_tag(path=AXE)


def violations(page):
    """What axe finds in a page that was unfolded."""
    found = page.evaluate("axe.run()")["violations"]
    return [(v["id"], v["nodes"][0]["html"]) for v in found]
