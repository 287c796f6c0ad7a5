"""Figures and tables of the laboratory: what they show is what the files hold."""

import json

import numpy as np
import pytest
from matplotlib.colors import to_hex

from posenc.core.data import load_folder
from posenc.kit.figures.palette import THEMES
from posenc.lab.encodings import ENCODINGS
from posenc.lab.runs import full_plans, trained_encodings, tuning_plans
from posenc.lab.sequences import LEARNING_RATES
from posenc.lab.tasks import TASKS as TRAINABLE
from posenc.laboratory import figures
from posenc.laboratory.figures import LOOKS, TASKS, results

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "against_length": [{"task": "copy"}],
    "learning_curves": [{"task": "copy"}],
    "overlay": [{"task": "copy", "encodings": ["rope", "learned"]}],
}


def run(encoding, seed, *, solved=True, tests=None, steps=(100, 200)):
    """Content of a file of results, small enough to check by eye."""
    accuracy = [0.25 + 0.5 * i for i in range(len(steps))]
    measured = {"64": {"accuracy": 1 - seed / 10, "loss": seed / 4}, "128": None}
    return {
        "plan": {
            "task": "copy",
            "encoding": encoding,
            "seed": seed,
            "sizes": {"train_len": 64},
        },
        "parameters": 1234,
        "steps": steps[-1],
        "solved": solved,
        "milliseconds_per_step": 40.0 + seed,
        "curve": {"step": list(steps), "accuracy": accuracy, "loss": accuracy[::-1]},
        "tests": tests or {encoding: measured},
    }


FAR = {"accuracy": 0.5, "loss": 2.0}
ROPE = {
    name: {"64": {"accuracy": 1.0, "loss": 0.0}, "128": FAR}
    for name in ("rope", "rope_ntk")
}
FILES = {
    "copy-rope-0": run("rope", 0, solved=False, tests=ROPE),
    "copy-learned-1": run("learned", 1, steps=(100, 200, 300)),
    "copy-learned-0": run("learned", 0),
    "speech-ctc-none-linear-0": {"plan": {"reader": "ctc"}},
}


@pytest.fixture
def _small(monkeypatch):
    monkeypatch.setattr(
        "posenc.laboratory.figures.trained_results.load_folder", lambda name: FILES
    )
    results.cache_clear()
    yield
    results.cache_clear()


def lines(ax, role):
    """Data of the lines that are drawn in the color of a role."""
    wanted = THEMES["light"][role]
    return [
        line.get_xydata() for line in ax.lines if to_hex(line.get_color()) == wanted
    ]


def panels(fig):
    return {ax.get_title(): ax for ax in fig.axes if ax.axison}


