"""What moves by itself: changes that take time, and settings that play."""

import pytest
from widget_page import control, pictures, readout, shown, widget

from posenc.music_transformer.widgets import SkewSteps
from posenc.rope.widgets import LayoutMixup, TurnedPair
from posenc.transformer_xl.widgets import FourTerms, ShiftSteps

pytestmark = pytest.mark.browser

WIDGETS = (TurnedPair, LayoutMixup, ShiftSteps, SkewSteps, FourTerms)

#: Resolves once the browser has told those who watch an element that it is hidden.
HIDDEN = """element => new Promise((done) => {
  const watch = new IntersectionObserver((entries) => {
    if (entries.at(-1).isIntersecting) return;
    watch.disconnect();
    done();
  });
  watch.observe(element);
})"""


def test_change_is_animated_and_announced_at_once(moving):
    root = widget(moving)
    start = pictures(root)
    control(root, "n").press("ArrowRight")
    assert readout(root).startswith("Query at 1, key at 4")
    assert shown(root)["k"] == 90 + 4 * 30
    drawn = [pictures(root)]
    for _ in range(15):
        moving.clock.run_for(40)
        drawn.append(pictures(root))
    assert len({tuple(one) for one in drawn}) > 6
    assert drawn[-1] == drawn[-2]
    control(root, "n").press("ArrowLeft")
    moving.clock.run_for(600)
    assert pictures(root) == start


@pytest.mark.parametrize(
    ("index", "key", "press", "back"),
    [
        (1, "runs", "ArrowDown", "ArrowUp"),
        (2, "step", "ArrowRight", "ArrowLeft"),
        (4, "use_b", "Space", "Space"),
    ],
)
def test_changes_without_numbers_are_animated(moving, page, index, key, press, back):
    root, still = widget(moving, index), widget(page, index)
    start = pictures(root)
    control(root, key).press(press)
    control(still, key).press(press)
    assert shown(root) == shown(still)
    drawn = []
    for _ in range(12):
        moving.clock.run_for(100)
        drawn.append(pictures(root))
    assert len({tuple(one) for one in drawn}) > 3
    assert drawn[-1] == drawn[-2] == pictures(still)
    control(root, key).press(back)
    moving.clock.run_for(1500)
    assert pictures(root) == start
    control(still, key).press(back)


def test_play_stops_by_hand_at_the_end_and_when_hidden(moving):
    root = widget(moving)
    play = root.locator("[data-play]")
    assert play.inner_text().endswith("slide both along the text")
    play.press("Enter")
    moving.clock.run_for(1100)
    assert readout(root).startswith("Query at 4, key at 6")
    assert play.inner_text().endswith("pause")
    play.press("Enter")
    moving.clock.run_for(2000)
    assert readout(root).startswith("Query at 4, key at 6")
    play.press("Enter")
    control(root, "degrees").press("ArrowRight")  # another trait: it goes on
    moving.clock.run_for(600)
    assert readout(root).startswith("Query at 6, key at 8")
    control(root, "m").press("ArrowLeft")
    moving.clock.run_for(2000)
    assert readout(root).startswith("Query at 5, key at 8")
    play.press("Enter")
    moving.clock.run_for(60_000)
    assert readout(root).startswith("Query at 21, key at 24")
    assert play.inner_text().endswith("slide both along the text")
    play.press("Enter")  # once more, from the start
    assert readout(root).startswith("Query at 0, key at 3")
    root.evaluate("root => { root.style.display = 'none'; }")
    root.evaluate(HIDDEN)
    moving.clock.run_for(5000)
    assert root.locator(".pe-readout").text_content().startswith("Query at 0, key at 3")
