"""The widget on convolution on a static page, opened from the disk."""

import json
from itertools import product

import numpy as np
import pytest
from widget_page import control, facts, readout, table_rows, widget

from posenc.convolutional import grouped_convolution
from posenc.convolutional.figures import PADDINGS, convolve, example_taps, leak
from posenc.convolutional.widgets import CHANNELS, ImpulseAndBorders

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (ImpulseAndBorders, ImpulseAndBorders)

#: Brings controls to each setting (key to place), in order, and returns what is drawn
#: and said. Selects and ranges both hold places.
VISIT = """async (root, visits) => {
  const found = [];
  for (const visit of visits) {
    for (const [key, place] of Object.entries(visit)) {
      const input = root.querySelector(`[data-key=${key}]`);
      if (input.tagName === "SELECT") input.selectedIndex = place;
      else input.value = place;
      const type = input.type === "range" ? "input" : "change";
      input.dispatchEvent(new Event(type, { bubbles: true }));
      await Promise.resolve();
    }
    found.push([JSON.parse(root.dataset.shown),
      root.querySelector(".pe-facts").textContent]);
  }
  return found;
}"""


def divisors(n):
    return [g for g in range(1, n + 1) if n % g == 0]


def settings():
    rng = np.random.default_rng(0)
    for signal, padding, crop in product(range(2), range(3), range(2)):
        for _ in range(6):
            channels = int(rng.choice(CHANNELS))
            seq_len = int(rng.integers(6, 25))
            yield {
                "signal": ("impulse", "constant")[signal],
                "padding": list(PADDINGS)[padding],
                "crop": ("last", "first")[crop],
                "kernel": int(rng.integers(1, 13)),
                "channels": channels,
                "groups": int(rng.choice(divisors(channels))),
                "seq_len": seq_len,
                "place": int(rng.integers(seq_len)),
                "channel": int(rng.integers(channels)),
            }


def places(setting):
    """Where each control has to stand."""
    return {
        "signal": ("impulse", "constant").index(setting["signal"]),
        "padding": list(PADDINGS).index(setting["padding"]),
        "crop": ("last", "first").index(setting["crop"]),
        "kernel": setting["kernel"] - 1,
        "channels": CHANNELS.index(setting["channels"]),
        "groups": divisors(setting["channels"]).index(setting["groups"]),
        "seq_len": setting["seq_len"] - 6,
        "place": setting["place"],
        "channel": setting["channel"],
    }


def expected(setting):
    channels, groups = setting["channels"], setting["groups"]
    taps = example_taps(channels, groups, setting["kernel"])
    way = {"groups": groups, "padding": setting["padding"], "crop": setting["crop"]}
    x = np.ones((setting["seq_len"], channels))
    if setting["signal"] == "impulse":
        x[:] = 0
        x[setting["place"], setting["channel"]] = 1
        out = convolve(x, taps, **way)
        return out, np.linalg.norm(out, axis=1)
    return convolve(x, taps, **way), leak(setting["seq_len"], taps, **way)


def numbers(values):
    return np.asarray(values, dtype=float)  # null becomes NaN


def start(root):
    root.get_by_role("button", name="reset").press("Enter")


