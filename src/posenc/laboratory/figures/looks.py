"""Names and styles of encodings, and the list of those that have been trained."""

from collections.abc import Mapping
from typing import NamedTuple

from posenc.laboratory import TASKS, Tested, results


class PlotStyle(NamedTuple):
    """Name and style of an encoding.

    The color is that of the place where the encoding enters: at the input ("value"), in
    the scores as a product with vectors ("key") or as a number that is added ("query"),
    or as a rotation ("position"). Encodings of one color have letters.
    """

    title: str
    chapter: str
    role: str
    letter: str


#: Encodings in the order of figures and tables.
LOOKS = {
    "none": PlotStyle("no encoding", "cape", "muted", "N"),
    "learned": PlotStyle("learned table", "attention", "value", "L"),
    "sinusoidal": PlotStyle("sinusoids", "sinusoidal", "value", "S"),
    "convolutional": PlotStyle("convolution", "convolutional", "value", "W"),
    "shaw": PlotStyle("Shaw", "shaw", "key", "V"),
    "transformer_xl": PlotStyle("Transformer-XL", "transformer_xl", "key", "X"),
    "t5": PlotStyle("T5", "t5", "query", "T"),
    "alibi": PlotStyle("ALiBi", "alibi", "query", "A"),
    "rope": PlotStyle("RoPE", "rope", "position", "R"),
    "rope_interpolation": PlotStyle("RoPE, interpolated", "rope", "position", "I"),
    "rope_ntk": PlotStyle("RoPE, NTK", "rope", "position", "K"),
    "rope_yarn": PlotStyle("RoPE, YaRN", "rope", "position", "Y"),
}

#: Controls, with their difference, and the encoding that they belong to.
_CONTROLS = {
    "shaw_clip_63": ("Shaw, clip 63", "shaw"),
    "t5_wide": ("T5, up to 64", "t5"),
}


def named(encoding: str) -> str:
    """Return the name of an encoding or of a control in a figure."""
    if encoding in _CONTROLS:
        return _CONTROLS[encoding][0]
    return LOOKS[encoding].title


def look_of(encoding: str) -> PlotStyle:
    """Return the look of an encoding; a control has that of its encoding."""
    return LOOKS[_CONTROLS.get(encoding, ("", encoding))[1]]


def shown(task: str) -> Mapping[str, Tested]:
    """Return what was trained on a task, in the order of `LOOKS`; without controls."""
    tested = results(task)
    return {name: tested[name] for name in LOOKS if name in tested}


def trained_tasks() -> list[str]:
    """Return tasks on which every encoding was trained with one seed at least."""
    return [task for task in TASKS if common_seeds(task)]


def common_seeds(task: str) -> list[int]:
    """Return seeds with which every encoding was trained on a task."""
    tested = shown(task)
    seeds = [set(tested[name].seeds) if name in tested else set() for name in LOOKS]
    return sorted(set.intersection(*seeds))


def own_model(name: str, tested: Tested) -> bool:
    """Return True if an encoding was trained itself, and does not change another."""
    return bool(tested.runs[0]["plan"]["encoding"] == name)
