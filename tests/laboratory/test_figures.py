"""Results of the laboratory, their figures and tables: they show what files hold."""

import copy
import json

import numpy as np
import pytest

from posenc import laboratory
from posenc.core.data import load_folder
from posenc.laboratory import TASKS, figures, results, tuning
from posenc.laboratory.figures import LOOKS
from posenc.training.encodings import ENCODINGS
from posenc.training.runs import (
    SEEDS,
    best_rates,
    full_plans,
    tuning_plans,
)
from posenc.training.runs import TUNING_SEED as SEED_OF_PLANS

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "apart_bars": [{"task": "copy"}],
    "sharper_curves": [{"task": "copy"}],
    "against_length": [{"task": "copy", "rules": {"a rule": {64: 0.5, 128: 0.4}}}],
    "learning_curves": [{"task": "copy"}],
    "overlay": [{"task": "copy", "encodings": ["rope", "learned"]}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
ROPE = results("copy")["rope"].accuracy.values()
SHOWS = {"opening": ({}, *map(np.asarray, zip(*ROPE, strict=True)))}


def run(encoding, seed, *, rate=0.003, task="copy", tests=None, steps=(100, 200)):
    """Content of a file of results, small enough to check by eye."""
    accuracy = [0.25 + 0.5 * i for i in range(len(steps))]
    measured = {"64": {"accuracy": 1 - seed / 25, "loss": seed / 4}, "128": None}
    return {
        "plan": {
            "task": task,
            "encoding": encoding,
            "seed": seed,
            "learning_rate": rate,
            "sizes": {"train_len": 64},
        },
        "parameters": 1234,
        "steps": steps[-1],
        "milliseconds_per_step": 40.0 + seed,
        "curve": {"step": list(steps), "accuracy": accuracy, "loss": accuracy[::-1]},
        "tests": tests or {encoding: measured},
    }


def rope(accuracy):
    far = {"accuracy": 0.5, "loss": 2.0}
    return {
        name: {"64": {"accuracy": accuracy, "loss": 0.0}, "128": far}
        for name in ("rope", "rope_ntk")
    }


FILES = {
    "copy-rope-0.01-1": run("rope", 1, rate=0.01, tests=rope(0.4)),
    "copy-rope-0.01-0": run("rope", 0, rate=0.01, tests=rope(1.0)),
    "copy-rope-0.003-0": run("rope", 0, tests=rope(0.9)),
    "copy-learned-0.003-2": run("learned", 2, steps=(100, 200, 300)),
    "copy-learned-0.003-1": run("learned", 1),
    "speech-ctc-none-linear-0": {"plan": {"reader": "ctc"}, "tests": {"8": {}}},
    "text-alibi-1": {
        "plan": {"encoding": "alibi", "seed": 1},
        "tests": {"alibi": {"256": {"losses": [1.0, 2.0]}, "512": None}},
    },
}


@pytest.fixture
def files(monkeypatch):
    result = copy.deepcopy(FILES)
    monkeypatch.setattr("posenc.laboratory.trained.load_folder", lambda name: result)
    results.cache_clear()
    tuning.cache_clear()
    yield result
    results.cache_clear()
    tuning.cache_clear()


class TestFiles:
    def test_every_run_is_one_that_make_lab_full_leaves_alone(self):
        """No result was trained at another rate, or with the seed of the tuning."""
        result = load_folder("lab_runs")
        rates = best_rates(run for run in result.values() if "task" in run["plan"])
        every = [*tuning_plans(), *full_plans(rates)]
        plans = {plan.name: json.loads(json.dumps(plan.as_data())) for plan in every}
        for name, content in result.items():
            assert content["plan"] == plans[name], name
            assert content["steps"] == content["plan"]["max_steps"]
        for task in TASKS:
            for name, tested in results(task).items():
                trained = ENCODINGS[name].trained_as
                rate = rates[ENCODINGS[trained].control or trained]
                assert tested.learning_rate == rate, name
        assert laboratory.TUNING_SEED == SEED_OF_PLANS
        assert laboratory.TUNING_SEED not in SEEDS


class TestResults:
    def test_runs_are_sorted_and_those_of_the_tuning_left_out(self, files):
        result = results("copy")
        assert set(result) == {"learned", "rope", "rope_ntk"}
        assert list(figures.shown("copy")) == ["learned", "rope", "rope_ntk"]
        learned = result["learned"]
        assert learned.seeds == [1, 2]
        assert learned.accuracy == {64: (0.96, 0.92)}
        assert learned.loss == {64: (0.25, 0.5)}
        assert learned.solved == [True, False]
        assert (learned.of_solved(64), learned.of_unsolved(64)) == ([0.96], [0.92])
        assert learned.of_solved(128) == []
        assert result["rope_ntk"].accuracy == {64: (0.4,), 128: (0.5,)}
        assert result["rope"].solved == [False]
        assert laboratory.lengths(result.values()) == [64, 128]
        assert results("sing") == {}

    def test_tuning_is_by_rate(self, files):
        result = tuning("copy")
        assert set(result) == {"rope", "rope_ntk"}
        rates = {rate: tested.accuracy[64] for rate, tested in result["rope"].items()}
        assert rates == {0.003: (0.9,), 0.01: (1.0,)}

    def test_first_solved_is_read_from_the_curve(self):
        assert laboratory.first_solved(run("rope", 1)) is None
        assert laboratory.first_solved(run("rope", 1, steps=(10, 20, 30))) == 30

    def test_losses_of_text(self, files):
        assert laboratory.text_losses("alibi", 256) == {1: 1.5}
        assert laboratory.text_losses("alibi", 512) == {}
        assert laboratory.text_losses("rope", 256) == {}

    def test_a_task_counts_as_trained_with_one_common_seed(self, files):
        assert figures.trained_tasks() == []
        files.clear()
        for name in LOOKS:
            files[f"copy-{name}"] = run(name, 3)
        results.cache_clear()
        assert figures.trained_tasks() == ["copy"]
        assert figures.common_seeds("copy") == [3]


class TestTables:
    def test_solved_runs_and_others_never_share_a_row(self, files):
        rows = str(figures.accuracy_table("copy")).splitlines()
        assert rows == [
            "| encoding | runs | 64 | 128 |",
            "| :-- | --: | --: | --: |",
            "| [learned table](attention.md) | 1/2 | 96 | – |",
            "| *not solved:* |  |  |  |",
            "| [learned table](attention.md) | *1/2* | 92 | – |",
            "| [RoPE](rope.md) | *1/1* | 40 | 50 |",
        ]

    def test_tuning_shows_every_rate_and_marks_the_chosen_one(self):
        rows = str(figures.tuning_table()).splitlines()[2:]
        assert len(rows) == len({e.trained_as for e in LOOKS_OF_ENCODINGS})
        (row,) = [r for r in rows if r.startswith("| [Transformer-XL]")]
        cells = row.split(" | ")[1:]
        marked = [cell.split("}")[0] for cell in cells if "**" in cell]
        rate = results("copy")["transformer_xl"].learning_rate
        assert marked == [f"[{rate:g}]{{.pe-label"]
        shares = tuning("copy")["transformer_xl"][0.001].accuracy
        near, far = (f"{100 * shares[n][0]:.0f}" for n in (64, 128))
        assert f"{near} → {far}; " in cells[0]


LOOKS_OF_ENCODINGS = [ENCODINGS[name] for name in LOOKS]