class TestNumbers:
    def test_outputs_are_posencs_over_a_grid(self, page):
        wanted = list(settings())
        found = widget(page).evaluate(VISIT, [places(s) for s in wanted])
        for setting, (drawn, words) in zip(wanted, found, strict=True):
            out, size = expected(setting)
            np.testing.assert_allclose(numbers(drawn["output"]).T, out, atol=1e-9)
            np.testing.assert_allclose(numbers(drawn["size"]), size, atol=1e-9)
            missing = int(np.isnan(size).sum())
            assert (f"{missing} frame" in words and "no output" in words) == (
                missing > 0
            )
            cropped = setting["kernel"] % 2 == 0 and setting["padding"] != "valid"
            assert ("one output is cropped" in words) == cropped
            wrong = setting["crop"] == "first" and setting["kernel"] % 2 == 0
            assert ("gets the output of its right neighbor" in words) == wrong
            leaking = np.flatnonzero(np.nan_to_num(size) > 1e-9)
            if setting["signal"] == "constant":
                told = f"{len(leaking)} frame" if len(leaking) else "are equal"
                assert told in words

    def test_published_setting_is_the_packages_own_function(self, page):
        drawn = json.loads(widget(page).get_attribute("data-shown"))
        x = np.zeros((1, 14, 4))
        x[0, 5, 1] = 1
        out = grouped_convolution(x, example_taps(4, 2, 6), groups=2)[0]
        np.testing.assert_allclose(numbers(drawn["output"]).T, out, atol=1e-12)
        assert (drawn["first"], drawn["last"]) == (-3, 2)
        assert "Frames 3 … 8 answer, in channels 0 … 1" in facts(widget(page))

    def test_settings_of_the_exercise(self, page):
        root = widget(page)
        visits = [
            {"kernel": 5, "place": 7},
            {"channels": 3, "groups": 2, "channel": 5},
            {"signal": 1, "kernel": 11, "seq_len": 9},
        ]
        words = [said for _, said in root.evaluate(VISIT, visits)]
        assert "Frames 5 … 10 answer" in words[0]
        assert "in channels 4 … 5" in words[1]
        assert "11 frames of 15 can tell" in words[2]

    def test_fewer_channels_take_groups_and_impulse_along(self, page):
        root = widget(page)
        root.evaluate(VISIT, [{"channels": 3, "groups": 3, "channel": 7}])
        control(root, "channels").press("Home")
        drawn = json.loads(root.get_attribute("data-shown"))
        assert len(drawn["output"]) == 2
        assert control(root, "groups").get_attribute("aria-valuetext") == "2"
        assert control(root, "channel").get_attribute("aria-valuetext") == "1"

    def test_a_shorter_sequence_takes_the_impulse_along(self, page):
        root = widget(page)
        control(root, "place").press("End")
        control(root, "seq_len").press("Home")
        assert control(root, "place").get_attribute("aria-valuetext") == "5"
        assert len(json.loads(root.get_attribute("data-shown"))["size"]) == 6


class TestPictures:
    def test_arrows_lead_from_output_to_output(self, page):
        root = widget(page)
        grids = root.locator("canvas").first
        grids.press("Home")
        said = readout(root)
        assert said.startswith(
            "Frame 0 sees from 3 frames before itself to 2 after: −3 … 2, 3 zeros"
        )
        assert "Output channel 0 sees channels 0 … 1" in said
        grids.press("ArrowDown")
        grids.press("ArrowDown")
        grids.press("End")
        said = readout(root)
        assert said.startswith(
            "Frame 13 sees from 3 frames before itself to 2 after: 10 … 15, 2 "
        )
        assert "Output channel 2 sees channels 2 … 3" in said
        for _ in range(3):
            grids.press("ArrowDown")  # not beyond the last channel
        assert "Output channel 3 sees" in readout(root)
        assert readout(root).startswith("Frame 13 ")

    def test_enter_puts_the_impulse_there(self, page):
        root = widget(page)
        grids = root.locator("canvas").first
        for key in ("Home", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
            grids.press(key)
        assert control(root, "channel").get_attribute("aria-valuetext") == "2"
        assert control(root, "place").get_attribute("aria-valuetext") == "1"
        start(root)

    def test_curve_tells_its_sizes(self, page):
        root = widget(page)
        curve = root.locator("canvas").last
        curve.press("Home")
        for _ in range(4):
            curve.press("ArrowRight")
        _, size = expected(DEFAULT)
        assert readout(root).endswith(f"answer of size {size[4]:.2f}.")

    def test_text_table_says_the_same(self, page):
        root = widget(page)
        cells = table_rows(root)
        out, size = expected(DEFAULT)
        assert [int(row[0]) for row in cells] == list(range(14))
        assert [int(row[2]) for row in cells] == [3, 2, 1] + [0] * 9 + [1, 2]
        assert [float(row[3]) for row in cells] == size.round(2).tolist()
        shown = [
            [float(v.replace("−", "-")) for v in row[4].split("; ")] for row in cells
        ]
        np.testing.assert_allclose(shown, out, atol=0.0051)


DEFAULT = {
    "signal": "impulse",
    "padding": "zeros",
    "crop": "last",
    "kernel": 6,
    "channels": 4,
    "groups": 2,
    "seq_len": 14,
    "place": 5,
    "channel": 1,
}
