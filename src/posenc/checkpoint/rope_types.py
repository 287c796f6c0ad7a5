"""The speeds of a checkpoint's pairs, by the rules that ``rope_type`` names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

from posenc import rope
from posenc.core import angles
from posenc.core.checks import check_int

Theta = Float[np.ndarray, " pairs"]


@dataclass(frozen=True)
class Rotation:
    """Rule by which the pairs of a layer turn.

    Attributes
    ----------
    rope_type : str
        Name of the rule: "default", "linear", "dynamic", "yarn", "longrope", "llama3"
        or "proportional"; for tables of sinusoids also "tensor2tensor".
    base : float
        Base of the geometric progression.
    width : int
        Features that turn, twice as many as there are pairs.
    trained_len : int or None
        Tokens of the context before stretching, if the configuration has it.
    settings : mapping
        Other settings of the rule, under the keys of the configuration.
    """

    rope_type: str
    base: float
    width: int
    trained_len: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def factor(self) -> float:
        """The factor by which the rule stretches the context; 1 if it does not."""
        return float(self.settings.get("factor", 1.0))

    def frequencies(self, seq_len: int | None = None) -> Theta:
        """Return radians per token of each pair, for a text of `seq_len` tokens."""
        return _RULES[self.rope_type](self, _length(seq_len))

    def unstretched(self) -> Theta:
        """Return radians per token of each pair before any stretching."""
        plain = self.rope_type in ("tensor2tensor", "proportional")
        if not plain:
            return angles.frequencies(self.width, base=self.base)
        settings = {**self.settings, "factor": 1.0}
        return Rotation(
            self.rope_type, self.base, self.width, None, settings
        ).frequencies()

    def attention_factor(self, seq_len: int | None = None) -> float:
        """Return the factor of queries and keys once they have turned."""
        _length(seq_len)
        given = self.settings.get("attention_factor")
        if given is not None:
            return float(given)
        rule = _FACTORS.get(self.rope_type)
        return rule(self) if rule else 1.0


def _length(seq_len: Any) -> int | None:
    if seq_len is None:
        return None
    remedy = "tokens of the text, with those in the cache"
    return check_int("seq_len", seq_len, minimum=1, remedy=remedy)


def _default(rotation: Rotation, seq_len: int | None) -> Theta:
    return angles.frequencies(rotation.width, base=rotation.base)


def _tensor2tensor(rotation: Rotation, seq_len: int | None) -> Theta:
    return angles.tensor2tensor_frequencies(rotation.width, base=rotation.base)


def _linear(rotation: Rotation, seq_len: int | None) -> Theta:
    return rope.scaled_frequencies(
        rotation.width,
        method="interpolation",
        scale=rotation.factor,
        base=rotation.base,
    )


def _dynamic(rotation: Rotation, seq_len: int | None) -> Theta:
    return rope.dynamic_ntk_frequencies(
        rotation.width,
        seq_len or _known(rotation),
        scale=rotation.factor,
        trained_len=_known(rotation),
        base=rotation.base,
    )


def _yarn(rotation: Rotation, seq_len: int | None) -> Theta:
    return rope.yarn_frequencies(
        rotation.width,
        scale=rotation.factor,
        trained_len=_known(rotation),
        base=rotation.base,
        alpha=rotation.settings["beta_slow"],
        beta=rotation.settings["beta_fast"],
        ramp="pairs",
        truncate=rotation.settings["truncate"],
    )


def _llama3(rotation: Rotation, seq_len: int | None) -> Theta:
    return rope.llama3_frequencies(
        rotation.width,
        scale=rotation.factor,
        trained_len=_known(rotation),
        base=rotation.base,
        low_freq_factor=rotation.settings["low_freq_factor"],
        high_freq_factor=rotation.settings["high_freq_factor"],
    )


def _longrope(rotation: Rotation, seq_len: int | None) -> Theta:
    return rope.longrope_frequencies(
        rotation.width,
        seq_len or _known(rotation),
        short_factors=rotation.settings["short_factor"],
        long_factors=rotation.settings["long_factor"],
        trained_len=_known(rotation),
        base=rotation.base,
    )


def _proportional(rotation: Rotation, seq_len: int | None) -> Theta:
    return rope.proportional_frequencies(
        rotation.width,
        fraction=rotation.settings["partial_rotary_factor"],
        scale=rotation.factor,
        base=rotation.base,
    )


def _yarn_factor(rotation: Rotation) -> float:
    weights = {key: rotation.settings[key] for key in ("mscale", "mscale_all_dim")}
    both = weights if all(weights.values()) else {}
    return rope.yarn_attention_factor(rotation.factor, **both)


def _longrope_factor(rotation: Rotation) -> float:
    return rope.longrope_attention_factor(rotation.factor, _known(rotation))


def _known(rotation: Rotation) -> int:
    """Return the `trained_len` of a rule that needs one, and has it by `describe`."""
    assert rotation.trained_len is not None
    return rotation.trained_len


_RULES: dict[str, Callable[[Rotation, int | None], Theta]] = {
    "default": _default,
    "tensor2tensor": _tensor2tensor,
    "linear": _linear,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "llama3": _llama3,
    "longrope": _longrope,
    "proportional": _proportional,
}
_FACTORS: dict[str, Callable[[Rotation], float]] = {
    "yarn": _yarn_factor,
    "longrope": _longrope_factor,
}
