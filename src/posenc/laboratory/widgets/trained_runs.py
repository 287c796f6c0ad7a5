"""The widget `TrainedRuns`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.laboratory import TASKS, Tested, first_solved
from posenc.laboratory.figures import LOOKS, overlay, shown, trained_tasks
from posenc.laboratory.figures.looks import own_model

MEASURES = ("accuracy", "loss")

#: Lengths of the tests, in tokens; the first is that of training.
LENGTHS = (64, 128, 256, 512, 1024)

SHOWN = ("sinusoidal", "alibi", "rope")


class TrainedRuns(BookWidget):
    """Accuracy or loss of every encoding against length, and while training.

    Parameters
    ----------
    task : str, default "copy"
        A task with results.
    measure : {"accuracy", "loss"}, default "accuracy"
        Share of right answers, or cross-entropy above the least possible, in nats.
    length : int, default 128
        Length of the test that all charts mark, one of `LENGTHS`.
    encodings : list of str, default ["sinusoidal", "alibi", "rope"]
        Encodings to mark, keys of `LOOKS`; those without results are left out.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> TrainedRuns(encodings=["t5"]).picture().alt[:34]
    'Accuracy of the task copy: a chart'
    """

    task = traitlets.Enum(tuple(TASKS), default_value="copy")
    measure = traitlets.Enum(MEASURES, default_value="accuracy")
    length = traitlets.Enum(LENGTHS, default_value=128)
    encodings: Any = traitlets.List(
        traitlets.Enum(tuple(LOOKS)), default_value=list(SHOWN)
    )

    @table
    def runs(self) -> dict[str, Any]:
        return {
            task: {name: _as_data(name, tested) for name, tested in shown(task).items()}
            for task in trained_tasks()
        }

    @table
    def lengths(self) -> list[int]:
        return list(LENGTHS)

    @table
    def looks(self) -> dict[str, Any]:
        return {name: look._asdict() for name, look in LOOKS.items()}

    @table
    def tasks(self) -> dict[str, str]:
        return {task: TASKS[task] for task in trained_tasks()}

    @traitlets.validate("task")
    def _check_task(self, proposal: Any) -> Any:
        task, known = proposal["value"], trained_tasks()
        if task not in known:
            msg = f"task must be one that has results ({known}), got {task!r}"
            raise traitlets.TraitError(msg)
        return task

    def picture(self) -> Themed:
        """Draw the curves of the present setting."""
        names = ", ".join(LOOKS[name].title for name in self.encodings) or "no encoding"
        alt = (
            f"{self.measure.capitalize()} of the task {self.task}: a chart for each "
            f"encoding against the length of the test, with the number at "
            f"{self.length:,} tokens; below, learning curves of {names}; a line for "
            "each seed, dashed where the task was not solved."
        )
        setting = (self.task, self.encodings, self.measure, self.length)
        return Themed(lambda: overlay(*setting), alt=alt)


def _as_data(name: str, tested: Tested) -> dict[str, Any]:
    """Return the numbers of the runs of one encoding, one list for each seed."""
    trained = own_model(name, tested)
    return {
        "lengths": list(tested.accuracy),
        "length": {
            measure: [list(seed) for seed in zip(*values.values(), strict=True)]
            for measure, values in (
                ("accuracy", tested.accuracy),
                ("loss", tested.loss),
            )
        },
        "steps": [run["curve"]["step"] for run in tested.runs] if trained else [],
        "training": {
            measure: [
                [round(value, 4) for value in run["curve"][measure]]
                for run in tested.runs
            ]
            if trained
            else []
            for measure in MEASURES
        },
        "seeds": tested.seeds,
        "solved": tested.solved,
        "first": [first_solved(run) or 0 for run in tested.runs],
    }
