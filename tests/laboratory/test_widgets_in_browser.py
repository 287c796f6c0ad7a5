"""The widget of the laboratory on a static page, in a real browser."""

import pytest
from widget_page import control, facts, pictures, readout, shown, table_rows, widget

from posenc.laboratory import results
from posenc.laboratory.figures import LOOKS
from posenc.laboratory.figures import shown as trained
from posenc.laboratory.widgets import TrainedRuns

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def uneven():
    """One task has no runs of an encoding that another task has."""
    made = TrainedRuns(task="index", encodings=["t5"])
    runs = {**made.runs["index"]}
    del runs["shaw"]
    made.set_trait("runs", {**made.runs, "index": runs})
    return made


WIDGETS = (TrainedRuns, uneven)
LENGTH, TRAINING = 0, 1


def box(root, name):
    return root.get_by_role("checkbox", name=LOOKS[name].title, exact=True)


def say(values):
    """Numbers of the seeds in the words of the status line."""
    return ", ".join(f"seed {seed}: {v:.2f}" for seed, v in enumerate(values, start=1))


class TestNumbers:
    @pytest.mark.parametrize("task", ["copy", "index"])
    @pytest.mark.parametrize("measure", ["accuracy", "loss"])
    def test_they_are_those_of_the_files(self, page, task, measure):
        root = widget(page)
        control(root, "task").select_option(label=TrainedRuns().tasks[task])
        control(root, "measure").select_option(index=int(measure == "loss"))
        root.get_by_role("button", name="all").press("Enter")
        found = trained(task)
        drawn = shown(root)
        assert drawn["encodings"] == list(found)
        for i, one in enumerate(found.values()):
            values = one.accuracy if measure == "accuracy" else one.loss
            assert drawn["length"][i] == [
                [seeds[k] for seeds in values.values()] for k in range(len(one.runs))
            ]
        for name, one in found.items():
            count = f"solved in {sum(one.solved)} of {len(one.runs)} runs"
            assert f"{LOOKS[name].title}: {count}" in facts(root)
        cells = table_rows(root)
        for row, one in zip(cells, found.values(), strict=True):
            if len(one.accuracy) > 1:
                unsolved = [cell == "not solved" for cell in row[2:]]
                assert unsolved == [not any(one.solved)] * 4

    def test_text_table_holds_every_chosen_encoding(self, page):
        root = widget(page)
        box(root, "learned").check()
        cells = table_rows(root)
        assert [row[0] for row in cells] == [
            "learned table",
            "sinusoids",
            "ALiBi",
            "RoPE",
        ]
        assert cells[0][2:] == ["undefined"] * 4
        values = results("copy")["rope"].accuracy[128]
        low, high = (f"{f(values):.2f}" for f in (min, max))
        assert low in cells[3][2]
        assert high in cells[3][2]

    def test_words_say_which_runs_a_number_is_of(self, page):
        root = widget(page)
        box(root, "transformer_xl").check()
        assert results("copy")["transformer_xl"].solved == [False, True, True]
        assert "first after 300 steps" in facts(root)
        said = [line for line in facts(root).split("\n") if "solved in" in line]
        assert [line.endswith(" at 1,024 (solved runs).") for line in said] == [
            "solved in 2 of 3 runs" in line for line in said
        ]
        root.locator("summary").press("Enter")
        heads = root.locator("details th[scope=col]").all_inner_texts()
        assert heads[:3] == ["encoding", "at 64 (all runs)", "at 128"]

    def test_an_encoding_without_runs_says_so(self, page):
        root = widget(page, 1)
        before = shown(root)
        box(root, "shaw").press("Space")
        assert shown(root) == before
        assert "Shaw: not trained on this task." in facts(root)


class TestKeyboard:
    def test_boxes_choose_encodings(self, page):
        root = widget(page)
        before = pictures(root)
        box(root, "t5").press("Space")
        assert shown(root)["encodings"] == ["sinusoidal", "t5", "alibi", "rope"]
        assert all(a != b for a, b in zip(before, pictures(root), strict=True))
        box(root, "t5").press("Space")
        assert pictures(root) == before

    def test_without_an_encoding_it_asks_for_one(self, page):
        root = widget(page, 1)
        box(root, "t5").press("Space")
        assert readout(root) == "Choose an encoding."
        assert facts(root) == ""
        canvas = root.locator("canvas").nth(LENGTH)
        canvas.press("ArrowRight")
        assert readout(root) == "Choose an encoding."

    def test_arrows_go_along_a_line_and_to_the_next(self, page):
        root = widget(page)
        before = pictures(root)
        canvas = root.locator("canvas").nth(LENGTH)
        for _ in range(2):  # from the first point, which has the focus
            canvas.press("ArrowRight")
        values = results("copy")["sinusoidal"].accuracy[256]
        assert readout(root) == f"sinusoids at 256 tokens, accuracy: {say(values)}"
        for _ in range(3):
            canvas.press("ArrowDown")
        values = results("copy")["alibi"].accuracy[256]
        assert readout(root) == f"ALiBi at 256 tokens, accuracy: {say(values)}"
        canvas.press("End")
        assert readout(root).startswith("ALiBi at 1,024 tokens")
        canvas.press("Escape")
        assert pictures(root) == before

    def test_arrows_follow_training(self, page):
        root = widget(page)
        canvas = root.locator("canvas").nth(TRAINING)
        canvas.press("ArrowRight")
        canvas.press("End")
        run = results("copy")["sinusoidal"].runs[0]
        assert readout(root) == (
            f"sinusoids, seed 1: accuracy {run['curve']['accuracy'][-1]:.2f} after "
            f"{run['steps']:,} steps"
        )

    def test_reset(self, page):
        root = widget(page)
        before = pictures(root)
        control(root, "task").press("ArrowDown")
        root.get_by_role("button", name="all").press("Enter")
        assert pictures(root) != before
        root.get_by_role("button", name="reset").press("Enter")
        assert pictures(root) == before


class TestPointer:
    def test_a_letter_tells_its_seeds(self, page):
        root = widget(page, 1)
        canvas = root.locator("canvas").nth(LENGTH)
        canvas.scroll_into_view_if_needed()
        size = canvas.bounding_box()
        last = results("index")["t5"].accuracy[1024]
        low, high = 14, size["height"] - 40
        x = 46 + (size["width"] - 58) * 0.9529  # log2(16 · 1.15) / log2(16 · 1.3225)
        y = high - (high - low) * last[2] / 1.04
        canvas.hover(position={"x": x, "y": y})
        assert readout(root) == f"T5 at 1,024 tokens, accuracy: {say(last)}"
