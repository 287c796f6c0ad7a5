"""Every widget on a static page in a real browser: what holds whatever it shows.

Each class stands twice on a page of its own, which all tests here share. Its numbers,
and what is particular to it, are tested in its own chapter.
"""

import re

import browsing
import numpy as np
import pytest
import widget_page
from widget_page import (
    accepts,
    compare,
    every_widget,
    pictures,
    readout,
    set_theme,
    settable,
    shown,
    table_rows,
    tables,
    undrawn,
    unfold,
    violations,
    widget,
)

from posenc.kit.figures.palette import THEMES

pytestmark = pytest.mark.browser

#: What each shows, what it says of a cell, rows of its table, colors of its pixels.
SHOWN, POINTED, TABLES, PIXELS = map(tables, ("SHOWN", "POINTED", "TABLES", "PIXELS"))

#: Colors of pixels of a canvas, at places in pixels of the page.
COLORS = """(canvas, places) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  return places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)]);
}"""

#: The host keeps its models where tests find them.
HOST = "widget.render({ model, el });"
KEPT = "(window.models ??= []).push(model);" + HOST

NAMELESS = """() => {
  const some = "input, select, button, summary, [tabindex]";
  return [...document.querySelectorAll(`.pe-widget :is(${some})`)]
    .filter((node) => node.dataset.lmSuppressShortcuts !== "true" ||
      (node.matches("input, select") && !node.labels[0].innerText.trim()))
    .map((node) => node.outerHTML);
}"""

#: Chooses every value that every control offers, the first one last; and once more with
#: the second option of every select. Then walks on every canvas, and presses buttons,
#: first to last and back.
#: Tells what moved, the traits, what is drawn and said (a number), and the same before.
VISIT = """async (root, traits) => {
  const found = [];
  let last = null;
  function drawn() {
    const words = root.querySelector(".pe-readout").textContent;
    const pictures = [...root.querySelectorAll("canvas")].map((c) => c.toDataURL());
    const all = [root.dataset.shown, words, ...pictures].join();
    let sum = 5381;
    for (let i = 0; i < all.length; i++) sum = (33 * sum + all.charCodeAt(i)) | 0;
    return sum;
  }
  const tell = async (what, before = last) => {
    await new Promise((done) => setTimeout(done));
    const values = traits.map((name) => [name, window.models[0].get(name)]);
    last = drawn();
    found.push([what, structuredClone(Object.fromEntries(values)), last, before]);
  };
  const put = (node, place) => {
    const select = node.tagName === "SELECT";
    const [key, type] = select ? ["selectedIndex", "change"] : ["value", "input"];
    node[key] = place;
    node.dispatchEvent(new Event(type, { bubbles: true }));
  };
  async function turn(node, what, most) {
    const before = last;
    if (node.type === "checkbox") {
      for (const _ of [0, 1]) { node.click(); await tell(what, before); }
      return;
    }
    const select = node.tagName === "SELECT";
    const end = select ? node.options.length - 1 : +node.max;
    const start = select ? node.selectedIndex : +node.value;
    const stride = Math.ceil((end + 1) / most);
    const all = [...Array(end + 1).keys()];
    const some = all.filter((i) => i % stride === 0 || i === end);
    for (const i of [...some, start]) { put(node, i); await tell(what, before); }
  }
  const nodes = [...root.querySelectorAll("[data-key]")];
  await tell("start");
  for (const node of nodes) await turn(node, node.dataset.key, 25);
  for (const node of nodes.filter(({ tagName }) => tagName === "SELECT")) {
    put(node, 1);
    await tell("select");
  }
  for (const node of nodes) await turn(node, `again ${node.dataset.key}`, 3);
  for (const canvas of root.querySelectorAll("canvas"))
    for (const key of ["ArrowRight", "ArrowDown", "End", "PageDown", "ArrowUp", "Home",
      "Enter", " ", "Escape"]) {
      canvas.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
      await tell("key");
    }
  const buttons = [...root.querySelectorAll("button:not(.pe-copy)")];
  for (const button of [...buttons, ...buttons.toReversed()]) {
    if (button.disabled || /play|to the end/.test(button.textContent)) continue;
    button.click();
    await tell(`button ${button.textContent}`);
  }
  return found;
}"""


