"""The T5 widget on a static page, opened from the disk in a real browser."""

import re

import numpy as np
import pytest
from widget_page import control, pictures, shown, table_rows, widget

from posenc import t5
from posenc.core.arrays import relative_positions
from posenc.t5.figures import mpnet_head
from posenc.t5.widgets import BucketTable

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (BucketTable, BucketTable)

RANGES = ("q_len", "k_len", "num_buckets", "max_distance")


#: Brings the controls of a widget to each setting, through possible ones alone, and
#: tells what it then says and draws: diagonals, sentences, the cell that keys lead to,
#: how many values its ranges offer.
VISIT = """async (root, visits) => {
  const table = root.querySelector("canvas");
  const control = (key) => root.querySelector(`[data-key=${key}]`);
  const fire = async (input, type) => {
    input.dispatchEvent(new Event(type, { bubbles: true }));
    await Promise.resolve();
  };
  const slide = async (key, value, guess = 0) => {
    const input = control(key);
    for (let i = guess; i <= +input.max; i++) {
      input.value = i;
      await fire(input, "input");
      if (input.getAttribute("aria-valuetext") === String(value)) return;
    }
    throw new Error(`cannot choose ${key} ${value}`);
  };
  const found = [];
  for (const [setting, keys] of visits) {
    await slide("max_distance", 512, +control("max_distance").max);
    control("bidirectional").selectedIndex = setting.bidirectional ? 0 : 1;
    await fire(control("bidirectional"), "change");
    await slide("num_buckets", setting.num_buckets);
    await slide("max_distance", setting.max_distance);
    await slide("q_len", setting.q_len, setting.q_len - 1);
    await slide("k_len", setting.k_len, setting.k_len - 1);
    const buckets = JSON.parse(root.dataset.shown).buckets;
    const facts = root.querySelector(".pe-facts").textContent;
    const press = (key) => table.dispatchEvent(new KeyboardEvent("keydown", { key }));
    keys.forEach(press);
    const offered = {
      num_buckets: +control("num_buckets").max + 1,
      max_distance: +control("max_distance").max + 1,
    };
    const cell = root.querySelector(".pe-readout").textContent;
    found.push([buckets, facts, cell, offered]);
    press("Escape");
  }
  return found;
}"""


def setting_of(root):
    """The setting that the controls show."""
    values = {
        key: int(control(root, key).get_attribute("aria-valuetext")) for key in RANGES
    }
    past = control(root, "bidirectional").evaluate("input => input.selectedIndex")
    return {**values, "bidirectional": past == 0}


def bucket_setting(setting):
    names = ("num_buckets", "max_distance", "bidirectional")
    return {name: setting[name] for name in names}


def matrix_of(diagonals, setting):
    """The table that the widget draws: each row a window of the diagonals."""
    q_len, k_len = setting["q_len"], setting["k_len"]
    offsets = relative_positions(q_len, k_len) + q_len - 1
    return np.asarray(diagonals)[offsets]


def expected_matrix(setting):
    positions = relative_positions(setting["q_len"], setting["k_len"])
    return t5.relative_position_bucket(positions, **bucket_setting(setting))


def possible(setting):
    try:
        t5.bucket_starts(**bucket_setting(setting))
    except ValueError:
        return False
    return True


def random_settings(count, seed=0):
    rng = np.random.default_rng(seed)
    choices = BucketTable().choices
    found = []
    while len(found) < count:
        setting = {
            "num_buckets": int(rng.choice(choices["num_buckets"])),
            "max_distance": int(rng.choice(choices["max_distance"])),
            "bidirectional": bool(rng.integers(2)),
        }
        if not possible(setting):
            continue
        lengths = rng.integers(1, choices["max_length"], size=2, endpoint=True)
        setting["q_len"], setting["k_len"] = lengths.tolist()
        found.append(setting)
    return found


