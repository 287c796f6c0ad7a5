"""The widget of the laboratory on a static page, in a real browser."""

import pytest
from widget_page import pictures, readout, shown, table_rows, widget

from posenc.laboratory import results
from posenc.laboratory.figures import LOOKS
from posenc.laboratory.figures import shown as trained
from posenc.laboratory.widgets import TrainedRuns

pytestmark = [pytest.mark.browser, pytest.mark.slow]


WIDGETS = (TrainedRuns,)
LENGTH, TRAINING = 0, 1


def box(root, name):
    return root.get_by_role("checkbox", name=LOOKS[name].title, exact=True)


def say(values):
    """Numbers of the seeds in the words of the status line."""
    return ", ".join(f"{v:.2f}" for v in values)


class TestNumbers:
    def test_text_table_holds_every_chosen_encoding(self, page):
        root = widget(page)
        box(root, "learned").check()
        cells = table_rows(root)
        names = [row[0] for row in cells]
        assert names == ["learned table", "sinusoids", "ALiBi", "RoPE"]
        assert cells[0][2:] == ["undefined"] * 4
        values = results("copy")["rope"].accuracy[128]
        low, high = (f"{f(values):.2f}" for f in (min, max))
        assert low in cells[3][2]
        assert high in cells[3][2]


class TestKeyboard:
    def test_arrows_move_the_length_and_lead_from_run_to_run(self, page):
        root = widget(page)
        canvas = root.locator("canvas").nth(LENGTH)
        for _ in range(6):  # from the first run, which has the focus
            canvas.press("ArrowDown")
        values = results("copy")["sinusoidal"].accuracy
        words = "sinusoids, seed 1: accuracy {} at {} tokens (all seeds: {}). Of all "
        own = f"{values[128][0]:.2f}"
        assert readout(root).startswith(words.format(own, 128, say(values[128])))
        canvas.press("ArrowRight")
        own = f"{values[256][0]:.2f}"
        assert readout(root).startswith(words.format(own, 256, say(values[256])))
        assert shown(root)["at"] == 256
        canvas.press("ArrowDown")
        assert readout(root).startswith("sinusoids, seed 2: ")
        canvas.press("End")
        assert readout(root).startswith("sinusoids, seed 2: ")
        assert " at 1,024 tokens (" in readout(root)
        canvas.press("Escape")
        assert readout(root).startswith(
            "Of all encodings, mean of the runs that solved the task at 1,024"
        )
        canvas.press("Home")
        assert "mean of all runs at 64 tokens: " in readout(root)


def chart_of(canvas, index):
    """Left and right end and top and bottom of the lines of a chart."""
    size = canvas.bounding_box()
    wide = (size["width"] - 30 - 6 + 12) / 4 - 12
    left, top = 30 + index % 4 * (wide + 12), 36 + index // 4 * (36 + 66 + 12)
    return left + 7, left + wide - 13, top, top + 66


class TestPointer:
    def test_a_run_is_pointed_at(self, page):
        root = widget(page)
        before = pictures(root)
        canvas = root.locator("canvas").nth(LENGTH)
        canvas.scroll_into_view_if_needed()
        alibi = list(trained("copy")).index("alibi")
        left, right, top, bottom = chart_of(canvas, alibi)
        values = results("copy")["alibi"].accuracy[256]
        for i, value in enumerate(values):
            y = bottom - (bottom - top) * value / 1.04
            canvas.hover(position={"x": left + (right - left) / 2, "y": y})
            assert readout(root).startswith(f"ALiBi, seed {i + 1}: ")
        assert all(a != b for a, b in zip(before, pictures(root), strict=True))
        page.mouse.move(1, 1)
        assert pictures(root) == before
