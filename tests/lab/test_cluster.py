"""Runs that are sent to a cluster: two workers, one of which dies in the middle."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from posenc.core.data import read_table
from posenc.lab.encodings import Sizes
from posenc.lab.runs import run_all
from posenc.lab.sequences import SequencePlan

pytestmark = pytest.mark.slow

SIZES = Sizes(train_len=36, d_model=16, num_heads=2, num_layers=2)


@dataclass(frozen=True)
class Logged(SequencePlan):
    """A plan that writes down who begins it, and waits for a moment."""

    log: str = ""

    def as_data(self):
        return {**super().as_data(), "sizes": [*self.sizes]}

    def start(self):
        with Path(self.log).open("a", encoding="utf-8") as file:
            file.write(f"{self.name} {os.getpid()}\n")
        time.sleep(2)
        return super().start()


@pytest.fixture(autouse=True)
def _plans_travel_whole():
    """Workers cannot import this file, so its class is sent with each plan."""
    cloudpickle = pytest.importorskip("cloudpickle")
    cloudpickle.register_pickle_by_value(sys.modules[__name__])


def begun(log):
    return [line.split() for line in Path(log).read_text().splitlines()]


def test_a_dead_worker_costs_only_the_run_that_it_had_begun(tmp_path, cluster):
    log, folders = tmp_path / "log", (tmp_path / "results", tmp_path / "unfinished")
    log.touch()
    plans = [
        Logged("motif", "none", seed, max_steps=2, batch=2, sizes=SIZES, log=str(log))
        for seed in range(6)
    ]
    killed = []

    def two_are_at_work():
        """Two runs are done and written, and every other one that has begun goes on."""
        table = folders[0] / "motif.jsonl"
        done = len(read_table(table)) if table.exists() else 0
        return done >= 2 and len(begun(log)) == done + 2

    def kill():
        """End one of these, when no result is on its way any more."""
        while not (two_are_at_work() and not time.sleep(0.3) and two_are_at_work()):
            time.sleep(0.02)
        name, pid = begun(log)[-1]
        killed.append(name)
        os.kill(int(pid), signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    results = run_all(plans, folders, 2, cluster.get_executor())
    names = [name for name, _ in begun(log)]
    assert [one["plan"]["seed"] for one in results] == [*range(6)]
    assert {name for name in names if names.count(name) > 1} == set(killed)
    assert sorted(set(names)) == [plan.name for plan in plans]
    for plan, one in zip(plans, results, strict=True):
        kept = read_table(folders[0] / "motif.jsonl")[plan.name]
        assert kept["curve"] == one["curve"]
    run_all(plans, folders, 2, cluster.get_executor())  # everything is there
    assert [name for name, _ in begun(log)] == names


def test_an_address_where_nobody_listens_is_named():
    ended = subprocess.run(
        [sys.executable, "-m", "posenc.lab", "page", "--dask", "tcp://127.0.0.1:9"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ended.returncode == 1
    assert (
        "--dask must name a running scheduler, got 'tcp://127.0.0.1:9'" in ended.stderr
    )
    assert "Traceback" not in ended.stderr
