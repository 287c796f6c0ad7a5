"""What the widget of the laboratory shows: what the files hold."""

import numpy as np
from widget_page import Near

from posenc.laboratory.figures import LOOKS, shown
from posenc.laboratory.widgets import TrainedRuns
from posenc.training.encodings import ENCODINGS


def values_of(w, one):
    return one.accuracy if w.measure == "accuracy" else one.loss


def curves(w, name, one):
    if ENCODINGS[name].trained_as != name:
        return []
    return [Near(run["curve"][w.measure], 6e-5) for run in one.runs]


def means_of(w):
    means = {}
    for name, one in shown(w.task).items():
        values = values_of(w, one).get(w.length, [np.nan] * len(one.solved))
        runs = zip(values, one.solved, strict=True)
        counted = [value for value, solved in runs if solved or w.length == 64]
        if not np.isnan(counted).all():
            means[name] = np.mean(counted)
    return means


def trained_runs(w):
    marked = {n: one for n, one in shown(w.task).items() if n in w.encodings}
    numbers = {
        "task": w.task,
        "measure": w.measure,
        "at": w.length,
        "encodings": list(marked),
        "length": [
            np.transpose(list(values_of(w, one).values())) for one in marked.values()
        ],
        "training": [curves(w, name, one) for name, one in marked.items()],
    }
    means = sorted(means_of(w).values(), reverse=w.measure == "accuracy")
    said = {f"best {means[0]:.2f} (": True, f"worst {means[-1]:.2f} (": True}
    for name, one in marked.items():
        solved = f"solved in {sum(one.solved)} of {len(one.runs)} runs"
        said[f"{LOOKS[name].title}: {solved}"] = True
    return numbers, said


SHOWN = {TrainedRuns: trained_runs}