class TestNumbers:
    def test_they_are_posencs_in_random_settings(self, page):
        settings, rng = random_settings(240), np.random.default_rng(1)
        rows, columns = {"PageUp": 0, "PageDown": -1}, {"Home": 0, "End": -1}
        corners = [
            (rng.choice(list(rows)), rng.choice(list(columns))) for _ in settings
        ]
        visits = [
            [setting, ["ArrowUp", *keys]]
            for setting, keys in zip(settings, corners, strict=True)
        ]
        shown = widget(page).evaluate(VISIT, visits)
        for setting, (row, column), (diagonals, facts, cell, _) in zip(
            settings, corners, shown, strict=True
        ):
            expected = expected_matrix(setting)
            assert np.array_equal(matrix_of(diagonals, setting), expected)
            self.check_facts(facts, setting)
            q = range(setting["q_len"])[rows[row]]
            k = range(setting["k_len"])[columns[column]]
            assert cell.startswith(f"query {q}, key {k}: relative position ")
            assert cell.split(",")[1].endswith(f" → bucket {expected[q, k]}")
            hidden = k > q and not setting["bidirectional"]
            assert cell.endswith("hidden by the causal mask") == hidden
        assert setting_of(widget(page)) == settings[-1]

    @staticmethod
    def check_facts(facts, setting):
        starts = t5.bucket_starts(**bucket_setting(setting))
        side, exact = len(starts), len(starts) // 2
        empty = int(np.sum(starts[1:] == starts[:-1]))
        assert f"The last bucket begins at distance {starts[-1]}, " in facts
        assert ("max distance itself" in facts) == (
            starts[-1] == setting["max_distance"]
        )
        assert ("Every logarithmic bucket holds" in facts) == (empty == 0)
        if empty:
            assert f"{empty} of the {side - exact} logarithmic buckets" in facts
        never = f"Bucket {setting['num_buckets'] // 2} is never used"
        assert (never in facts) == setting["bidirectional"]
        used = len(np.unique(expected_matrix(setting)))
        assert f"meets {used} of {setting['num_buckets']} buckets" in facts

    def test_cells_have_matplotlibs_colors(self, page):
        root = widget(page)
        table = BucketTable().colors["bucket"]
        canvas = root.locator("canvas").first
        pixels = canvas.evaluate("""(canvas) => {
          const size = Math.floor((canvas.width - 36) / 16); // margin: 36
          const [context, cells] = [canvas.getContext("2d"), [...Array(16).keys()]];
          const image = context.getImageData(36, 36, 16 * size, 16 * size).data;
          const color = (q, k) => 4 * size * (q * 16 * size + k);
          return cells.map((q) => cells.map((k) =>
            [...image.slice(color(q, k), color(q, k) + 3)]));
        }""")
        buckets = expected_matrix(setting_of(root))
        index = np.minimum(np.floor(buckets / 15 * 256).astype(int), 255)
        colors = np.frombuffer(bytes.fromhex(table), np.uint8).reshape(256, 3)
        assert np.array_equal(np.asarray(pixels), colors[index])

    def test_text_table_says_the_same(self, page):
        root = widget(page)
        root.get_by_role("button", name="many empty buckets").press("Enter")
        control(root, "q_len").press("ArrowRight")
        cells = table_rows(root)
        starts = t5.bucket_starts(num_buckets=32, max_distance=20, bidirectional=False)
        buckets = expected_matrix(setting_of(root))
        empty = [*(starts[1:] == starts[:-1]), False]
        assert [int(bucket) for bucket, *_ in cells] == list(range(32))
        assert ["never" in where for _, where, *_ in cells] == empty
        counts = np.bincount(buckets.ravel(), minlength=32)
        assert [int(count) for _, _, count, _ in cells] == counts.tolist()
        assert cells[3][1] == "−3"
        assert cells[31][1] == "−20 and farther back"
        bias = [float(value.replace("−", "-")) for *_, value in cells]
        setting = {"num_buckets": 32, "max_distance": 20, "bidirectional": False}
        np.testing.assert_allclose(bias, mpnet_head(**setting), atol=0.005)

    def test_ranges_offer_every_possible_value_and_no_other(self, page):
        choices = BucketTable().choices
        settings = random_settings(60, seed=3)
        shown = widget(page).evaluate(VISIT, [[setting, []] for setting in settings])
        for setting, (*_, offered) in zip(settings, shown, strict=True):
            for name in ("num_buckets", "max_distance"):
                changed = [{**setting, name: value} for value in choices[name]]
                assert offered[name] == sum(map(possible, changed))

    def test_turning_to_the_past_makes_room(self, page):
        root = widget(page)
        for key, press in [("num_buckets", "End"), ("max_distance", "Home")]:
            control(root, key).press(press)
        assert setting_of(root)["max_distance"] == 20  # 16 exact buckets each way
        control(root, "bidirectional").press("ArrowDown")
        setting = setting_of(root)
        assert bucket_setting(setting) == {
            "num_buckets": 64,
            "max_distance": 64,  # the least that leaves room beyond 32 exact buckets
            "bidirectional": False,
        }
        drawn = shown(root)["buckets"]
        assert np.array_equal(matrix_of(drawn, setting), expected_matrix(setting))


