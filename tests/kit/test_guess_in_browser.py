"""Widgets on which readers guess first, and then reveal the truth."""

import math
import re
from functools import partial

import pytest
from widget_page import (
    FOLLOW,
    control,
    facts,
    pictures,
    readout,
    shown,
    table_rows,
    unfold,
    violations,
    widget,
)

from posenc.linear_attention.widgets import MeasuredCost
from posenc.music_transformer.widgets import MemoryCalculator
from posenc.rope.widgets import DecayCurves

pytestmark = pytest.mark.browser

CLASSES = (MeasuredCost, DecayCurves, MemoryCalculator)
#: Each as it starts, and once more with all that is hidden.
WIDGETS = (*CLASSES, *(partial(cls, revealed=True) for cls in CLASSES))

#: What each says of the truth, to readers and in what it says it draws.
SECRETS = {
    MeasuredCost: ("14.5 ms", "linear_causal"),
    DecayCurves: ("\t69.9\t", "score"),
    MemoryCalculator: ("8.59 GB", "vectors"),
}
#: What the status line says once a guess is made, and once it is revealed.
GUESSED = {
    MeasuredCost: r"You guess for causal linear: ",
    DecayCurves: r"You guess [\d.]+ at distance \d+\.$",
    MemoryCalculator: r"You guess ",
}
MISSED = {
    MeasuredCost: r"You guessed [\d.]+ ms: too (high|low) by a factor of [\d.]+\.$",
    MemoryCalculator: r"^You guessed [\d.]+ MB: too low by a factor of [\d.,]+\. ",
    DecayCurves: r"^Of the dots that you moved, that at distance \d+ is furthest off: ",
}

#: Points of the curves that are hidden, in all pictures, less those of the guess.
POINTS = {MeasuredCost: 21 - 7, DecayCurves: 2 * 300 - 8}

CURVES, BAR = (0, 1), 2

#: Places of the handles of a picture, which is drawn again for it.
HANDLES = """(canvas) => {
  const all = CanvasRenderingContext2D.prototype, { arc } = all, found = new Set();
  all.arc = function (x, y, radius, ...rest) {
    if (radius === 7) found.add(`${x},${y}`);
    return arc.call(this, x, y, radius, ...rest);
  };
  canvas.dispatchEvent(new Event("blur"));
  all.arc = arc;
  return [...found].map((place) => place.split(",").map(Number));
}"""

#: Whether a finger that comes down at a place of a picture may scroll the page.
SCROLLS = """(canvas, [x, y]) => {
  const { left, top } = canvas.getBoundingClientRect();
  const place = { clientX: left + x, clientY: top + y };
  const touch = new Touch({ identifier: 1, target: canvas, ...place });
  const touches = { touches: [touch], cancelable: true };
  return canvas.dispatchEvent(new TouchEvent("touchstart", touches));
}"""

#: How many lines are drawn in all pictures of a widget in the other theme.
LINES = """async (root) => {
  const all = CanvasRenderingContext2D.prototype, { lineTo } = all;
  let lines = 0;
  all.lineTo = function (...place) {
    if (root.contains(this.canvas)) lines++;
    return lineTo.apply(this, place);
  };
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
  await new Promise((done) => requestAnimationFrame(done));
  all.lineTo = lineTo;
  return lines;
}"""


def button(root, name):
    return root.get_by_role("button", name=name, exact=True)


def curve(root):
    """The picture on which a curve is guessed."""
    return root.locator("canvas").first


def handles(root):
    return curve(root).evaluate(HANDLES)


def make_guess(root):
    """Guess by keyboard: move the handle in the middle, or the only one, far down."""
    slider = root.locator("[data-key=guess]")
    if slider.count():
        for _ in range(3):
            slider.press("PageDown")
        return
    curve(root).press("ArrowLeft")
    curve(root).press("ArrowLeft")
    for _ in range(3):
        curve(root).press("PageDown")


def look(root):
    """All that is seen in the pictures of a widget."""
    drawn = pictures(root)
    return tuple(drawn) if drawn else root.locator(".pe-panel").inner_html()


def revealed(page, index):
    """The same widget with all that is hidden, as a reader never sees it first."""
    return widget(page, len(CLASSES) + index)


