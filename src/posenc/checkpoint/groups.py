"""Layers that are alike, and how their planes stand to the trained length."""

import math
from typing import Any, NamedTuple

import numpy as np

from posenc.core.checks import check_int

from .layers import Checkpoint, Layer, check_checkpoint, check_layer


class Group(NamedTuple):
    """Layers that are alike, and the first of them."""

    numbers: tuple[int, ...]
    layer: Layer

    @property
    def names(self) -> str:
        """Their numbers, with runs drawn together: ``"0-4, 6-10"``."""
        runs: list[list[int]] = []
        for number in self.numbers:
            if runs and number == runs[-1][-1] + 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        words = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
        more = f", … ({len(self.numbers)} layers)" if len(words) > 6 else ""
        return ", ".join(words[:6]) + more

    @property
    def title(self) -> str:
        """`names` behind their noun: ``"layer 5"``, ``"layers 0-4, 6-10"``."""
        return f"layer{'s' if len(self.numbers) > 1 else ''} {self.names}"


def groups(checkpoint: Checkpoint) -> list[Group]:
    """Layers that are alike, together.

    Parameters
    ----------
    checkpoint : Checkpoint
        From `describe`.

    Raises
    ------
    TypeError
        If it is none.

    Examples
    --------
    >>> from posenc.checkpoint import describe
    >>> [group.names for group in groups(describe({"model_type": "gemma2"}))][0]
    '0, 2, 4, 6, 8, 10, … (13 layers)'
    """
    alike: dict[str, list[Layer]] = {}
    for layer in check_checkpoint(checkpoint).layers:
        facts = {k: v for k, v in vars(layer).items() if k != "number"}
        alike.setdefault(repr(facts), []).append(layer)
    return [Group(tuple(x.number for x in same), same[0]) for same in alike.values()]


def chosen_layer(checkpoint: Checkpoint, number: int | None = None) -> Layer:
    """Layer `number`; if there is none, the first that tells positions apart.

    Raises
    ------
    TypeError, ValueError
        If `checkpoint` is none, or has no layer of that number.
    """
    layers = check_checkpoint(checkpoint).layers
    if number is not None:
        return checkpoint.layer(check_int("number", number))
    return next((layer for layer in layers if layer.method != "none"), layers[0])


class Planes(NamedTuple):
    """How the pairs of a layer stand to the trained length."""

    wavelengths: Any  #: tokens per turn of each pair, as the layer is used
    never_round: int  #: pairs that make no whole turn within it, unstretched
    kept: int  #: pairs that stretching leaves alone
    divided: int  #: pairs that it slows down by its whole factor
    slower: Any  #: by how much each pair is slower than before stretching


def planes(
    layer: Layer, length: int | None = None, seq_len: int | None = None
) -> Planes:
    """Numbers on the pairs of a layer that turns.

    Parameters
    ----------
    layer : Layer
        One with a rotation.
    length : int, optional
        Tokens of the context before stretching, or of a window; if not given, nothing
        is compared with it.
    seq_len : int, optional
        As in `Layer.frequencies`.

    Raises
    ------
    TypeError, ValueError
        If `layer` is none that turns, or a length is no integer of at least 1.
    """
    rule = check_layer(layer).rotation
    if rule is None:
        msg = f"layer must be one that turns, got method {layer.method!r}"
        raise ValueError(msg)
    if length is not None:
        length = check_int("length", length, minimum=1)
    plain, theta = rule.unstretched(), layer.frequencies(seq_len)
    with np.errstate(divide="ignore", invalid="ignore"):
        slower = np.where(theta > 0, plain / theta, 1.0)
        waves = 2 * math.pi / theta
    turned = theta > 0
    never = ((plain * length < 2 * math.pi) & turned).sum() if length else 0
    kept = np.isclose(slower, 1.0, rtol=1e-6) & turned
    divided = np.isclose(slower, rule.factor, rtol=1e-6) & turned & ~kept
    return Planes(waves, int(never), int(kept.sum()), int(divided.sum()), slower)


def first_untrained(layer: Layer, checkpoint: Checkpoint) -> int | None:
    """First distance that never stood between a query and a key in training.

    None if the configuration does not tell, or the method has none.

    Raises
    ------
    TypeError
        If `layer` or `checkpoint` is none.
    """
    rule = check_layer(layer).rotation
    trained = check_checkpoint(checkpoint).trained_len
    trained = rule.trained_len if rule else trained
    if layer.window_shape == "block":
        return None
    lengths = (trained, beyond_window(layer))
    return min((length for length in lengths if length), default=None)


def beyond_window(layer: Layer) -> int | None:
    """First distance that a window hides; None if there is no window."""
    own = layer.window_shape == "both sides"  # it does not count the token itself
    return layer.window + own if layer.window else None