#: Brings every control to a place that is drawn by lot, presses a button or none, and
#: walks on every canvas: some cells down and to the right of the first one. Tells the
#: traits, what is drawn and said, and what was said of each cell. Guesses are revealed.
WANDER = """async (root, [rounds, traits]) => {
  const found = [], now = () => structuredClone(Object.fromEntries(
    traits.map((name) => [name, window.models[0].get(name)])));
  const words = () => root.querySelector(".pe-readout").textContent;
  const choose = async (node, chance) => {
    if (node.type === "checkbox") {
      if (node.checked !== chance < 0.5) node.click();
    } else {
      const select = node.tagName === "SELECT";
      const end = select ? node.options.length - 1 : +node.max;
      node[select ? "selectedIndex" : "value"] = Math.floor(chance * (end + 1));
      node.dispatchEvent(new Event(select ? "change" : "input", { bubbles: true }));
    }
    await Promise.resolve();
  };
  const press = async (canvas, key) => {
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    await Promise.resolve();
  };
  const buttons = (some) => [...root.querySelectorAll("button")]
    .filter((button) => !button.disabled && some.test(button.textContent));
  buttons(/^show it$/)[0]?.click();
  for (const { chances, pressed, down, right } of rounds) {
    for (const [i, node] of [...root.querySelectorAll("[data-key]")].entries())
      await choose(node, chances[i]);
    const some = buttons(/^(?!.*(play|copy|to the end|slide|hide|reset))/);
    some[Math.floor(2 * pressed * some.length)]?.click();
    await Promise.resolve();
    const cells = [], walk = [...Array(2).fill(["Home", "PageUp"]).flat(), "Home",
      ...Array(down).fill("ArrowDown"), ...Array(right).fill("ArrowRight")];
    for (const canvas of root.querySelectorAll("canvas")) {
      for (const key of walk) await press(canvas, key);
      cells.push([now(), words()]);
      await press(canvas, "Escape");
    }
    const labels = [...root.querySelectorAll("[data-key]")].map((node) =>
      [node.dataset.key, node.ariaValueText ?? node.selectedOptions?.[0].label ?? ""]);
    const drawn = JSON.parse(root.dataset.shown);
    found.push([now(), drawn, root.textContent, labels, cells]);
  }
  return found;
}"""

#: What a control says of its value, where that is nothing but a number.
NUMBER = re.compile(r"−?\d[\d,]*(\.\d+)?°?")


def lots(count):
    rng = np.random.default_rng(0)
    return [
        {
            "chances": rng.random(30).tolist(),
            "pressed": rng.random(),
            "down": int(rng.integers(8)),
            "right": int(rng.integers(8)),
        }
        for _ in range(count)
    ]


def test_widget_shows_numbers_computed_by_posenc(page, cls):
    rounds = lots(16)
    found = widget(page).evaluate(WANDER, [rounds, settable(cls)])
    for lot, (traits, drawn, text, labels, cells) in zip(rounds, found, strict=True):
        state = cls(**traits)
        numbers, phrases = SHOWN[cls](state)
        compare(drawn, numbers)
        for phrase, there in phrases.items():
            assert (phrase in text) == there, (phrase, text)
        for number, (pointed_at, words) in enumerate(cells):
            if tell := POINTED.get((cls, number)):
                told = tell(cls(**pointed_at), lot["down"], lot["right"])
                for part in [told] if isinstance(told, str) else told:
                    assert part in words
        for key, label in labels:
            if NUMBER.fullmatch(label):
                number = float(re.sub("[,°]", "", label).replace("−", "-"))
                assert number == traits[key], key


def check_table(root, cls):
    """Compare the numbers in a widget's table with those that posenc computes."""
    for row, wanted in zip(table_rows(root), TABLES[cls](cls()), strict=True):
        for cell, want in zip(row, wanted, strict=False):
            if isinstance(want, float):
                plain = cell.replace("−", "-")
                unit = 10.0 ** -len(plain.partition(".")[2])
                assert float(plain) == pytest.approx(want, abs=0.51 * unit)
            else:
                assert want in (..., cell)


def check_colors(root, cls):
    """Compare the colors of cells with those of their numbers."""
    canvases = root.locator("canvas")
    for number in [number for one, number in PIXELS if one is cls]:
        box = canvases.nth(number).bounding_box()
        size = int(box["width"]), int(box["height"])
        places, want = PIXELS[cls, number](cls(), *size)
        found = canvases.nth(number).evaluate(COLORS, places)
        # Where a value lies on the edge of two colors, either is right.
        np.testing.assert_allclose(found, want, atol=6)


