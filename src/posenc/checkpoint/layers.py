"""A checkpoint, its layers, groups of like ones, and the sizes that they need."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from posenc.core.checks import check_int

from .keys import Keys
from .rope_types import Rotation


@dataclass(frozen=True)
class Layer:
    """One layer and its way to tell positions apart.

    Attributes
    ----------
    number : int
        From 0 on; the layers of a decoder stand behind those of its encoder.
    method : str
        As `Checkpoint.method`; "none" for a layer that does not turn in a model that
        does. A table added to the input ("learned", "sinusoidal", "convolutional")
        is that of every layer of its stack.
    head_dim : int
        Features of a query.
    rotary_dim : int
        Features of a head that turn, or of the table of sinusoids; 0 if none.
    layout : {'half', 'interleaved'} or None
        Features that are a pair, as in `posenc.rope.apply_rotary`; for sinusoids as in
        `posenc.sinusoidal.sinusoidal_table`.
    first_turned : int
        First feature that turns; above 0 in latent attention.
    sections : tuple of int or None
        Pairs of each axis (time, row, column) of M-RoPE; `sections_interleaved` is True
        if the axes take turns.
    window : int or None
        By `window_shape`, tokens that a query sees, its own with them ('sliding'),
        tokens that see each other ('chunk', 'block'), or its reach in each direction
        ('both sides'). None if it sees everything.
    stack : {'', 'encoder', 'decoder'}
        Its stack, in a model of two.
    score_factor : float
        Another factor of the scores (DeepSeek's square of ``mscale``).
    details : mapping
        Numbers of the method: rows of a table, buckets, slopes, ….
    rotation : Rotation or None
        The rule behind `frequencies`.
    """

    number: int
    method: str
    head_dim: int
    rotary_dim: int = 0
    layout: str | None = None
    first_turned: int = 0
    sections: tuple[int, ...] | None = None
    sections_interleaved: bool = False
    window: int | None = None
    window_shape: str = ""
    stack: str = ""
    score_factor: float = 1.0
    details: Mapping[str, Any] = field(default_factory=dict)
    rotation: Rotation | None = None

    def frequencies(self, seq_len: int | None = None) -> Float[np.ndarray, " pairs"]:
        """Return radians per token of each pair.

        Parameters
        ----------
        seq_len : int, optional
            Tokens of the text, with those in the cache; rules like "dynamic" and
            "longrope" depend on it. If not given, a text within the trained length.

        Returns
        -------
        float64 array of shape (rotary_dim // 2,)
            For `posenc.rope.rotary_angles`; empty if nothing turns.

        Raises
        ------
        TypeError, ValueError
            If `seq_len` is not an integer of at least 1.
        """
        if self.rotation is None:
            return np.zeros(0)
        return self.rotation.frequencies(seq_len)

    def attention_factor(self, seq_len: int | None = None) -> float:
        """Return the factor of queries and keys once they have turned.

        Parameters
        ----------
        seq_len : int, optional
            As in `frequencies`.

        Returns
        -------
        float
            1 in most models; the features that do not turn are not multiplied.

        Raises
        ------
        TypeError, ValueError
            If `seq_len` is not an integer of at least 1.
        """
        return 1.0 if self.rotation is None else self.rotation.attention_factor(seq_len)


@dataclass(frozen=True)
class Checkpoint:
    """Facts of a configuration about positions, from `describe`.

    Attributes
    ----------
    family : str
        The ``model_type`` that was described; of nested configurations, the text's.
    method : str
        "rope", "learned", "sinusoidal", "t5", "alibi", "none", "swin",
        "convolutional", "transformer_xl" or "shaw"; that of the first layers, if those
        of the decoder have another.
    num_layers : int
        Layers of all stacks together.
    num_heads : int
        Heads of a layer; in Swin those of the first stage.
    trained_len : int or None
        Tokens of the context before stretching; None if the configuration does not
        tell.
    max_len : int or None
        Tokens that the configuration promises, after stretching.
    warnings : tuple of str
        Keys that popular loaders ignore, contradictions, unknown keys.
    assumed : mapping
        Keys that are absent, with the values that transformers then takes.
    layers : tuple of Layer
        All layers.
    """

    family: str
    method: str
    num_layers: int
    num_heads: int
    trained_len: int | None
    max_len: int | None
    warnings: tuple[str, ...]
    assumed: Mapping[str, Any]
    layers: tuple[Layer, ...]

    def layer(self, i: int) -> Layer:
        """Return layer number `i`, from 0 on.

        Raises
        ------
        TypeError, ValueError
            If there is no such layer.
        """
        i = check_int("i", i)
        if i >= self.num_layers:
            msg = f"i must be below num_layers={self.num_layers}, got {i}"
            raise ValueError(msg)
        return self.layers[i]


def check_layer(layer: Any) -> Layer:
    """Return `layer`, or raise ``TypeError`` with the call that gives one."""
    if not isinstance(layer, Layer):
        kind = type(layer).__name__
        msg = f"layer must be a Layer, got a {kind}: take checkpoint.layer(0)"
        raise TypeError(msg)
    return layer


def check_checkpoint(checkpoint: Any) -> Checkpoint:
    """Return `checkpoint`, or raise ``TypeError`` with the call that gives one."""
    if not isinstance(checkpoint, Checkpoint):
        kind = type(checkpoint).__name__
        msg = f"checkpoint must be a Checkpoint, got a {kind}: call describe(config)"
        raise TypeError(msg)
    return checkpoint


_MOST_LAYERS = 10_000
WIDEST = 2**16


@dataclass
class Model:
    """Layers of a model, and the lengths of its context."""

    layers: list[Layer]
    trained_len: int | None = None
    max_len: int | None = None
    given: list[Keys] = field(default_factory=list)  # rope parameters that were read


def num_layers(keys: Keys, key: str = "num_hidden_layers") -> int:
    """Return the number of layers, within reason."""
    count = keys.whole(key)
    if count > _MOST_LAYERS:
        msg = f"{keys.name(key)} must be at most {_MOST_LAYERS}, got {count}"
        raise ValueError(msg)
    return count


def head_dim(
    keys: Keys, key: str = "head_dim", heads: str = "num_attention_heads"
) -> int:
    """Return the features of a head: the key's value, else hidden size / heads."""
    if key in keys.defaults and key not in keys.nullable:
        size: int | None = keys.whole(key)
    else:
        size = keys.whole_or_none(key)
    if size is None:
        hidden, count = keys.whole("hidden_size"), keys.whole(heads)
        if hidden % count:
            msg = (
                f"{keys.name('hidden_size')} must be a multiple of {keys.name(heads)}="
                f"{count} if there is no head_dim, got {hidden}"
            )
            raise ValueError(msg)
        size = hidden // count
    if size > WIDEST:
        msg = f"{keys.name(key)} must be at most {WIDEST}, got {size}"
        raise ValueError(msg)
    return size


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
    """Group layers that are alike.

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
    """Return layer `number`, by default the first that tells positions apart.

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
    """Pairs of a layer, compared with the trained length."""

    wavelengths: Any  #: tokens per turn of each pair, as the layer is used
    never_round: int  #: pairs that make no whole turn within it, unstretched
    kept: int  #: pairs that stretching leaves alone
    divided: int  #: pairs that it slows down by its whole factor
    slower: Any  #: slowdown of each pair by stretching


def planes(
    layer: Layer, length: int | None = None, seq_len: int | None = None
) -> Planes:
    """Return numbers on the pairs of a layer that turns.

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
    same = np.isclose(slower, 1.0, rtol=1e-6) & turned
    divided = np.isclose(slower, rule.factor, rtol=1e-6) & turned & ~same
    return Planes(waves, int(never), int(same.sum()), int(divided.sum()), slower)


def first_untrained(layer: Layer, checkpoint: Checkpoint) -> int | None:
    """Return the first distance that queries and keys never had in training.

    None if the configuration has no trained length, or the method no such distance.

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
    """Return the first distance that a window hides; None if there is no window."""
    own = layer.window_shape == "both sides"  # it does not count the token itself
    return layer.window + own if layer.window else None