class TestData:
    def test_looks_are_those_of_the_encodings(self):
        shown = [n for n, e in ENCODINGS.items() if not e.control]
        assert set(LOOKS) == set(shown)
        for name, look in LOOKS.items():
            assert look.title == ENCODINGS[name].title
            assert look.chapter == ENCODINGS[name].chapter
        letters = [look.letter for look in LOOKS.values()]
        assert len(set(letters)) == len(letters)
        controls = {"count", "index_letter", "copy_repeated"}
        assert {*TASKS, *controls} == set(TRAINABLE)
        for name, words in TASKS.items():
            assert words == f"{name}: {TRAINABLE[name].title}"

    def test_every_task_has_three_runs_of_every_encoding(self):
        runs = load_folder("lab").values()
        trained = {n for n, e in ENCODINGS.items() if not (e.control or e.variant)}
        for task in TASKS:
            plans = [one["plan"] for one in runs if one["plan"].get("task") == task]
            pairs = {(plan["encoding"], plan["seed"]) for plan in plans}
            assert pairs == {(name, seed) for name in trained for seed in range(3)}
        assert all(one["steps"] == one["curve"]["step"][-1] for one in runs)

    def test_every_new_run_is_one_that_make_lab_full_leaves_alone(self):
        rates = [dict.fromkeys(trained_encodings(), rate) for rate in LEARNING_RATES]
        every = [*tuning_plans(), *(plan for one in rates for plan in full_plans(one))]
        plans = {plan.name: json.loads(json.dumps(plan.as_data())) for plan in every}
        for name, content in load_folder("lab_runs").items():
            assert content["plan"] == plans[name], name
            assert content["steps"] == content["plan"]["max_steps"]

    @pytest.mark.usefixtures("_small")
    def test_runs_are_sorted_by_encoding_and_seed(self):
        found = results("copy")
        assert list(found) == ["learned", "rope", "rope_ntk"]
        learned = found["learned"]
        assert [one["plan"]["seed"] for one in learned.runs] == [0, 1]
        assert learned.accuracy == {64: (1.0, 0.9)}
        assert learned.loss == {64: (0.0, 0.25)}
        assert (learned.solved, learned.milliseconds) == (2, 40.5)
        assert found["rope_ntk"].accuracy == {64: (1.0,), 128: (0.5,)}
        assert found["rope"].solved == 0
        assert figures.lengths(found.values()) == [64, 128]
        assert figures.trained_tasks() == ["copy"]

    @pytest.mark.usefixtures("_small")
    def test_tables(self):
        rows = str(figures.accuracy_table("copy")).splitlines()
        assert rows == [
            "| Encoding | 64 | 128 |",
            "| :-- | --: | --: |",
            "| [learned table](attention.md) | 90–100 | – |",
            "| [RoPE](rope.md)\\* | 100 | 50 |",
            "| [RoPE, NTK](rope.md)\\* | 100 | 50 |",
        ]
        rows = str(figures.training_table("copy")).splitlines()
        assert rows[2:] == [
            "| [learned table](attention.md) | 2 of 2 | 200–300 | 40 | 1,234 |",
            "| [RoPE](rope.md)\\* | 0 of 1 | – | 40 | 1,234 |",
        ]


@pytest.mark.usefixtures("_small")
class TestPanels:
    def test_each_seed_is_a_line_against_length(self):
        found = panels(figures.against_length("copy"))
        assert list(found) == ["learned table", "RoPE", "RoPE, NTK"]
        learned = lines(found["learned table"], "value")
        np.testing.assert_array_equal(learned, [[[64, 1.0]], [[64, 0.9]]])
        (ntk,) = lines(found["RoPE, NTK"], "position")
        np.testing.assert_array_equal(ntk, [[64, 1.0], [128, 0.5]])
        # Behind it all runs of all encodings, and the line at the trained length.
        gray, trained = lines(found["RoPE"], "line")
        assert {x for x, _ in trained} == {64}
        assert np.isnan(gray).all(axis=1).sum() == 2 + 1 + 1  # a gap behind each
        seen = {tuple(point) for point in gray if not np.isnan(point).any()}
        assert {tuple(point) for point in ntk} < seen

    def test_curves_are_those_of_trained_models(self):
        found = panels(figures.learning_curves("copy"))
        assert list(found) == ["learned table", "RoPE"]
        first, second = lines(found["learned table"], "value")
        np.testing.assert_array_equal(first, [[100, 0.25], [200, 0.75]])
        np.testing.assert_array_equal(second, [[100, 0.25], [200, 0.75], [300, 1.25]])

    @pytest.mark.parametrize("measure", ["accuracy", "loss"])
    def test_overlay_shows_the_chosen_ones(self, measure):
        fig = figures.overlay("copy", ["rope_ntk", "t5", "learned"], measure)
        top, bottom = fig.axes
        (ntk,) = lines(top, "position")
        np.testing.assert_array_equal(
            ntk,
            [[64, 1.0], [128, 0.5]] if measure == "accuracy" else [[64, 0], [128, 2]],
        )
        assert len(lines(top, "value")) == 2
        assert lines(bottom, "position") == []  # nobody trained it
        curve = [0.25, 0.75] if measure == "accuracy" else [0.75, 0.25]
        np.testing.assert_array_equal(
            lines(bottom, "value")[0], np.stack([[100, 200], curve], axis=1)
        )
        assert [text.get_text() for text in top.get_legend().get_texts()] == [
            "RoPE, NTK",
            "learned table",
        ]
        assert figures.overlay("copy", []).axes[0].get_legend() is None
