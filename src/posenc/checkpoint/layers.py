"""What `describe` says: a checkpoint, and each of its layers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

from posenc.core.checks import check_int

from .rope_types import Rotation


@dataclass(frozen=True)
class Layer:
    """How one layer tells positions apart.

    Attributes
    ----------
    number : int
        From 0 on; the layers of a decoder stand behind those of its encoder.
    method : str
        As `Checkpoint.method`; "none" for a layer that does not turn in a model that
        does. What is added to the input ("learned", "sinusoidal", "convolutional")
        is that of every layer of its stack.
    head_dim : int
        Features of a query.
    rotary_dim : int
        Features of a head that turn, or of the table of sinusoids; 0 if none.
    layout : {'half', 'interleaved'} or None
        Which of them are a pair, as in `posenc.rope.apply_rotary`; for sinusoids as in
        `posenc.sinusoidal.sinusoidal_table`.
    first_turned : int
        Feature at which those that turn begin: above 0 in latent attention.
    sections : tuple of int or None
        Pairs of each axis (time, row, column) of M-RoPE, and in
        `sections_interleaved` whether the axes take turns.
    window : int or None
        Tokens that a query sees, its own with them ('sliding'); or tokens that look
        into each other ('chunk', 'block'); or how far it sees in each direction ('both
        sides'): `window_shape` says which. None if it sees everything.
    stack : {'', 'encoder', 'decoder'}
        Where it stands, in a model of two stacks.
    score_factor : float
        What the scores are multiplied by besides (DeepSeek's square of ``mscale``).
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
        """Radians per token of each pair.

        Parameters
        ----------
        seq_len : int, optional
            Tokens of the text, with those in the cache: rules like "dynamic" and
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
    """What a configuration says about positions, from `describe`.

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
        """Layer number `i`, from 0 on.

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
    """`layer`, or raise ``TypeError`` with where to get one."""
    if not isinstance(layer, Layer):
        kind = type(layer).__name__
        msg = f"layer must be a Layer, got a {kind}: take checkpoint.layer(0)"
        raise TypeError(msg)
    return layer


def check_checkpoint(checkpoint: Any) -> Checkpoint:
    """`checkpoint`, or raise ``TypeError`` with where to get one."""
    if not isinstance(checkpoint, Checkpoint):
        kind = type(checkpoint).__name__
        msg = f"checkpoint must be a Checkpoint, got a {kind}: call describe(config)"
        raise TypeError(msg)
    return checkpoint
