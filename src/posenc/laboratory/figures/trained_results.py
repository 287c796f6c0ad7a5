"""Results of the laboratory, sorted for figures, tables and the widget.

Everything comes from the files that ``python -m posenc.lab`` wrote: one for each run.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from statistics import median
from typing import Any, NamedTuple

from posenc.core.data import load_folder


class Look(NamedTuple):
    """How an encoding is named and drawn.

    The color tells where the encoding enters: at the input ("value"), in the scores as
    a product with vectors ("key") or as a number that is added ("query"), or as a
    rotation ("position"). A letter tells encodings of one color apart.
    """

    title: str
    chapter: str
    role: str
    letter: str


#: Encodings in the order of figures and tables.
LOOKS = {
    "none": Look("no encoding", "cape", "muted", "N"),
    "learned": Look("learned table", "attention", "value", "L"),
    "sinusoidal": Look("sinusoids", "sinusoidal", "value", "S"),
    "cape": Look("CAPE", "cape", "value", "C"),
    "convolutional": Look("convolution", "convolutional", "value", "W"),
    "shaw": Look("Shaw", "shaw", "key", "V"),
    "music_transformer": Look("Music Transformer", "music_transformer", "key", "M"),
    "transformer_xl": Look("Transformer-XL", "transformer_xl", "key", "X"),
    "t5": Look("T5", "t5", "query", "T"),
    "alibi": Look("ALiBi", "alibi", "query", "A"),
    "rope": Look("RoPE", "rope", "position", "R"),
    "rope_interpolation": Look("RoPE, interpolated", "rope", "position", "I"),
    "rope_ntk": Look("RoPE, NTK", "rope", "position", "K"),
    "rope_yarn": Look("RoPE, YaRN", "rope", "position", "Y"),
}


TASKS = {
    "copy": "copy: say it again",
    "index": "index: what stood at position i?",
    "recall": "recall: which value stood behind this key?",
    "language": "language: nested brackets",
}


class Tested(NamedTuple):
    """Runs of one encoding on one task, one for each seed.

    Attributes
    ----------
    runs : tuple of dict
        What the files hold. Scaled rotations have the runs of plain ones.
    accuracy, loss : dict
        Length to one value per seed. A length at which the encoding has no value at all
        is missing.
    """

    runs: tuple[Any, ...]
    accuracy: dict[int, tuple[float, ...]]
    loss: dict[int, tuple[float, ...]]

    @property
    def trained_length(self) -> int:
        """Length of the longest sequences of training."""
        return int(self.runs[0]["plan"]["sizes"]["train_len"])

    @property
    def solved(self) -> int:
        """How many of the runs solved the task at the trained length."""
        return sum(run["solved"] for run in self.runs)

    @property
    def milliseconds(self) -> float:
        """Median time of a step."""
        return median(run["milliseconds_per_step"] for run in self.runs)


@cache
def results(task: str) -> Mapping[str, Tested]:
    """What was trained on a task, by encoding, in the order of `LOOKS`."""
    files = load_folder("lab").values()
    runs = [run for run in files if run["plan"].get("task") == task]
    return {
        name: _tested(name, own)
        for name in LOOKS
        if (own := [run for run in runs if name in run["tests"]])
    }


def lengths(tested: Iterable[Tested]) -> list[int]:
    """All lengths at which something was tested."""
    return sorted({length for one in tested for length in one.accuracy})


def trained_tasks() -> list[str]:
    """Tasks with results, in the order of `TASKS`."""
    return [task for task in TASKS if results(task)]


def _tested(name: str, runs: list[Any]) -> Tested:
    runs.sort(key=lambda run: run["plan"]["seed"])

    def by_length(measure: str) -> dict[int, tuple[float, ...]]:
        return {
            int(length): tuple(run["tests"][name][length][measure] for run in runs)
            for length, value in runs[0]["tests"][name].items()
            if value is not None
        }

    return Tested(tuple(runs), by_length("accuracy"), by_length("loss"))
