"""Content of the laboratory's widget, read from its files."""

import numpy as np
from widget_page import Near

from posenc.laboratory.figures import LOOKS, shown
from posenc.laboratory.widgets import TrainedRuns
from posenc.training.encodings import ENCODINGS


def values_of(w, tested):
    return tested.accuracy if w.measure == "accuracy" else tested.loss


def curves(w, name, tested):
    if ENCODINGS[name].trained_as != name:
        return []
    return [Near(run["curve"][w.measure], 6e-5) for run in tested.runs]


def means_of(w):
    means = {}
    for name, tested in shown(w.task).items():
        values = values_of(w, tested).get(w.length, [np.nan] * len(tested.solved))
        runs = zip(values, tested.solved, strict=True)
        counted = [value for value, solved in runs if solved or w.length == 64]
        if not np.isnan(counted).all():
            means[name] = np.mean(counted)
    return means


def trained_runs(w):
    marked = {n: tested for n, tested in shown(w.task).items() if n in w.encodings}
    numbers = {
        "task": w.task,
        "measure": w.measure,
        "at": w.length,
        "encodings": list(marked),
        "length": [
            np.transpose(list(values_of(w, tested).values()))
            for tested in marked.values()
        ],
        "training": [curves(w, name, tested) for name, tested in marked.items()],
    }
    means = sorted(means_of(w).values(), reverse=w.measure == "accuracy")
    sentences = {f"best {means[0]:.2f} (": True, f"worst {means[-1]:.2f} (": True}
    for name, tested in marked.items():
        solved = f"solved in {sum(tested.solved)} of {len(tested.runs)} runs"
        sentences[f"{LOOKS[name].title}: {solved}"] = True
    return numbers, sentences


SHOWN = {TrainedRuns: trained_runs}
