"""The widgets of the chapter on the skew on a static page, in a real browser."""

import itertools
from functools import partial

import numpy as np
import pytest
from widget_page import control, readout, shown, table_rows, widget

from posenc.music_transformer.figures import (
    bytes_in_words,
    memory_bytes,
    skew_frames,
)
from posenc.music_transformer.widgets import (
    HEADS,
    ITEM_SIZES,
    LAYERS,
    LENGTHS,
    PAPER,
    WIDTHS,
    MemoryCalculator,
    SkewSteps,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (SkewSteps, SkewSteps, partial(MemoryCalculator, revealed=True))

SETTINGS = list(itertools.product(range(2, 7), (True, False), range(3)))
CHOICES = {
    "seq_len": LENGTHS,
    "d_model": WIDTHS,
    "num_heads": HEADS,
    "num_layers": LAYERS,
    "itemsize": ITEM_SIZES,
}


#: Brings the skew to each setting; tells what it shows, and what it says of each cell
#: of the matrix before the step, as keys lead through it row by row.
VISIT = """async (root, settings) => {
  const [before] = root.querySelectorAll("canvas");
  const control = (key) => root.querySelector(`[data-key=${key}]`);
  const fire = async (input, type) => {
    input.dispatchEvent(new Event(type, { bubbles: true }));
    await Promise.resolve();
  };
  const press = async (key) => {
    before.dispatchEvent(new KeyboardEvent("keydown", { key }));
    await Promise.resolve();
  };
  const found = [];
  for (const [length, masked, step, rows, columns] of settings) {
    control("seq_len").value = length - 2;
    await fire(control("seq_len"), "input");
    control("masked").selectedIndex = masked ? 0 : 1;
    await fire(control("masked"), "change");
    control("step").value = step;
    await fire(control("step"), "input");
    const stories = [];
    await press("PageUp");
    for (let row = 0; row < rows; row++, await press("ArrowDown")) {
      await press("Home");
      for (let column = 0; column < columns; column++, await press("ArrowRight"))
        stories.push(root.querySelector(".pe-readout").textContent);
    }
    const facts = root.querySelector(".pe-facts").textContent;
    found.push([JSON.parse(root.dataset.shown).cells, facts, stories]);
  }
  return found;
}"""

CALCULATE = """async (root, settings) => {
  const found = [];
  for (const setting of settings) {
    for (const [key, index] of Object.entries(setting)) {
      const input = root.querySelector(`[data-key=${key}]`);
      input.value = index;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    await Promise.resolve();
    found.push([JSON.parse(root.dataset.shown), root.innerText]);
  }
  return found;
}"""


def labels(frames, which):
    return [[frames.label(int(n)) for n in row] for row in frames.matrices[which]]


class TestSkew:
    def test_cells_and_stories_are_those_of_python_in_every_setting(self, page):
        visits = [
            (n, masked, step, *skew_frames(n, masked=masked).matrices[step].shape)
            for n, masked, step in SETTINGS
        ]
        found = widget(page).evaluate(VISIT, visits)
        for (n, masked, step), (cells, facts, stories) in zip(
            SETTINGS, found, strict=True
        ):
            frames = skew_frames(n, masked=masked)
            assert cells == labels(frames, step + 1)
            self.check_facts(facts, frames, masked)
            for number, story in zip(
                frames.matrices[step].ravel(), stories, strict=True
            ):
                self.check_story(story, frames, step, int(number))

    @staticmethod
    def check_facts(facts, frames, masked):
        n = frames.seq_len
        products = n * frames.columns
        assert f"the {len(frames.wanted)} of {products} products" in facts
        if masked:
            count = n * (n - 1) // 2
            words = f"{count} of {n * n} cells, all above the diagonal: {n - 1} zeros, "
            assert f"{words}and {count - (n - 1)} products" in facts
        else:
            assert f"none of {n * n} cells" in facts

    @staticmethod
    def check_story(story, frames, step, number):
        before, after = frames.matrices[step], frames.matrices[step + 1]
        name = f"{frames.label(number)} (query {number // frames.columns}, offset "
        assert story.startswith(name if number >= 0 else "This zero")
        ((row, column),) = np.argwhere(before == number)
        places = np.argwhere(after == number)
        if len(places) == 0:
            assert "is dropped" in story
            return
        ((to_row, to_column),) = places
        if step == 1:
            wide, index = before.shape[1], row * before.shape[1] + column
            assert f"number {row} · {wide} + {column} = {index} in line" in story
            assert f"{index} = {to_row} · {after.shape[1]} + {to_column}:" in story
        if step == 2:
            assert f"That is query {to_row}, key {to_column}" in story
            assert ("garbage" in story) == (number not in frames.wanted)

    def test_a_followed_product_stays_through_the_steps(self, page):
        root = widget(page)
        assert "b2 (query 1, offset −1)" in readout(root)
        for words in ("number 1 · 5 + 3 = 8", "key 0: key − query = −1"):
            root.get_by_role("button", name="next step").press("Enter")
            assert words in readout(root)
        root.get_by_role("button", name="next step").press("Enter")
        assert control(root, "step").input_value() == "0"
        root.get_by_role("button", name="step back").press("Enter")
        assert control(root, "step").input_value() == "2"

    def test_a_zero_stays_through_the_steps(self, page):
        root = widget(page)
        root.locator("canvas").last.focus()
        root.locator("canvas").last.press("Home")
        page.mouse.move(1, 1)
        for words in (
            "number 1 · 5 + 0 = 5 in line",
            "That is query 0, key 1: garbage",
        ):
            root.get_by_role("button", name="next step").press("Enter")
            assert words in readout(root)
        root.get_by_role("button", name="reset").press("Enter")
        assert readout(root).startswith("b2 ")

    def test_a_zero_that_is_not_there_yet_is_given_up(self, page):
        root = widget(page)
        root.locator("canvas").last.focus()
        root.locator("canvas").last.press("Home")
        assert readout(root) == "This zero is put in by this step."
        control(root, "seq_len").press("ArrowRight")
        assert readout(root).startswith("b3 (query 1, offset −1)")

    def at(self, root, side, row, column):
        canvas = root.locator("canvas").nth(side)
        box = canvas.bounding_box()
        size = canvas.evaluate("(canvas) => (canvas.clientHeight - 46) / 4")
        return box["x"] + 26 + (column + 0.5) * size, box["y"] + 42 + (row + 0.5) * size

    def test_a_pointer_looks_and_a_click_follows(self, page):
        root = widget(page)
        page.mouse.move(*self.at(root, 0, 3, 0))
        assert readout(root).startswith("d0 ")
        page.mouse.move(1, 1)
        assert readout(root).startswith("b2 ")
        page.mouse.click(*self.at(root, 1, 0, 4))
        assert readout(root).startswith("a3 ")
        page.mouse.move(1, 1)
        assert readout(root).startswith("a3 ")

    def test_the_text_says_where_every_product_ends(self, page):
        root = widget(page)
        control(root, "seq_len").press("Home")
        assert table_rows(root) == [
            ["a0", "0", "−1", "dropped", "not needed"],
            ["a1", "0", "0", "query 0, key 0", "right"],
            ["b0", "1", "−1", "query 1, key 0", "right"],
            ["b1", "1", "0", "query 1, key 1", "right"],
        ]


class TestMemory:
    def settings(self):
        rng = np.random.default_rng(0)
        for key, values in CHOICES.items():
            for index in range(len(values)):
                for _ in range(4):
                    other = {k: int(rng.integers(len(v))) for k, v in CHOICES.items()}
                    yield {**other, key: index}

    def test_bytes_and_words_are_those_of_python(self, page):
        settings = list(self.settings())
        found = widget(page, 2).evaluate(CALCULATE, settings)
        for setting, (numbers, text) in zip(settings, found, strict=True):
            n, width, heads, layers, size = (CHOICES[k][setting[k]] for k in CHOICES)
            one = memory_bytes(n, width, heads, itemsize=size)
            every = memory_bytes(n, width, heads, num_layers=layers, itemsize=size)
            assert numbers == every
            for name, count in one.items():
                assert f"one head {bytes_in_words(count / heads)}" in text, name
                assert f"one layer {bytes_in_words(count)}" in text, name
                if layers > 1:
                    assert f"{layers} layers {bytes_in_words(every[name])}" in text
            fits = "fits" if every["vectors"] <= 16e9 else "does not fit"
            assert f"it {fits} into 16 GB" in text
            assert f"{n:,} times less" in text

    @pytest.mark.parametrize("length", PAPER)
    def test_buttons_of_the_paper(self, page, length):
        root = widget(page, 2)
        for key in CHOICES:
            control(root, key).press("Home")
        root.get_by_role("button", name=f"paper, L = {length:,}").press("Enter")
        want = memory_bytes(length, 512, 8)
        assert shown(root) == want
        root.get_by_role("button", name="reset").press("Enter")
        assert shown(root) == memory_bytes(2048, 512, 8)
