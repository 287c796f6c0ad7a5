"""Distance and crowd, tested one by one: results of the laboratory's runs.

`posenc.training.distance_or_crowd` describes the tests.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from .trained import SOLVED, Tested, results

#: Encodings whose tests lie in the results, in the order of figures.
ENCODINGS = (
    "shaw",
    "shaw_clip_63",
    "t5",
    "t5_wide",
    "alibi",
    "transformer_xl",
    "rope",
    "sinusoidal",
)
#: Distances from 16 on count as one, so that nothing is left to clamp.
CLIPPED = ("shaw", "t5")


class Apart(NamedTuple):
    """Right answers of the runs of one encoding that solved the task.

    Attributes
    ----------
    trained : tuple of float
        At the trained length, one share for each run; and so below.
    shift, gap, inside, crowd, long : dict
        Shares by length, for a text of the trained length at later positions; with a
        gap between its parts, or inside the first; many keys without a new distance; a
        long text. `inside` and `crowd` are empty where there is no such test.
    sharper : dict
        Shares by length and factor of all scores.
    """

    trained: tuple[float, ...]
    shift: Mapping[int, tuple[float, ...]]
    gap: Mapping[int, tuple[float, ...]]
    inside: Mapping[int, tuple[float, ...]]
    crowd: Mapping[int, tuple[float, ...]]
    long: Mapping[int, tuple[float, ...]]
    sharper: Mapping[int, Mapping[float, tuple[float, ...]]]


@cache
def apart(task: str) -> Mapping[str, Apart]:
    """Return tests of a task, by encoding; encodings that no run solved are missing."""
    by_encoding = {}
    for name in ENCODINGS:
        tested = results(task).get(name)
        if tested is not None and any(tested.solved):
            by_encoding[name] = _apart(task, name, tested)
    return by_encoding


def _apart(task: str, name: str, model: Tested) -> Apart:
    runs = [run for run, solved in zip(model.runs, model.solved, strict=True) if solved]

    def shares(kind: str) -> dict[int, tuple[float, ...]]:
        lengths = runs[0]["apart"].get(kind, ())
        return {
            int(n): tuple(run["apart"][kind][n]["accuracy"] for run in runs)
            for n in lengths
        }

    def tested(encoding: str) -> dict[int, tuple[float, ...]]:
        return {
            int(n): tuple(run["tests"][encoding][n]["accuracy"] for run in runs)
            for n in runs[0]["apart"]["gap"]
        }

    sharper = {
        int(n): {
            float(factor): tuple(
                run["apart"]["sharper"][n][factor]["accuracy"] for run in runs
            )
            for factor in factors
        }
        for n, factors in runs[0]["apart"]["sharper"].items()
    }
    trained = tuple(model.of_solved(model.trained_length))
    assert min(trained) >= SOLVED
    long = tested(name)
    crowd = shares("crowd")
    if name in CLIPPED and task == "copy":
        crowd = long
    for n, factors in sharper.items():
        factors[1.0] = long.get(n, trained)
    return Apart(
        trained,
        shares("shift"),
        shares("gap"),
        shares("inside"),
        crowd,
        long,
        {n: dict(sorted(factors.items())) for n, factors in sharper.items()},
    )
