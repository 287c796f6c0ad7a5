"""Runs of the laboratory: stopped and resumed, finished, and refused."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context

import numpy as np
import pytest
import torch

from posenc.core.data import load_folder, read_table
from posenc.training import __main__ as program
from posenc.training import loop, sequences
from posenc.training.encodings import ENCODINGS, Sizes
from posenc.training.language_model import TextPlan, TextRun, book_text
from posenc.training.loop import train
from posenc.training.memory import MemoryPlan
from posenc.training.runs import (
    SEEDS,
    TASKS,
    TUNED_ON,
    best_rates,
    full_plans,
    page_plans,
    run_all,
    trained_encodings,
    tuning_plans,
)
from posenc.training.sequences import LEARNING_RATES, SequencePlan, SequenceRun
from posenc.training.speech import SpeechPlan
from posenc.training.token_before import ShiftPlan

SMALL = Sizes(train_len=36, d_model=16, num_heads=2, num_layers=2)


@pytest.fixture(autouse=True)
def _often(monkeypatch):
    monkeypatch.setattr(SequenceRun, "interval", 3)
    monkeypatch.setattr(TextRun, "interval", 2)
    monkeypatch.setattr(sequences, "_CURVE_TOKENS", 600)
    monkeypatch.setattr(sequences, "TEST_ANSWERS", 20)
    monkeypatch.setattr(sequences, "TEST_TEXTS", 3)


def plan(**changes):
    given = {"max_steps": 6, "batch": 4, "sizes": SMALL}
    return SequencePlan(**{"task": "motif", "encoding": "rope", **given, **changes})


#: Small plans of other experiments.
SMALL_SHIFT = ShiftPlan(
    **{"widths": (4, 6), "bases": (10.0,), "lengths": (6,), "seeds": (0, 3)},
    **{"controlled": (4, 6), "kept": (6, 10.0), "steps": 5},
)
SMALL_MEMORY = MemoryPlan(
    **{"max_steps": 120, "batch": 2, "d_model": 8, "segment_len": 3},
    **{"memory_len": 4, "keys": 3, "values": 5},
)


def without_times(results):
    return {k: v for k, v in results.items() if k != "milliseconds_per_step"}


def done(chosen, folder, *report):
    """Results of a run in a folder of its own."""
    return train(chosen, folder, folder / "unfinished", *report)


def files(folder):
    found = [path for path in folder.rglob("*") if path.is_file()]
    return [path.relative_to(folder).as_posix() for path in found]


class StoppedError(Exception):
    """Somebody presses Ctrl-C."""


SMALL_TEXT = Sizes(train_len=64, d_model=16, num_heads=2, num_layers=1)


def text_plan(**changes):
    given = {"max_steps": 4, "batch": 2, "sizes": SMALL_TEXT}
    return TextPlan(**{"encoding": "cape", **given, **changes})


@pytest.mark.parametrize(
    ("chosen", "first", "rest"),
    [
        (plan(), 3, [3, 6]),
        (plan(encoding="cape"), 3, [3, 6]),
        (text_plan(), 2, [2, 4]),
        (SMALL_SHIFT, 2, [2, *range(3, 11)]),
        pytest.param(SMALL_MEMORY, 100, [100, 120], marks=pytest.mark.slow),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path, chosen, first, rest):
    def stop(measured):
        if measured["step"] == first:
            raise StoppedError

    whole = done(chosen, tmp_path / "whole")
    with pytest.raises(StoppedError):
        done(chosen, tmp_path / "parts", stop)
    assert files(tmp_path / "parts") == [f"unfinished/{chosen.name}.pt"]
    torch.manual_seed(99)
    seen = []
    parts = done(chosen, tmp_path / "parts", lambda m: seen.append(m["step"]))
    assert seen == rest
    assert without_times(parts) == without_times(whole)
    (table,) = files(tmp_path / "parts")
    assert read_table(tmp_path / "parts" / table) == {chosen.name: parts}


def test_a_finished_run_is_not_done_again_and_another_plan_refused(tmp_path):
    first = done(plan(), tmp_path)
    again = done(plan(), tmp_path, lambda measured: pytest.fail("trained again"))
    assert again == first
    before = (tmp_path / "motif.jsonl").read_bytes()
    with pytest.raises(
        ValueError, match=r"-0 in .*, but its batch is 4, not 5: remove"
    ):
        done(plan(batch=5), tmp_path)
    assert (tmp_path / "motif.jsonl").read_bytes() == before
    (tmp_path / "motif.jsonl").rename(tmp_path / "memory.jsonl")
    assert loop.finished(plan(), tmp_path) is None


class TestTable:
    """Rows of a table, which several processes may write and which may be killed."""

    @staticmethod
    def write(folder, name, **results):
        """Write results as a finished run does."""
        loop.keep(results, plan_named(name), folder, folder)

    def test_rows_are_lines_of_their_experiment_and_begin_with_the_name(self, tmp_path):
        for name in ("copy-rope-1", "copy-t5-1", "index-t5-1", "copy-rope-1"):
            self.write(tmp_path, name, steps=len(files(tmp_path)))
        lines = (tmp_path / "copy.jsonl").read_text().splitlines()
        assert lines[0] == '{"name": "copy-rope-1", "steps": 0}'
        assert len(lines) == 3
        rows = {"copy-rope-1": {"steps": 2}, "copy-t5-1": {"steps": 1}}  # the last one
        assert read_table(tmp_path / "copy.jsonl") == rows
        assert read_table(tmp_path / "index.jsonl") == {"index-t5-1": {"steps": 1}}

    def test_a_half_last_line_does_not_count_and_is_cut_off(self, tmp_path):
        path = tmp_path / "copy.jsonl"
        row, rows = '{"name": "copy-a", "steps": 1}', {"copy-a": {"steps": 1}}
        halves = [f"\n{row.replace('-a', '-b')[:size]}" for size in range(len(row))]
        for rest in ("", *halves):  # even the first may lack its end
            path.write_text(row + rest)
            assert read_table(path) == rows or not rest
            self.write(tmp_path, "copy-c", steps=2)
            assert read_table(path) == rows | {"copy-c": {"steps": 2}}

    def test_several_processes_lose_no_row(self, tmp_path):
        (tmp_path / "copy.jsonl").write_text('{"name": "copy-half')
        names = [f"copy-{i}" for i in range(40)]
        with ProcessPoolExecutor(4, get_context("fork")) as pool:
            jobs = [pool.submit(append_long, tmp_path, name) for name in names]
            for job in jobs:
                job.result()
        assert read_table(tmp_path / "copy.jsonl").keys() == set(names)


def append_long(folder, name):
    """Write results of several pages of memory."""
    TestTable.write(folder, name, curve=[0.123456789] * 5000)


def plan_named(name):
    """Return a plan of which only the name counts."""
    others = ("command", "max_steps", "learning_rate", "as_data", "start")
    return type("Named", (), {"name": name, **dict.fromkeys(others, len)})()


class TestCommand:
    """The command line that results name."""

    @staticmethod
    def parsed(command):
        """Return the plan that a command trains."""
        *called, words = command.split(maxsplit=3)
        assert called == ["python", "-m", "posenc.training"]
        options = vars(program.argument_parser().parse_args(words.split()))
        del options["folder"], options["unfinished"]
        return program.PLANS[options.pop("command")](**options)

    @pytest.mark.parametrize("folder", ["lab_runs", "cape_runs"])
    def test_that_of_every_committed_run_trains_its_plan(self, folder):
        for name, row in load_folder(folder).items():
            if folder == "cape_runs" and name.startswith("count-"):
                assert row["command"] is None  # the first edition's program is gone
                continue
            found = self.parsed(row["command"])
            assert (found.name, found.command) == (name, row["command"])
            assert json.loads(json.dumps(found.as_data())) == row["plan"], name

    @pytest.mark.parametrize(
        "chosen",
        [
            SequencePlan("copy", "rope", 1, 0.01),
            SequencePlan("count", "none", 2, 1e-5, max_steps=7),
            TextPlan("t5", 3, max_steps=2),
            SpeechPlan("ctc", "none", "linear", 4, max_steps=1),
            MemoryPlan("lasting", 2, max_steps=9),
            ShiftPlan(),
        ],
    )
    def test_it_trains_the_same_plan(self, chosen):
        assert self.parsed(chosen.command) == chosen
        assert ("--max-steps" in chosen.command) == (chosen.max_steps < 10)

    def test_there_is_none_for_other_sizes(self):
        assert plan().command is None
        assert ShiftPlan(steps=5).command is None


def test_rope_is_tested_with_its_scalings_and_tables_are_undefined(tmp_path):
    tests = done(plan(), tmp_path)["tests"]
    ways = ("", "_interpolation", "_ntk", "_yarn", "_clamped")
    assert list(tests) == [f"rope{way}" for way in ways]
    assert list(tests["rope"]) == ["36", "72", "144", "288", "576"]
    learned = done(plan(encoding="learned"), tmp_path)["tests"]["learned"]
    assert set(learned["36"]) == {"accuracy", "error", "answers", "loss"}
    assert [learned[length] for length in ("72", "144", "288", "576")] == [None] * 4
    count = done(plan(task="count", encoding="none"), tmp_path)["tests"]["none"]
    assert count["36"]
    assert count["72"] is None


def test_the_standard_error_counts_each_text_once():
    # All answers of a text alike: as uncertain as four throws of a coin, not as 400.
    rights = [np.full(100, n % 2 == 0) for n in range(4)]
    found = sequences.shares(rights)
    assert found == {"accuracy": 0.5, "error": 0.28868, "answers": 400}
    alone = sequences.shares([np.array([n % 2 == 0]) for n in range(400)])
    assert alone["error"] == pytest.approx(0.5 / 20, rel=2e-3)


@pytest.mark.slow
def test_a_model_learns(tmp_path, monkeypatch):
    monkeypatch.setattr(SequenceRun, "interval", 50)
    chosen = plan(task="language", encoding="alibi", max_steps=150, batch=16)
    loss = done(chosen, tmp_path)["curve"]["loss"]
    assert loss[-1] < 0.8 * loss[0]
    assert loss[-1] > 0  # no model is better than the language is random


@pytest.mark.parametrize(
    ("make", "changes", "told"),
    [
        (plan, {"encoding": "rope_yarn"}, "trained with 'rope': train that one"),
        (text_plan, {"encoding": "rope_yarn"}, "trained with 'rope': train that one"),
        (text_plan, {"learning_rate": 0.0}, "learning_rate must lie between 0 and 1"),
        (plan, {"learning_rate": 1}, "learning_rate must lie between 0 and 1"),
        (plan, {"learning_rate": np.nan}, "learning_rate must lie between 0 and 1"),
        (MemoryPlan, {"facts": "none"}, "facts must be one of .*got 'none'"),
        (MemoryPlan, {"memory_len": 0}, "memory_len must be an integer"),
        (ShiftPlan, {"steps": 0}, "steps must be an integer of at least 1"),
        (ShiftPlan, {"seeds": ()}, "seeds must hold a value at least"),
    ],
)
def test_impossible_plans_are_refused(make, changes, told):
    with pytest.raises(ValueError, match=told):
        make(**changes)


def tuned(losses=lambda plan: plan.learning_rate):
    """Results of all runs that tune, with the losses that are given."""
    return [
        {
            "plan": one.as_data(),
            "tests": {one.encoding: {"64": {"loss": losses(one)}}},
        }
        for one in tuning_plans()
    ]


def test_the_rate_with_the_smallest_mean_loss_is_kept():
    def losses(one):
        if one.encoding == "rope":  # good on one task, bad on the other
            fast = one.learning_rate == 1e-2
            return {"copy": 0.1, "index": 3.0}[one.task] if fast else 1.0
        return abs(one.learning_rate - 3e-3)

    rates = best_rates([*tuned(losses), {"plan": {"task": "motif", "seed": 1}}])
    assert rates.keys() == set(trained_encodings())
    assert rates.pop("rope") == 1e-3
    assert set(rates.values()) == {3e-3}
    with pytest.raises(ValueError, match="all runs that tune 'none'"):
        best_rates(tuned()[1:])
    some = [one for one in tuned() if one["plan"]["encoding"] in ("t5", "rope")]
    assert best_rates(some, ("t5", "rope")) == {"t5": 1e-3, "rope": 1e-3}


def test_the_plans_of_the_page_are_among_those_of_the_book():
    rates = dict.fromkeys(trained_encodings(), 3e-3) | {"alibi": 1e-2}
    page, full = page_plans(rates), full_plans(rates)
    assert full[: len(page)] == page
    assert len({p.name for p in full}) == len(full)
    sequences_ = [p for p in full if isinstance(p, SequencePlan)]
    assert {p.encoding for p in sequences_} == set(trained_encodings(controls=True))
    assert {p.learning_rate for p in sequences_ if "alibi" in p.encoding} == {1e-2}
    for task in TASKS:
        runs = {(p.encoding, p.seed) for p in sequences_ if p.task == task}
        assert runs >= set(product(trained_encodings(), SEEDS))
    every = {(p.task, p.encoding, p.learning_rate) for p in tuning_plans()}
    assert every == set(product(TUNED_ON, trained_encodings(), LEARNING_RATES))
    assert not {p.seed for p in tuning_plans()} & set(SEEDS)


def test_the_text_is_ours_and_one_chapter_is_kept_back():
    found = book_text()
    train, test = (found[part].tobytes().decode() for part in ("train", "test"))
    assert "(chapter-linear-attention)=" in test
    assert "(chapter-rope)=" in train
    assert len(train) > 5 * len(test)
    assert found["kept_back"] not in found["chapters"]
    assert test[1000:1200] not in train
    assert len(found["commit"]) == 40


@pytest.fixture
def _elsewhere(monkeypatch):
    """Another device than the CPU: one that keeps shapes and no numbers."""
    monkeypatch.setattr(loop, "DEVICE", torch.device("meta"))


@pytest.mark.usefixtures("_elsewhere")
@pytest.mark.parametrize("name", ENCODINGS)
def test_every_encoding_works_where_the_model_is(name):
    encoding = ENCODINGS[name]
    run = SequenceRun(plan(encoding=encoding.trained_as))
    loss = run.loss()
    assert loss.device.type == "meta"
    loss.backward()
    run.model.change_to(name)
    length = SMALL.train_len * (1 if encoding.bounded else 2)
    tokens = torch.zeros((2, length), dtype=torch.int64, device="meta")
    assert run.model(tokens).device.type == "meta"


def command(*words):
    return subprocess.run(
        [sys.executable, "-m", "posenc.training", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.slow
def test_the_command_line_trains_and_says_what_came_out(tmp_path):
    words = ("--task", "count", "--encoding", "none", "--max-steps", 1)
    folders = ("--folder", tmp_path, "--unfinished", tmp_path)
    ended = command(*folders, "train", *words)
    assert ended.returncode == 0, ended.stderr
    assert "count-none-0.003-0: 1 steps." in ended.stdout
    assert "1/1" in ended.stderr
    other = command(*folders, "train", *words[:-1], 2)
    assert other.returncode == 1
    assert "its max_steps is 1, not 2" in other.stderr
    assert "Traceback" not in other.stderr


@pytest.mark.slow
@pytest.mark.parametrize("where", ["processes", "cluster"])
def test_several_runs_at_a_time_give_what_each_gives_alone(tmp_path, request, where):
    """Dead workers are seen in tests/grading/test_cluster.py."""
    plans = [plan(seed=seed, max_steps=2) for seed in (0, 1, 2)]
    folders, executor = (tmp_path / "both", tmp_path / "unfinished"), None
    if where == "cluster":
        executor = request.getfixturevalue("cluster").get_executor()
    results = run_all(plans, folders, 2, executor)
    table = read_table(tmp_path / "both/motif.jsonl")
    for chosen, result in zip(plans, results, strict=True):
        alone = done(chosen, tmp_path / "alone")
        assert result["curve"] == table[chosen.name]["curve"]
        assert result["curve"]["step"] == alone["curve"]["step"] == [2]
        assert result["plan"] == alone["plan"] == table[chosen.name]["plan"]
    assert files(tmp_path / "unfinished") == []


@pytest.fixture
def _interruptible():
    """Shells make what they start in the background ignore Ctrl-C, and its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_to_be_stopped_stops_all_workers_and_keeps_their_runs(sign, tmp_path):
    words = ("--folder", tmp_path, "--unfinished", tmp_path, "page", "--jobs", "2")
    running = subprocess.Popen(
        [sys.executable, "-m", "posenc.training", *map(str, words)],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 200
    while not list(tmp_path.glob("*.pt")) and time.monotonic() < deadline:
        time.sleep(0.2)
    running.send_signal(sign)
    # Workers that lived on would hold the other end of this pipe.
    _, said = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "Stopped. The same command goes on from the last evaluation." in said
    assert list(tmp_path.glob("*.pt"))