def reveal(root):
    button(root, "reveal").press("Enter")


@pytest.fixture(params=range(3), ids=[cls.__name__ for cls in CLASSES], scope="module")
def index(request):
    return request.param


def test_the_truth_is_hidden_first_and_can_be_shown_at_once(page, index):
    root, (secret, name) = widget(page, index), SECRETS[CLASSES[index]]
    if root.locator("summary").count():
        table_rows(root)
    assert secret not in root.inner_text()
    assert f'"{name}"' not in root.get_attribute("data-shown")
    assert "Guess" in readout(root)
    whole = revealed(page, index)
    if index in CURVES:  # what is hidden is not drawn either
        hidden, all_lines = (one.evaluate(LINES) for one in (root, whole))
        assert all_lines - hidden >= POINTS[CLASSES[index]]
    button(root, "show it").press("Enter")
    assert secret in root.inner_text()
    assert (look(root), readout(root), facts(root), shown(root)) == (
        look(whole),
        readout(whole),
        facts(whole),
        shown(whole),
    )


def test_keys_guess_reveal_and_hide(page, index):
    root, cls = widget(page, index), CLASSES[index]
    start = look(root), readout(root), shown(root)
    make_guess(root)
    assert re.match(GUESSED[cls], readout(root))
    assert SECRETS[cls][0] not in root.inner_text()
    assert look(root) != start[0]
    reveal(root)
    assert button(root, "hide").evaluate("node => node === document.activeElement")
    assert re.search(MISSED[cls], readout(root))
    assert look(root) != look(revealed(page, index))  # the guess stays
    page.keyboard.press("Enter")
    assert (look(root), readout(root), shown(root)) == start
    page.keyboard.press("Enter")
    assert look(root) == look(revealed(page, index))


@pytest.mark.parametrize("index", CURVES)
def test_keys_lead_to_every_handle_and_move_it_alone(page, index):
    root = widget(page, index)
    before = handles(root)
    told = set()
    curve(root).press("Home")
    for i in range(len(before)):
        told.add(readout(root))
        curve(root).press("ArrowDown")
        after = handles(root)
        assert [a != b for a, b in zip(after, before, strict=True)] == [
            j == i for j in range(len(before))
        ]
        assert after[i][0] == before[i][0]
        assert after[i][1] > before[i][1]
        before = after
        curve(root).press("ArrowRight")
    assert len(told) == len(before)


@pytest.mark.parametrize("index", CURVES)
def test_handles_stay_in_the_picture(page, index):
    root = widget(page, index)
    for key in ("PageDown", "PageUp"):
        for _ in range(30):
            curve(root).press(key)
        (*_, (_, y)), before = handles(root), shown(root)
        assert 0 < y < curve(root).bounding_box()["height"]
        curve(root).press(key)
        assert shown(root) == before
        curve(root).press("ArrowUp" if key == "PageDown" else "ArrowDown")
        assert handles(root)[-1][1] != y  # none lies beyond the border


@pytest.mark.parametrize("index", CURVES)
def test_a_pointer_drags_one_handle_and_a_finger_does_not_scroll(page, index):
    root = widget(page, index)
    curve(root).scroll_into_view_if_needed()
    box, before = curve(root).bounding_box(), handles(root)
    x, y = before[1]
    assert not curve(root).evaluate(SCROLLS, [x + 5, y])
    assert curve(root).evaluate(SCROLLS, [x, y + 90])
    far = 40 if y < box["height"] / 2 else -40
    page.mouse.move(box["x"] + x + 4, box["y"] + y - 4)
    page.mouse.down()
    page.mouse.move(box["x"] + x + 30, box["y"] + y + far, steps=4)
    page.mouse.up()
    page.mouse.move(1, 1)
    after = handles(root)
    assert after[1][0] == x
    assert after[1][1] == pytest.approx(y + far, abs=12)
    assert [*after[:1], *after[2:]] == [*before[:1], *before[2:]]
    assert re.match(GUESSED[CLASSES[index]], readout(root))
    reveal(root)
    assert curve(root).evaluate(SCROLLS, [x + 5, after[1][1]])