@pytest.fixture(
    scope="module", params=every_widget(), ids=lambda cls: cls.__name__, autouse=True
)
def cls(request):
    return request.param


@pytest.fixture(scope="module")
def address(cls, tmp_path_factory):
    path = tmp_path_factory.mktemp("widget") / "page.html"
    with undrawn():
        text = twice(cls)
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def twice(cls):
    """Page on which a widget stands two times."""
    first = cls().static_html()
    place = re.search(r'<div id="([^"]+)"', first)[1]
    html = first + first.replace(f'"{place}"', f'"{place}-again"')
    assert html.count(HOST) == 2
    assert html.count(f'"{place}"') == html.count(f'"{place}-again"') == 2
    return widget_page.PAGE.format(widgets=html.replace(HOST, KEPT))


def buttons(root, name):
    return root.get_by_role("button", name=name, exact=True)


def fits(page):
    return page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth &&
        [...document.querySelectorAll("canvas")].every((canvas) => {
          const room = canvas.closest(".pe-widget").getBoundingClientRect();
          return canvas.getBoundingClientRect().right <= room.right; })"""
    )


def test_live_widget_replaces_its_picture(page, cls):
    assert page.locator(".pe-widget").count() == 2
    assert page.locator("img").count() == 0
    root = widget(page)
    assert root.locator("input, select").count()
    assert shown(root) is not None
    assert readout(root).strip()
    assert page.evaluate(NAMELESS) == []
    assert fits(page)
    check_colors(root, cls)
    if cls in TABLES:  # the others repeat what the pictures say
        check_table(root, cls)


def test_controls_set_states_that_python_accepts(page, cls):
    root, other = widget(page), widget(page, 1)
    still = (pictures(other), readout(other), shown(other))
    traits = settable(cls)
    found = root.evaluate(VISIT, traits)
    for key in root.locator("[data-key]").evaluate_all(
        "a => a.map(n => n.dataset.key)"
    ):
        visits = [visit for visit in found if visit[0] in {key, f"again {key}"}]
        moved = any(drawn != before for *_, drawn, before in visits)
        assert moved or (cls.__name__, key) in LATER, key
        if cls.__name__ not in LEADING:
            drawn, before = [visit[2:] for visit in found if visit[0] == key][-1]
            assert drawn == before, f"{key} does not lead back"
    moving = {what for what, _, drawn, before in found if drawn != before}
    pressed = {what for what, *_ in found if what.startswith("button ")}
    assert pressed - {"button reset"} <= moving  # see the test of reset
    settings = {repr(values): values for _, values, *_ in found}
    refused = [v for v in settings.values() if not accepts(cls, v)]
    assert refused == []
    assert (pictures(other), readout(other), shown(other)) == still


TOUCH = """(root) => {
  const start = root.querySelector(".pe-readout").textContent;
  for (const canvas of root.querySelectorAll("canvas")) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    for (let i = 1; i < 40; i++) for (const high of [0.3, 0.5, 0.7]) {
      const touch = { pointerType: "touch", pointerId: 7,
        clientX: left + width * i / 40, clientY: top + height * high };
      canvas.dispatchEvent(new PointerEvent("pointermove", touch));
      canvas.dispatchEvent(new PointerEvent("pointerleave", touch));
      if (root.querySelector(".pe-readout").textContent !== start) return;
    }
  }
}"""

#: One after the other: some are dragged, and tell nothing.
FOCUS = "root => root.querySelectorAll('canvas[tabindex]').forEach((c) => c.focus())"

VALUES = "(traits) => JSON.stringify(traits.map((name) => window.models[0].get(name)))"

#: These show at the next step, or the next click; their chapters test it.
LATER = {("ShiftSteps", "method"), ("WindowIndex", "moves")}

#: A choice of these sets other traits, too, which stay.
LEADING = {"BucketTable", "ImpulseAndBorders", "RelativeVectors", "ShiftSteps"}
LEADING |= {"ShuffledAttention", "LinearBias", "TrainedRuns", "MethodMatrices"}


@pytest.mark.slow
def test_reset_restores_the_first_state(page):
    root = widget(page)
    if not buttons(root, "reset").count():
        pytest.skip("it has no such button")
    before = (pictures(root), readout(root), shown(root))
    for node in root.locator("[data-key]").all():
        kind = node.evaluate("n => n.type")
        node.press({"checkbox": "Space", "select-one": "ArrowDown"}.get(kind, "End"))
    assert shown(root) != before[2]
    buttons(root, "reset").press("Enter")
    assert (pictures(root), readout(root), shown(root)) == before


@pytest.mark.slow
def test_keyboard_reaches_pictures_and_escape_leaves(page, cls):
    root, traits = widget(page), settable(cls)
    start = page.evaluate(VALUES, traits), readout(root)
    canvases = root.locator("canvas[tabindex]")
    reached = 0
    page.keyboard.press("Tab")
    while root.evaluate("root => root.contains(document.activeElement)"):
        focused = root.locator(":focus")
        style = focused.evaluate("node => getComputedStyle(node).outline")
        assert "solid 3px" in style
        if focused.evaluate("node => node.matches('canvas')"):
            reached += 1
            seen = []
            for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Escape"):
                page.keyboard.press(key)
                seen.append((page.evaluate(VALUES, traits), readout(root)))
            assert len(set(seen)) > 1
            if all(values == start[0] for values, _ in seen):  # it only tells
                assert seen[-1] == start
        page.keyboard.press("Tab")
    assert reached == canvases.count()


@pytest.mark.slow
def test_tooltip_appears_on_hover_and_disappears(page):
    root = widget(page)
    before = readout(root), pictures(root)
    told, heights = root.evaluate(
        """async (root) => {
        const told = [], line = root.querySelector(".pe-readout"), heights = [];
        for (const canvas of root.querySelectorAll("canvas")) {
          const { left, top, width, height } = canvas.getBoundingClientRect();
          for (let i = 1; i < 40; i++) for (const high of [0.3, 0.5, 0.7]) {
            const at = { clientX: left + width * i / 40, clientY: top + height * high };
            canvas.dispatchEvent(new PointerEvent("pointermove", at));
            told.push(line.textContent);
            heights.push(line.offsetHeight);
          }
          const mouse = { pointerType: "mouse" };
          canvas.dispatchEvent(new PointerEvent("pointerleave", mouse));
        }
        return [told, heights];
      }"""
    )
    assert heights == sorted(heights)  # what is below never moves up
    if root.locator(".pe-readout[role=status]").count():
        assert len(set(told)) > 1
        assert readout(root) == before[0]
        root.evaluate(TOUCH)
        assert readout(root) != before[0]  # a touch stays when the finger goes
        root.evaluate(FOCUS)
        root.evaluate("() => document.activeElement.blur()")
    assert (readout(root), pictures(root)) == before
    assert root.locator(".pe-tip:visible").count() == 0


#: Its first step holds nothing but numbers on the colors of the table.
SAME_IN_BOTH_THEMES = {"ShiftSteps"}


@pytest.mark.slow
def test_theme_change_redraws(page, cls):
    root = widget(page)
    light = pictures(root)
    set_theme(page, "dark")
    dark = pictures(root)
    changed = [a != b for a, b in zip(light, dark, strict=True)]
    assert all(changed) or cls.__name__ in SAME_IN_BOTH_THEMES
    channels = [int(THEMES["dark"]["surface"][i : i + 2], 16) for i in (1, 3, 5)]
    background = root.evaluate("root => getComputedStyle(root).backgroundColor")
    assert background == f"rgb({', '.join(map(str, channels))})"
    set_theme(page, "light")
    assert pictures(root) == light


@pytest.mark.slow
def test_widget_fits_its_page_with_every_setting(page):
    root = widget(page)
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        for key in ("End", "Home"):
            for node in root.locator("input[type=range], select").all():
                node.press(key)
            page.evaluate(browsing.SETTLE)  # it is redrawn with the next frame
            assert fits(page), (width, key)


@pytest.mark.slow
def test_without_javascript_the_pictures_are_there(open_page, cls, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(twice(cls), encoding="utf-8")
    page = open_page(path.as_uri(), width=360, javascript=False)
    images = [image for image in page.locator("img").all() if image.is_visible()]
    assert [i.get_attribute("alt") for i in images] == [cls().picture().alt] * 2
    assert all(image.bounding_box()["width"] > 200 for image in images)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("canvas").count() == 0


@pytest.mark.slow
def test_axe_finds_nothing(open_page, address):
    page = open_page(address)
    unfold(page)
    for theme in ("light", "dark"):
        set_theme(page, theme)
        assert violations(page) == [], theme
