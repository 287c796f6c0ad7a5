"""The widget of the chapter on today's models: keys of a config, one after another."""

import json
from typing import Any

import numpy as np
import traitlets

from posenc.checkpoint import Checkpoint, Group, describe, groups, planes
from posenc.checkpoint.figures import wavelengths
from posenc.checkpoint.layers import first_untrained
from posenc.checkpoint.published import config, families, models
from posenc.checkpoint.report import report
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table

__all__ = ["ConfigKeys"]

#: Models whose keys can be played.
STEPS = {model["name"]: model["step"] for model in models() if "step" in model}
NAMES = tuple(STEPS)
LAST_STEP = 2
START = (
    "The config before the keys that follow. An absent key has the value that its "
    "family gives it."
)


class ConfigKeys(BookWidget):
    """Wavelengths of a model's planes, as its config's keys come one after another.

    Parameters
    ----------
    model : str, default "Llama 3.1 8B"
        One of `NAMES`.
    step : int, default 0
        How many of its steps of keys are there; 0 … `LAST_STEP`.
    text : str, default ""
        A ``config.json`` of your own, which is then shown in place of the model; or
        its report if no layer turns, or the reason why it cannot be read.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> ConfigKeys(step=2).picture().alt[:54]
    'Tokens for one turn of each plane of Llama 3.1 8B, wit'
    """

    model = traitlets.Enum(NAMES, default_value="Llama 3.1 8B")
    step = traitlets.Int(0, min=0, max=LAST_STEP)
    text = traitlets.Unicode("")

    live = traitlets.Bool(True, read_only=True)  # whether Python reads `text`

    @table
    def tables(self) -> dict[str, Any]:
        """Each step of each model."""
        return {
            name: [
                _shown(label, says, config(name, n)) for n, label, says in _keys(name)
            ]
            for name in NAMES
        }

    @table
    def choices(self) -> dict[str, list[Any]]:
        """List the models and steps to choose from."""
        return {"model": list(NAMES), "step": list(range(LAST_STEP + 1))}

    @table
    def reports(self) -> dict[str, str]:
        """The report on each family when all its keys are absent."""
        described = {name: _of_family(name) for name in families()}
        return {name: text for name, text in described.items() if text}

    own: Any = traitlets.Dict(read_only=True)  #: of `text`, or {} or what is wrong

    def __init__(self, *, text: str = "", **traits: Any) -> None:
        super().__init__(**traits)
        self.text = text  # last: another model or step would remove it

    @traitlets.observe("text")
    def _read(self, change: Any) -> None:
        self.set_trait("own", _of_text(change["new"]))

    @traitlets.observe("model", "step")
    def _leave(self, change: Any) -> None:
        """Show the model that was chosen, not the config that was pasted."""
        self.text = ""

    def static_state(self) -> dict[str, Any]:
        """Say that nobody reads `text` on a page without Python."""
        state = {**super().static_state(), "live": False}
        return {**state, "reports": {}} if self.simple else state

    def picture(self) -> Themed:
        """Wavelengths of the present step."""
        name, keys = str(self.model), config(str(self.model), self.step)
        if "planes" in self.own:
            name, keys = "your config", json.loads(self.text)
        shown = describe(keys)
        alt = (
            f"Tokens for one turn of each plane of {name}, with the keys "
            f"{', '.join(keys)}, beside lines for the trained length and the promised "
            "one."
        )
        return Themed(lambda: wavelengths(shown), alt=alt)


def _keys(name: str) -> list[tuple[int, str, str]]:
    """List number, label and sentence of each step of a model, from the start on."""
    told = [(0, "before", START)]
    for number, one in enumerate(STEPS[name], start=1):
        label = ", ".join(
            f"{key}: {_words(value)}" for key, value in one["keys"].items()
        )
        told.append((number, label, one["says"]))
    return told


def _words(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{key}: {_words(one)}" for key, one in value.items())
        return f"{{{inner}}}"
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _of_text(text: str) -> dict[str, Any]:
    """Return what a config of the reader's own means, or why it cannot be read."""
    if not text.strip():
        return {}
    try:
        keys = json.loads(text)
    except ValueError as error:
        return {"wrong": str(error)}
    except RecursionError:
        return {"wrong": "it has too many brackets in each other."}
    if not isinstance(keys, dict):
        return {"wrong": "it must begin with { and end with }."}
    try:
        return _shown("your config", "Read by Python.", keys)
    except (ValueError, TypeError) as error:
        return {"wrong": str(error)}


def _of_family(name: str) -> str:
    """Return the report on a family, or "" if its config needs a `text_config`."""
    try:
        return report(describe({"model_type": name}))
    except ValueError:
        return ""


def _shown(label: str, says: str, keys: Any) -> dict[str, Any]:
    checkpoint = describe(keys)
    turning = [group for group in groups(checkpoint) if group.layer.method == "rope"]
    kinds = [_kind(group, checkpoint) for group in turning]
    if not kinds:
        return {"report": report(checkpoint)}
    still = [layer for layer in checkpoint.layers if layer.method == "none"]
    numbers = tuple(layer.number for layer in still)
    return {
        "label": label,
        "says": says,
        "planes": kinds,
        "still": Group(numbers, still[0]).names if still else "",
        "trained": checkpoint.trained_len,
        "promised": checkpoint.max_len,
        "warnings": list(checkpoint.warnings),
    }


def _kind(group: Group, checkpoint: Checkpoint) -> dict[str, Any]:
    layer = group.layer
    assert layer.rotation is not None
    known = first_untrained(layer, checkpoint)
    within = known or checkpoint.max_len
    read = [n for n in (layer.window, checkpoint.max_len) if n is not None]
    reach = min(read, default=within)
    now = planes(layer, within, checkpoint.max_len)
    slow = np.isfinite(now.wavelengths) & (now.wavelengths > within)
    return {
        "layers": group.names,
        "turned": 2 * int(np.isfinite(now.wavelengths).sum()),
        "head": layer.head_dim,
        "window": layer.window,
        "within": within,
        "known": known is not None,  # or else the promised length is taken
        "never": now.never_round if known else int(slow.sum()),
        "waves": [_finite(wave) for wave in now.wavelengths.tolist()],
        "before": [_finite(wave) for wave in (now.wavelengths / now.slower).tolist()],
        "trained": _turns(layer.rotation.unstretched(), known),
        "reach": reach,
        "longest": _turns(layer.frequencies(checkpoint.max_len), reach),
        "kept": _first_kept(now.slower),
        "alike": bool(np.allclose(now.slower, now.slower[0], rtol=1e-6)),
        "slower": [round(float(now.slower[0]), 4), round(float(now.slower.max()), 4)],
        "factor": round(layer.attention_factor(checkpoint.max_len), 4),
        "scores": round(layer.score_factor, 4),
    }


def _first_kept(slower: Any) -> int:
    """Count the planes that keep their speed before the first that does not."""
    changed = ~np.isclose(slower, 1.0, rtol=1e-6)
    return int(np.argmax(changed)) if changed.any() else len(slower)


def _turns(theta: Any, length: int | None) -> list[float] | None:
    """Return the turns of each plane within `length` tokens; None for no length."""
    if length is None:
        return None
    return [float(f"{turn:.6g}") for turn in (theta * length / (2 * np.pi)).tolist()]


def _finite(wave: float) -> float | None:
    """Six digits of it; None for a plane that stands still."""
    return float(f"{wave:.6g}") if wave < float("inf") else None