def test_a_bar_is_dragged_by_its_end(page):
    root = widget(page, BAR)
    track = root.locator("[aria-hidden=true]").first
    track.scroll_into_view_if_needed()
    box, share = track.bounding_box(), (math.log10(16e9) - 3) / 12
    x, y = box["x"] + share * box["width"], box["y"] + 12
    assert not track.evaluate(SCROLLS, [x - box["x"], 12])
    for end, guess in ((0.5, 10**9), (0.75, 10**12), (0.75 + 1, 10**15)):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(box["x"] + end * box["width"], y + 30, steps=3)
        page.mouse.up()
        x = box["x"] + min(end, 1) * box["width"]
        told = control(root, "guess").get_attribute("aria-valuetext")
        assert f"your guess: {told}" in root.inner_text()
        assert shown(root)["guess"] == min(round(10 * math.log10(guess / 16e9)), 47)
    page.mouse.move(box["x"] + 20, y)  # far from the end
    page.mouse.down()
    page.mouse.move(box["x"] + 90, y)
    page.mouse.up()
    assert shown(root)["guess"] == 47
    reveal(root)
    assert not control(root, "guess").is_visible()
    button(root, "hide").press("Enter")
    assert control(root, "guess").is_visible()


def test_a_guess_is_dropped_when_the_setting_changes(page, index):
    root = widget(page, index)
    setting = root.locator("select, input[type=range]").first
    make_guess(root)
    setting.press("End")
    assert button(root, "show it").count() == 1
    assert "ou guess " not in readout(root)
    setting.press("Home")
    make_guess(root)
    reveal(root)
    assert re.search(MISSED[CLASSES[index]], readout(root))
    setting.press("End")
    assert "guess" not in readout(root)
    button(root, "reset").press("Enter")
    assert button(root, "show it").count() == 1


def test_other_views_of_the_same_cost_keep_the_guess(page):
    root = widget(page, CLASSES.index(MeasuredCost))
    make_guess(root)
    for key in ("log_axes", "all_methods"):
        control(root, key).press("Space")
    control(root, "seq_len").press("Home")
    assert button(root, "reveal").count() == 1


def test_costs_are_compared_with_the_dots_that_were_moved_alone(page):
    root = widget(page, CLASSES.index(MeasuredCost))
    curve(root).press("PageUp")
    assert re.fullmatch(
        r"You guess for causal linear: [\d.]+ ms at 16,384 tokens\.",
        root.locator(".pe-readout").evaluate(
            "node => { document.activeElement.blur(); return node.textContent; }"
        ),
    )
    reveal(root)
    assert readout(root).startswith("Length 16,384, ")
    assert re.search(MISSED[MeasuredCost], readout(root))
    control(root, "seq_len").press("Home")
    assert readout(root).startswith("Length 1,024, ")
    assert "guess" not in readout(root)


def test_reveal_is_animated(moving, page):
    for index in range(3):
        root, still = widget(moving, index), widget(page, index)
        for one in (still, root):
            make_guess(one)
            reveal(one)
        words, drawn = readout(root), [look(root)]
        for _ in range(12):
            moving.clock.run_for(100)
            drawn.append(look(root))
        assert len(set(drawn)) > 4
        assert readout(root) == words
        assert drawn[-1] == look(still)


def test_a_link_carries_the_guess(open_page, address):
    page = open_page(address)
    for index, cls in enumerate(CLASSES):
        root = widget(page, index)
        for wrong in ("guess=[0]", "guess=[99,0,0,0,0]", "guess=7000", "revealed=1"):
            page.evaluate(FOLLOW, f"{cls.__name__}?{wrong}")
            assert button(root, "show it").count() == 1, wrong
        make_guess(root)
        reveal(root)
        words, drawn = readout(root), look(root)
        button(root, "copy link").press("Enter")
        page.wait_for_function("location.hash.includes('guess=')")
        page.reload()
        assert (readout(root), look(root)) == (words, drawn)


@pytest.mark.slow
def test_axe_finds_nothing_in_any_state(page):
    unfold(page)
    for index in range(3):
        make_guess(widget(page, index))
    assert violations(page) == []
    for index in range(3):
        reveal(widget(page, index))
    assert violations(page) == []
