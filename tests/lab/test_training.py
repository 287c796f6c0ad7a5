"""Runs of the laboratory: stopped and resumed, finished, and refused."""

import json
import signal
import subprocess
import sys
import time
from itertools import product
from multiprocessing import active_children

import pytest
import torch

from posenc.lab import sequences, training
from posenc.lab.encodings import ENCODINGS, Sizes
from posenc.lab.runs import SEEDS, core_plans, full_plans, run_all
from posenc.lab.sequences import SequencePlan, SequenceRun
from posenc.lab.speech import ENCODINGS as SPEECH_ENCODINGS
from posenc.lab.speech import FRONTS, SpeechPlan, SpeechRun
from posenc.lab.tasks import TASKS
from posenc.lab.training import train

SMALL = Sizes(train_len=36, d_model=16, num_heads=2, num_layers=2)


@pytest.fixture(autouse=True)
def _often(monkeypatch):
    monkeypatch.setattr(SequenceRun, "interval", 3)
    monkeypatch.setattr(sequences, "_TEST_TOKENS", 600)


def plan(**changes):
    given = {"max_steps": 6, "batch": 4, "sizes": SMALL}
    return SequencePlan(**{"task": "recall", "encoding": "rope", **given, **changes})


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


@pytest.mark.parametrize("encoding", ["rope", "cape"])
def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path, encoding):
    def stop(measured):
        raise StoppedError

    chosen = plan(encoding=encoding)
    whole = done(chosen, tmp_path / "whole")
    with pytest.raises(StoppedError):
        done(chosen, tmp_path / "parts", stop)
    assert files(tmp_path / "parts") == [f"unfinished/recall-{encoding}-0.pt"]
    torch.manual_seed(99)
    seen = []
    parts = done(chosen, tmp_path / "parts", lambda m: seen.append(m["step"]))
    assert seen == [3, 6]
    assert without_times(parts) == without_times(whole)
    assert files(tmp_path / "parts") == [f"recall-{encoding}-0.json"]


def test_a_finished_run_is_not_done_again(tmp_path):
    first = done(plan(), tmp_path)
    again = done(plan(), tmp_path, lambda measured: pytest.fail("trained again"))
    assert again == first
    assert json.loads((tmp_path / "recall-rope-0.json").read_text()) == first


def test_results_of_another_plan_are_left_alone(tmp_path):
    done(plan(), tmp_path)
    before = (tmp_path / "recall-rope-0.json").read_bytes()
    with pytest.raises(ValueError, match="its batch is 4, not 5: move it away"):
        done(plan(batch=5), tmp_path)
    assert (tmp_path / "recall-rope-0.json").read_bytes() == before


def test_the_seed_decides_the_outcome(tmp_path):
    first, again, other = (
        done(plan(seed=seed), tmp_path / folder)
        for seed, folder in ((1, "a"), (1, "b"), (2, "a"))
    )
    assert without_times(first) == without_times(again)
    assert first["curve"] != other["curve"]


def test_rope_is_tested_with_its_scalings_and_tables_are_undefined(tmp_path):
    tests = done(plan(), tmp_path)["tests"]
    assert list(tests) == ["rope", "rope_interpolation", "rope_ntk", "rope_yarn"]
    assert list(tests["rope"]) == ["36", "72", "144", "288", "576"]
    learned = done(plan(encoding="learned"), tmp_path)["tests"]["learned"]
    assert set(learned["36"]) == {"accuracy", "loss"}
    assert [learned[length] for length in ("72", "144", "288", "576")] == [None] * 4
    count = done(plan(task="count", encoding="none"), tmp_path)["tests"]["none"]
    assert count["36"]
    assert count["72"] is None


def test_training_stops_when_the_task_is_solved_twice(tmp_path, monkeypatch):
    found = iter([0.98, 0.97, 0.99, 0.98, 0.0])
    monkeypatch.setattr(
        SequenceRun,
        "evaluate",
        lambda run, length: {"accuracy": next(found, 0.5), "loss": 1.0},
    )
    results = done(plan(max_steps=100), tmp_path)
    assert results["solved"]
    assert results["steps"] == 12
    assert results["curve"]["accuracy"] == [0.98, 0.97, 0.99, 0.98]


def test_the_rate_rises_and_falls_to_zero(monkeypatch):
    monkeypatch.setattr(SequenceRun, "warmup", 2)
    run, rates = plan(max_steps=5).start(), []
    for _ in range(5):
        run._take_step()
        rates.append(run.optimizer.param_groups[0]["lr"] / run.learning_rate)
    assert rates == pytest.approx([0.5, 0.8, 0.6, 0.4, 0.2])


