"""The widget of the laboratory on the side of Python."""

import pytest
import traitlets

from posenc.core.data import load_folder
from posenc.laboratory import SOLVED, first_solved, results
from posenc.laboratory.figures import LOOKS
from posenc.laboratory.widgets import TrainedRuns


def test_numbers_are_those_of_the_files():
    runs = TrainedRuns().runs
    assert {"copy", "index"} <= set(runs)
    files = load_folder("lab_runs")
    for task, encodings in runs.items():
        for name, data in encodings.items():
            trained = "rope" if name.startswith("rope") else name
            rate = results(task)[name].learning_rate
            for i, seed in enumerate(data["seeds"]):
                file = files[f"{task}-{trained}-{rate:g}-{seed}"]
                share = file["tests"][name]["64"]["accuracy"]
                assert data["solved"][i] == (share >= SOLVED)
                assert data["first"][i] == (first_solved(file) or 0)
                for measure in ("accuracy", "loss"):
                    tested = file["tests"][name]
                    assert data["length"][measure][i] == [
                        tested[str(n)][measure] for n in data["lengths"]
                    ]
                    if trained == name:
                        curve = file["curve"][measure]
                        shown = data["training"][measure][i]
                        assert shown == pytest.approx(curve, abs=5.1e-5)
                        assert data["steps"][i] == file["curve"]["step"]
            if trained != name:
                assert data["steps"] == data["training"]["loss"] == []
    assert runs["copy"]["learned"]["lengths"] == [64]
    result = {
        n for task in runs.values() for rows in task.values() for n in rows["lengths"]
    }
    assert sorted(result) == TrainedRuns().lengths


def test_a_task_of_another_page_is_refused():
    with pytest.raises(traitlets.TraitError):
        TrainedRuns(task="count")


def test_the_page_holds_the_looks():
    assert TrainedRuns().looks == {n: look._asdict() for n, look in LOOKS.items()}
