"""A class that is graded by a cluster: two workers, one of which dies in the middle."""

import csv
import json
import os
import signal
import threading

import pytest

from posenc.grading import batch as tables_of
from posenc.grading.batch import TamperedError, grade_folder

pytestmark = pytest.mark.slow

NAME = "t5.last_bucket_start"
ANSWER = """import time
time.sleep({})
from posenc.exercises import check


def last_bucket_start(num_buckets, max_distance):
    start = exact = num_buckets // 2
    rest = num_buckets - exact
    while start**rest < exact * max_distance ** (rest - 1):
        start += 1
    return {}


check("t5.last_bucket_start", last_bucket_start)"""


@pytest.fixture
def folder(tmp_path):
    """Six students, of whom every second one is right."""
    for number in range(6):
        cell = {
            "cell_type": "code",
            "id": "answer",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": ANSWER.format(2, "start" if number % 2 else "start + 1"),
        }
        content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        path = tmp_path / "in" / f"s{number}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return tmp_path / "in"


def rows(path):
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_a_dead_worker_loses_no_points(folder, tmp_path, cluster):
    out, said, begun = tmp_path / "m.csv", [], threading.Event()
    first, _ = cluster.run(os.getpid).values()

    def told(words):
        said.append(words)
        if not begun.is_set():
            begun.set()
            os.kill(first, signal.SIGKILL)

    grade_folder(folder, out, report=told, executor=cluster.get_executor())
    found = {row["student"]: row for row in rows(out)}
    assert {n: row["errors"] for n, row in found.items()} == dict.fromkeys(found, "")
    passed = {name for name, row in found.items() if row["passed"] == NAME}
    assert passed == {"s1", "s3", "s5"}
    assert len(said) == len(found) == 6  # none was graded twice


def test_another_version_on_the_cluster_is_noticed(
    folder, tmp_path, cluster, monkeypatch
):
    monkeypatch.setattr(tables_of, "fingerprint", lambda: "mine")
    with pytest.raises(TamperedError, match="another version"):
        grade_folder(folder, tmp_path / "m.csv", executor=cluster.get_executor())
    assert not (tmp_path / "m.csv").exists()
