"""Words that widgets write on their pictures: none covers another, none is cut off."""

import functools

import pytest
import widget_page
from widget_page import every_opening, every_widget, made, undrawn

from posenc.laboratory.figures.looks import LOOKS
from posenc.laboratory.widgets import TrainedRuns

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOST = "widget.render({ model, el });"

#: Keeps what is written on each canvas since it was cleared, with its corners.
LISTEN = """() => {
  const all = CanvasRenderingContext2D.prototype, { fillText, clearRect } = all;
  all.clearRect = function (...box) {
    this.canvas.words = [];
    return clearRect.apply(this, box);
  };
  all.fillText = function (text, x, y, ...rest) {
    const m = this.getTransform(), size = this.measureText(text);
    const left = x - size.actualBoundingBoxLeft;
    const right = x + size.actualBoundingBoxRight;
    const top = y - size.actualBoundingBoxAscent;
    const bottom = y + size.actualBoundingBoxDescent;
    const corners = [[left, top], [right, top], [right, bottom], [left, bottom]].map(
      ([a, b]) => [m.a * a + m.c * b + m.e, m.b * a + m.d * b + m.f]
        .map((number) => number / devicePixelRatio));
    if (String(text).trim() && this.globalAlpha > 0.3)
      (this.canvas.words ??= []).push({ text: String(text), corners });
    return fillText.call(this, text, x, y, ...rest);
  };
}"""

#: Turns every control to some of its values, and collects what covers what.
COLLISIONS = """async (root, marks) => {
  const found = {};
  // Boxes with turned sides are apart if a side of one of them parts them.
  const apart = (a, b) => [a, b].some((box) => [0, 1].some((i) => {
    const [[x, y], [u, v]] = [box[i], box[i + 1]], length = Math.hypot(u - x, v - y);
    const place = ([p, q]) => (p * (u - x) + q * (v - y)) / length;
    const along = (corners) => corners.map(place);
    const [one, other] = [along(a), along(b)];
    return Math.max(...one) < Math.min(...other) + 1 ||
      Math.max(...other) < Math.min(...one) + 1;
  }));
  function note(setting) {
    for (const canvas of root.querySelectorAll("canvas")) {
      const { clientWidth: wide, clientHeight: high } = canvas;
      const words = (canvas.words ?? []).filter(({ text }) => !marks.includes(text));
      if (!wide) continue;
      for (const [i, { text, corners }] of words.entries()) {
        if (corners.some(([x, y]) => x < -1 || y < -1 || x > wide + 1 || y > high + 1))
          found[`“${text}” is cut off`] ??= setting;
        for (const other of words.slice(i + 1))
          if (!apart(corners, other.corners))
            found[`“${text}” and “${other.text}”`] ??= setting;
      }
    }
  }
  async function turn(node, place) {
    const select = node.tagName === "SELECT";
    node[select ? "selectedIndex" : "value"] = place;
    node.dispatchEvent(new Event(select ? "change" : "input", { bubbles: true }));
    await new Promise((done) => setTimeout(done));
    note(`${node.dataset.key}: ${place}`);
  }
  note("start");
  for (const node of root.querySelectorAll("[data-key]")) {
    if (node.type === "checkbox") {
      for (const _ of [0, 1]) {
        node.click();
        await new Promise((done) => setTimeout(done));
        note(node.dataset.key);
      }
      continue;
    }
    const select = node.tagName === "SELECT";
    const last = select ? node.options.length - 1 : +node.max;
    const start = select ? node.selectedIndex : +node.value;
    const some = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * last));
    for (const place of new Set([...some, start])) await turn(node, place);
  }
  for (const button of root.querySelectorAll("button")) {
    if (/copy link/.test(button.textContent)) continue;
    button.click();
    await new Promise((done) => setTimeout(done));
    note(button.textContent);
  }
  return found;
}"""


#: Letters that mark points, and lie where these do.
MARKS = [look.letter for look in LOOKS.values()]


def everything():
    for cls in every_widget():
        yield pytest.param(cls, id=cls.__name__)
        if hasattr(cls, "revealed"):  # it hides words at first
            guess = [-1 for _ in cls().guess] if isinstance(cls().guess, list) else -1
            shown = functools.partial(cls, revealed=True, guess=guess)
            yield pytest.param(shown, id=f"{cls.__name__}, revealed")
    for slug, code in every_opening().items():
        yield pytest.param(code, id=f"opening of {slug}")


@pytest.mark.parametrize("width", [720, 360])
@pytest.mark.parametrize("what", list(everything()))
def test_words_are_whole_and_apart(open_page, tmp_path, what, width):
    with undrawn():
        html = (what() if callable(what) else made(what)).static_html()
    assert html.count(HOST) == 1
    kept = html.replace(HOST, f"({LISTEN})(); {HOST}")
    path = tmp_path / "page.html"
    path.write_text(widget_page.PAGE.format(widgets=kept), encoding="utf-8")
    page = open_page(path.as_uri(), width=width)
    marks = MARKS if what is TrainedRuns else []
    assert widget_page.widget(page).evaluate(COLLISIONS, marks) == {}