@pytest.mark.slow
def test_a_model_learns(tmp_path, monkeypatch):
    monkeypatch.setattr(SequenceRun, "interval", 50)
    chosen = plan(task="language", encoding="alibi", max_steps=150, batch=16)
    loss = done(chosen, tmp_path)["curve"]["loss"]
    assert loss[-1] < 0.8 * loss[0]
    assert loss[-1] > 0  # no model is better than the language is random


def test_a_scaling_is_not_trained():
    with pytest.raises(ValueError, match="trained with 'rope': train that one"):
        plan(encoding="rope_yarn")


def test_core_is_a_part_of_full():
    core, full = core_plans(), full_plans()
    assert len(core) == 8 * 2 * 3
    assert full[: len(core)] == core
    assert len({p.name for p in full}) == len(full)
    trained = {p.encoding for p in full if isinstance(p, SequencePlan)}
    assert trained == {name for name, e in ENCODINGS.items() if not e.scaling}
    assert sum(isinstance(p, SpeechPlan) for p in full) == 2 * 2 * 2 * 3
    counting = {p.encoding for p in full if getattr(p, "task", "") == "count"}
    assert counting == {"none"}
    for task in TASKS.keys() - {"count"}:
        runs = {(p.encoding, p.seed) for p in full if getattr(p, "task", "") == task}
        assert runs == set(product(trained, SEEDS))


@pytest.fixture
def _elsewhere(monkeypatch):
    """Another device than the CPU: one that keeps shapes and no numbers."""
    monkeypatch.setattr(training, "DEVICE", torch.device("meta"))


@pytest.mark.usefixtures("_elsewhere")
@pytest.mark.parametrize("name", ENCODINGS)
def test_every_encoding_works_where_the_model_is(name):
    encoding = ENCODINGS[name]
    run = SequenceRun(plan(encoding=encoding.trained_as))
    loss = run.loss()
    assert loss.device.type == "meta"
    loss.backward()
    run.model.scale_rotations(name)
    length = SMALL.train_len * (1 if encoding.bounded else 2)
    tokens = torch.zeros((2, length), dtype=torch.int64, device="meta")
    assert run.model(tokens).device.type == "meta"


@pytest.mark.usefixtures("_elsewhere")
@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("encoding", SPEECH_ENCODINGS)
def test_readers_of_speech_work_where_the_model_is(front, encoding):
    run = SpeechRun(SpeechPlan("decoder", encoding, front, batch=2))
    loss = run.loss()
    assert loss.device.type == "meta"
    loss.backward()


def command(*words):
    return subprocess.run(
        [sys.executable, "-m", "posenc.lab", *map(str, words)],
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
    assert "count-none-0: NOT solved after 1 steps." in ended.stdout
    assert "1/1" in ended.stderr
    other = command(*folders, "train", *words[:-1], 2)
    assert other.returncode == 1
    assert "its max_steps is 1, not 2" in other.stderr
    assert "Traceback" not in other.stderr


@pytest.mark.slow
def test_the_command_line_reads_speech(tmp_path):
    words = ("speech", "--reader", "ctc", "--encoding", "none", "--max-steps", 1)
    folders = ("--folder", tmp_path, "--unfinished", tmp_path)
    ended = command(*folders, *words)
    assert ended.returncode == 0, ended.stderr
    assert "speech-ctc-none-convolution-0: NOT solved after 1 steps." in ended.stdout
    assert files(tmp_path) == ["speech-ctc-none-convolution-0.json"]


@pytest.mark.slow
def test_several_runs_at_a_time_give_what_each_gives_alone(tmp_path):
    plans = [plan(seed=seed, max_steps=2) for seed in (0, 1, 2)]
    run_all(plans, (tmp_path / "both", tmp_path / "unfinished"), jobs=2)
    for chosen in plans:
        results = json.loads((tmp_path / "both" / f"{chosen.name}.json").read_text())
        alone = done(chosen, tmp_path / "alone")
        assert results["curve"]["step"] == alone["curve"]["step"] == [2]
        assert results["plan"] == alone["plan"]
    assert files(tmp_path / "unfinished") == []


@pytest.mark.slow
def test_a_failing_run_stops_the_others(tmp_path):
    train(plan(), tmp_path, tmp_path)
    with pytest.raises(ValueError, match="its batch is 4, not 5"):
        run_all([plan(batch=5), plan(seed=1)], (tmp_path, tmp_path), jobs=1)
    assert active_children() == []


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
    words = ("--folder", tmp_path, "--unfinished", tmp_path, "core", "--jobs", "2")
    running = subprocess.Popen(
        [sys.executable, "-m", "posenc.lab", *map(str, words)],
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


@pytest.mark.slow
def test_the_command_line_names_what_it_does_not_know():
    ended = command("train", "--task", "sing", "--encoding", "none")
    assert ended.returncode == 2
    assert "invalid choice: 'sing'" in ended.stderr
