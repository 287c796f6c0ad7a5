"""The widget of the laboratory: encodings side by side, run by run."""

from typing import Any, ClassVar

import traitlets

from posenc.figures.laboratory import overlay
from posenc.figures.laboratory_data import LOOKS, TASKS, Tested, results, trained_tasks
from posenc.figures.themes import Themed

from ._base import BookWidget

MEASURES = ("accuracy", "loss")
SHOWN = ("sinusoidal", "alibi", "rope")


class TrainedRuns(BookWidget):
    """Accuracy or loss against length, and while training, of chosen encodings.

    Parameters
    ----------
    task : str, default "copy"
        A task with results.
    measure : {"accuracy", "loss"}, default "accuracy"
        Share of right answers, or cross-entropy above the least possible, in nats.
    encodings : list of str, default ["sinusoidal", "alibi", "rope"]
        Encodings to show, keys of `LOOKS`; those without results are left out.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> TrainedRuns(encodings=["t5"]).picture().alt[:35]
    'Accuracy of the task copy for T5: a'
    """

    scripts: ClassVar = (
        "shell.js",
        "plot.js",
        "laboratory_plot.js",
        "laboratory.js",
    )

    task = traitlets.Enum(tuple(TASKS), default_value="copy").tag(sync=True)
    measure = traitlets.Enum(MEASURES, default_value="accuracy").tag(sync=True)
    encodings: Any = traitlets.List(
        traitlets.Enum(tuple(LOOKS)), default_value=list(SHOWN)
    ).tag(sync=True)

    # What the front end draws.
    runs = traitlets.Dict(read_only=True).tag(sync=True)
    looks = traitlets.Dict(read_only=True).tag(sync=True)
    tasks = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("runs")
    def _default_runs(self) -> dict[str, Any]:
        return {
            task: {name: _as_data(name, one) for name, one in results(task).items()}
            for task in trained_tasks()
        }

    @traitlets.default("looks")
    def _default_looks(self) -> dict[str, Any]:
        return {name: look._asdict() for name, look in LOOKS.items()}

    @traitlets.default("tasks")
    def _default_tasks(self) -> dict[str, str]:
        return {task: TASKS[task] for task in trained_tasks()}

    @traitlets.validate("task")
    def _check_task(self, proposal: Any) -> Any:
        task, known = proposal["value"], trained_tasks()
        if task not in known:
            msg = f"task must be one that has results ({known}), got {task!r}"
            raise traitlets.TraitError(msg)
        return task

    def picture(self) -> Themed:
        """Curves of the present setting."""
        names = ", ".join(LOOKS[name].title for name in self.encodings) or "no encoding"
        alt = (
            f"{self.measure.capitalize()} of the task {self.task} for {names}: against "
            "the length of the test, and against the steps of training; a line for "
            "each seed."
        )
        return Themed(lambda: overlay(self.task, self.encodings, self.measure), alt=alt)


def _as_data(name: str, one: Tested) -> dict[str, Any]:
    """Numbers of the runs of one encoding, one list for each seed."""
    trained = one.runs[0]["plan"]["encoding"] == name
    return {
        "lengths": list(one.accuracy),
        "length": {
            measure: [list(seed) for seed in zip(*values.values(), strict=True)]
            for measure, values in (("accuracy", one.accuracy), ("loss", one.loss))
        },
        "steps": [run["curve"]["step"] for run in one.runs] if trained else [],
        "training": {
            measure: [
                [round(value, 4) for value in run["curve"][measure]] for run in one.runs
            ]
            if trained
            else []
            for measure in MEASURES
        },
        "seeds": [run["plan"]["seed"] for run in one.runs],
        "solved": [run["steps"] if run["solved"] else 0 for run in one.runs],
        "milliseconds": one.milliseconds,
    }