class TestKeyboard:
    def test_arrows_lead_from_step_to_step(self, page):
        root = widget(page)
        stairs = root.locator("canvas").last
        stairs.focus()
        visited = []
        stairs.press("Home")
        for _ in range(15):
            text = root.locator(".pe-readout").inner_text()
            visited.append(int(re.match(r"bucket (\d+):", text)[1]))
            stairs.press("ArrowRight")
        assert visited == [7, 6, 5, 4, 3, 2, 1, 0, 9, 10, 11, 12, 13, 14, 15]


class TestPointer:
    def at(self, root, q, k):
        """Middle of a cell on the page."""
        box = root.locator("canvas").first.bounding_box()
        size = (box["width"] - 36) / 16
        x, y = box["x"] + 36 + (k + 0.5) * size, box["y"] + 36 + (q + 0.5) * size
        return x, y

    def test_hovering_links_the_pictures(self, page):
        root = widget(page)
        before = pictures(root)
        page.mouse.move(*self.at(root, 9, 2))
        text = "query 9, key 2: relative position −7 → bucket 4"
        assert root.locator(".pe-readout").inner_text() == text
        assert root.locator(".pe-tip").first.inner_text() == text
        assert all(a != b for a, b in zip(pictures(root), before, strict=True))
        page.mouse.move(1, 1)
        assert pictures(root) == before
        assert root.locator(".pe-tip").first.is_hidden()

    def test_hovering_a_step_tells_its_relative_positions(self, page):
        root = widget(page)
        box = root.locator("canvas").last.bounding_box()
        page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 40)
        words = root.locator(".pe-readout").inner_text()
        assert words == (
            "bucket 15: relative position +54 and farther on, 0 pairs in the table"
        )


def test_measure_key_press_to_repaint(open_page, address, report):
    page = open_page(address)
    ready = page.evaluate("""() => {
      const [entry] = performance.getEntriesByType("navigation");
      return entry.domContentLoadedEventEnd - entry.responseEnd;
    }""")
    root = widget(page)
    control(root, "num_buckets").focus()
    page.evaluate("""() => {
      const root = document.querySelector(".pe-widget");
      const context = root.querySelector("canvas").getContext("2d");
      window.times = [];
      let start = 0;
      addEventListener("keydown", () => { start = performance.now(); }, true);
      new MutationObserver(() => {
        context.getImageData(0, 0, 1, 1); // waits until the canvas is painted
        times.push(performance.now() - start);
      }).observe(root, { attributes: true, attributeFilter: ["data-shown"] });
    }""")
    measured = report["T5 widget"] = {"ready_ms": round(ready, 1)}
    session = page.context.new_cdp_session(page)
    for slowdown in (1, 4):
        session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        page.evaluate("times.length = 0")
        for key in ["ArrowLeft", "ArrowRight"] * 30:
            page.keyboard.press(key)
        times = page.evaluate("times")
        assert len(times) == 60
        measured[f"repaint_ms_cpu_{slowdown}x"] = {
            "median": round(float(np.median(times)), 2),
            "p95": round(float(np.quantile(times, 0.95)), 2),
        }
