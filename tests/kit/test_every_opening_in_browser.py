"""What stands under the titles of the pages: it moves by hand and by itself."""

import browsing
import pytest
import widget_page
from widget_page import (
    accepts,
    drawing,
    every_opening,
    made,
    pictures,
    readout,
    settable,
    widget,
)

pytestmark = pytest.mark.browser

CELLS = every_opening()
HOST = "widget.render({ model, el });"
TRAITS = "(names) => names.map((name) => [name, structuredClone(model.get(name))])"

NAMELESS = """() => [
    ...document.querySelectorAll(".pe-widget :is(button, canvas[tabindex])")]
  .filter((node) => node.dataset.lmSuppressShortcuts !== "true" ||
    !(node.getAttribute("aria-label") ?? node.innerText).trim())
  .map((node) => node.outerHTML)"""

#: Drags along each canvas, at some heights, and tells how many states and pictures
#: there were.
DRAG = """async ([names, pointerType]) => {
  const states = new Set(), drawn = new Set();
  const canvases = [...document.querySelectorAll(".pe-widget canvas")];
  async function tell() {
    await new Promise((done) => setTimeout(done));
    states.add(JSON.stringify(names.map((name) => model.get(name))));
    drawn.add(canvases.map((canvas) => canvas.toDataURL()).join());
  }
  for (const canvas of canvases) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
      pointerType, pointerId: 5, buttons: 1, bubbles: true,
      clientX: left + width * x, clientY: top + height * y }));
    for (const high of [0.3, 0.5, 0.8])
      for (const from of [0.1, 0.5]) {
        send("pointerdown", from, high);
        for (let i = 1; i <= 7; i++) {
          send("pointermove", from + 0.06 * i, high);
          await tell();
        }
        send("pointerup", from + 0.42, high);
      }
  }
  return [states.size, drawn.size];
}"""


@pytest.fixture(scope="module", params=CELLS, autouse=True)
def slug(request):
    return request.param


@pytest.fixture(scope="module")
def opening(slug):
    return made(CELLS[slug])


@pytest.fixture(scope="module")
def address(opening, tmp_path_factory):
    with widget_page.undrawn():
        html = opening.static_html()
    assert html.count(HOST) == 1
    path = tmp_path_factory.mktemp("opening") / "page.html"
    kept = html.replace(HOST, "window.model = model;" + HOST)
    path.write_text(widget_page.PAGE.format(widgets=kept), encoding="utf-8")
    return path.as_uri()


def traits(page, opening):
    return dict(page.evaluate(TRAITS, settable(type(opening))))


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_shows_a_picture_and_one_button_and_fits_a_phone(page):
    root = widget(page)
    assert page.locator("img").count() == 0
    assert root.locator("canvas").count() in {1, 2}
    assert root.locator("button").count() == 1
    assert root.locator("input, details, li").count() == 0
    assert root.locator("select").count() <= 1  # what is shown, such as a head
    assert page.evaluate(NAMELESS) == []
    assert readout(root).strip()
    assert root.bounding_box()["height"] < 560
    assert fits(page)
    page.set_viewport_size({"width": 360, "height": 800})
    page.evaluate(browsing.SETTLE)
    assert fits(page)
    box = root.bounding_box()
    for canvas in root.locator("canvas").all():
        inner = canvas.bounding_box()
        assert inner["x"] >= box["x"]
        assert inner["x"] + inner["width"] <= box["x"] + box["width"]


def test_arrow_keys_move_the_opening(page, opening):
    root = widget(page)
    before = pictures(root), traits(page, opening)
    canvas = root.locator("canvas").first
    canvas.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
        assert accepts(type(opening), traits(page, opening))
    assert pictures(root) != before[0]
    assert traits(page, opening) != before[1]


@pytest.mark.parametrize("pointer", ["mouse", "touch"])
def test_dragging_moves_the_opening(page, opening, pointer):
    states, drawn = page.evaluate(DRAG, [settable(type(opening)), pointer])
    assert states > 2
    assert drawn > 2
    assert accepts(type(opening), traits(page, opening))


def test_reduced_motion_jumps_to_the_end_and_back(page, opening):
    root = widget(page)
    play, seen = root.locator("[data-play]"), []
    for words in ("to the start", "to the end"):
        play.press("Enter")
        seen.append((pictures(root), traits(page, opening)))
        assert play.inner_text().endswith(words)
        assert accepts(type(opening), seen[-1][1])
    assert seen[0] != seen[1]


def test_play_button_moves_the_opening(moving, opening):
    page, root = moving, widget(moving)
    play = root.locator("[data-play]")
    height = play.bounding_box()["height"]
    play.press("Enter")
    assert play.bounding_box()["height"] == height
    drawn, state = set(), traits(page, opening)
    for _ in range(40):
        page.clock.run_for(50)
        drawn.add(tuple(pictures(root)))
    assert len(drawn) > 12  # not from setting to setting, but all the way
    assert traits(page, opening) != state


@pytest.fixture(scope="module")
def still_page(browser):
    page = browsing.open_page(browser, "about:blank", width=360, javascript=False)
    yield page
    page.context.close()


def test_without_javascript_there_is_the_drawing(still_page, address, slug):
    page = still_page
    page.goto(address)
    (image,) = (image for image in page.locator("img").all() if image.is_visible())
    assert image.get_attribute("alt") == drawing(slug)[1]
    assert fits(page)


@pytest.mark.slow
def test_axe_finds_nothing(page):
    widget_page.unfold(page)
    for theme in ("light", "dark"):
        widget_page.set_theme(page, theme)
        assert widget_page.violations(page) == [], theme
