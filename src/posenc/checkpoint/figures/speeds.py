"""Speeds of a checkpoint's planes: wavelengths, features that turn, stretching."""

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.checkpoint import Checkpoint, Group, describe, groups, planes
from posenc.checkpoint.published import config
from posenc.kit.figures.lines import line_style
from posenc.kit.figures.themes import choose, color, theme
from posenc.t5 import relative_position_bucket


def opening(ax: Axes | None = None, *, model: str = "Llama 3.1 8B") -> Axes:
    """Draw wavelengths of a model's planes, plain and stretched, and the two lengths.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    model : str, default "Llama 3.1 8B"
        One of ``models.toml`` whose config stretches.
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.2, 3.6))[1]
    checkpoint = describe(config(model))
    trained, promised = checkpoint.trained_len, checkpoint.max_len
    assert trained is not None
    assert promised is not None
    seen = planes(checkpoint.layers[0], trained, promised)
    before, now = seen.wavelengths / seen.slower, seen.wavelengths
    number = np.arange(len(now))
    ax.plot(
        number, before, "--", color=color("query"), lw=1.6, label="before stretching"
    )
    ax.plot(number, now, "o", color=color("position"), ms=3.5, label="stretched")
    for length, words in ((trained, "trained"), (promised, "promised")):
        ax.axhline(length, color=color("muted"), lw=1)
        label = f"{words}: {length:,}" + choose(" tokens", "")
        ax.text(0, length * 1.15, label, color=color("text"), fontsize=10)
    ax.axvspan(len(now) - seen.never_round - 0.5, len(now), color=color("raised"))
    ax.text(
        len(now) - 0.5 - seen.never_round / 2,
        8,
        f"{seen.never_round} of {len(now)} planes"
        + choose(
            " made no\nwhole turn before stretching",
            "\nmade no whole turn\nbefore stretching",
        ),
        ha="center",
        fontsize=10,
    )
    ax.set(yscale="log", xlabel="plane", ylabel="tokens for one turn")
    ax.set_xlim(-1, len(now))
    ax.legend(loc="upper left", fontsize=9.5)
    return ax


HEAD_MODELS = ("Llama 3.1 8B", "GPT-J", "GPT-NeoX 20B", "DeepSeek-V3")
_PAIRS = {"half": "halves", "interleaved": "neighbors"}


def heads(ax: Axes | None = None) -> Axes:
    """Draw the features of one head, with those that turn in color, and the pairs.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 2.5))[1]  # narrow: a phone shows it large
    for row, name in enumerate(HEAD_MODELS):
        layer = describe(config(name)).layers[0]
        ax.barh(row, layer.head_dim, height=0.6, color=color("raised"))
        ax.barh(
            row,
            layer.rotary_dim,
            left=layer.first_turned,
            height=0.6,
            color=color("position"),
        )
        words = f"{layer.rotary_dim} of {layer.head_dim}, {_PAIRS[str(layer.layout)]}"
        ax.text(layer.head_dim + 4, row, words, va="center", fontsize=10)
    ax.set_yticks(range(len(HEAD_MODELS)), labels=HEAD_MODELS)
    ax.set(
        xlim=(0, choose(470, 590)),
        ylim=(len(HEAD_MODELS) - 0.5, -0.5),
        xlabel="feature of a query",
    )
    ax.set_xticks(range(0, 257, choose(64, 128)))
    return ax


TRAINED, FACTOR = 4096, 8
BASIC = {
    "model_type": "llama",
    "hidden_size": 128,
    "num_attention_heads": 1,
    "max_position_embeddings": TRAINED * FACTOR,
}
_LENGTH = {"original_max_position_embeddings": TRAINED}
#: Values of `rope_scaling`, by the name of the curve.
RULES = {
    "linear": {"rope_type": "linear", "factor": FACTOR, **_LENGTH},
    "dynamic": {"rope_type": "dynamic", "factor": 1.0},
    "yarn": {"rope_type": "yarn", "factor": FACTOR, **_LENGTH},
    "llama3": {
        "rope_type": "llama3",
        "factor": FACTOR,
        "low_freq_factor": 1,
        "high_freq_factor": 4,
        **_LENGTH,
    },
}


def slowness(rule: str) -> np.ndarray:
    """Return the slowdown of each plane by stretching, at the promised length."""
    keys = {**BASIC, "rope_scaling": RULES[rule]}
    if rule == "dynamic":  # its length is the trained one; it grows beyond it by itself
        keys["max_position_embeddings"] = TRAINED
    layer = describe(keys).layers[0]
    slower: np.ndarray = planes(layer, TRAINED, TRAINED * FACTOR).slower
    return slower


def slowed(ax: Axes | None = None) -> Axes:
    """Draw the slowness of each plane, a curve for each rule.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 3.2))[1]  # narrow: a phone shows it large
    for number, rule in enumerate(RULES):
        ax.plot(slowness(rule), lw=2, label=rule, **line_style(number))
    layer = describe(BASIC | {"max_position_embeddings": TRAINED}).layers[0]
    never = planes(layer, TRAINED).never_round
    ax.axvline(63.5 - never, color=color("muted"), lw=1)
    words = f"no whole turn in\n{TRAINED:,} tokens →"
    ax.text(63.9 - never, 1.05, words, fontsize=9.5)
    ax.set(xlabel="plane", ylabel="slowed by", yscale="log", ylim=(0.93, 11))
    ax.set_yticks([1, 2, 4, 8], labels=["1", "2", "4", "8"])
    ax.minorticks_off()
    ax.legend(fontsize=9.5, loc="upper left", bbox_to_anchor=(0.0, 0.82))
    return ax


_COLORS = ("query", "key", "value", "position")
_MARKERS = "osD^"
_FARTHEST = 512  # tokens of distance that a picture of biases shows


def save(checkpoint: Checkpoint, file: Path) -> None:
    """Write the picture of `draw` to a file, in the format of its ending.

    Raises
    ------
    OSError, ValueError
        As `draw`, and if the file cannot be written.
    """
    with theme("light"):
        figure = draw(checkpoint).get_figure(root=True)
        assert figure is not None
        try:
            figure.savefig(file, dpi=150)
        finally:
            plt.close(figure)


def draw(checkpoint: Checkpoint, ax: Axes | None = None) -> Axes:
    """Draw speeds or biases of a checkpoint's configuration.

    Parameters
    ----------
    checkpoint : Checkpoint
        From `posenc.checkpoint.describe`.
    ax : Axes, optional
        Axes to draw on; a new figure if not given.

    Returns
    -------
    Axes
        Wavelengths of the planes of each kind of layer; for ALiBi the penalties, for T5
        the buckets of the distances.

    Raises
    ------
    ValueError
        If the method has nothing that a configuration could draw.
    """
    picture = _PICTURES.get(checkpoint.method)
    if picture is None:
        msg = (
            f"method must be one of {', '.join(_PICTURES)}, got {checkpoint.method!r}: "
            "what others add is learned, and not in the configuration"
        )
        raise ValueError(msg)
    if ax is None:
        _, ax = plt.subplots(figsize=(7.5, 4.2))
    picture(checkpoint, ax)
    ax.set_title(f"{checkpoint.family}: {checkpoint.method}")
    return ax


def wavelengths(checkpoint: Checkpoint, ax: Axes | None = None) -> Axes:
    """Draw each plane's tokens per turn, on a logarithmic scale, and the lengths.

    Parameters
    ----------
    checkpoint : Checkpoint
        One whose layers turn, or that has sinusoids.
    ax : Axes, optional
        Axes to draw on; a new figure if not given.
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 3.6))
    shown: dict[str, Group] = {}
    for group in groups(checkpoint):
        if group.layer.rotation:
            shown.setdefault(repr(group.layer.rotation), group)
    for number, group in enumerate(shown.values()):
        waves = planes(group.layer, None, checkpoint.max_len).wavelengths
        ax.plot(
            np.arange(len(waves)),
            np.where(np.isfinite(waves), waves, np.nan),
            _MARKERS[number % 4],
            ms=3.5,
            color=color(_COLORS[number % 4]),
            label=_wrapped(f"layers {group.names}"),
        )
        _as_trained(group, ax, number)
    lengths = {"trained": checkpoint.trained_len, "promised": checkpoint.max_len}
    for name, length in lengths.items():
        if length and (name == "trained" or length != checkpoint.trained_len):
            style = "-" if name == "trained" else "--"
            label = f"{name} length, {length:,} tokens"
            ax.axhline(length, color=color("muted"), lw=1, ls=style, label=label)
    ax.set_yscale("log")
    if choose(False, True):  # room for the legend
        ax.set_ylim(top=1e4 * ax.get_ylim()[1])
    ax.set_xlabel("plane")
    ax.set_ylabel("tokens for one turn")
    ax.legend(loc="upper left", fontsize=8)
    return ax


def _wrapped(label: str) -> str:
    return choose(label, textwrap.fill(label, 28))


def _as_trained(group: Group, ax: Axes, number: int) -> None:
    """Draw a thin line of the wavelengths before stretching."""
    rule = group.layer.rotation
    if rule is None or rule.rope_type in ("default", "tensor2tensor"):
        return
    with np.errstate(divide="ignore"):
        waves = 2 * np.pi / rule.unstretched()
    waves = np.where(np.isfinite(waves), waves, np.nan)
    role = color(_COLORS[number % 4])
    ax.plot(waves, lw=1, color=role, label=f"before {rule.rope_type}")


def _penalties(checkpoint: Checkpoint, ax: Axes) -> None:
    """Draw what each head takes off a score, over the distance."""
    details = checkpoint.layers[0].details
    distance = np.arange(min(checkpoint.max_len or _FARTHEST, _FARTHEST))
    slopes = np.asarray(details["slopes"]) / details.get("divided_by", 1.0)
    for head, slope in enumerate(slopes):
        shade = 1.0 - 0.8 * head / max(len(slopes) - 1, 1)
        ax.plot(distance, -slope * distance, color=color("query"), alpha=shade, lw=1.2)
    ax.set_ylim(-20.0, 0.5)
    ax.set_xlabel("distance of the key, in tokens")
    ax.set_ylabel("added to the score")
    ax.text(
        0.98,
        0.04,
        f"{len(slopes)} heads, the steepest darkest",
        transform=ax.transAxes,
        ha="right",
    )


def _buckets(checkpoint: Checkpoint, ax: Axes) -> None:
    """Draw the bucket of each distance, for each stack."""
    far = int(checkpoint.layers[0].details["max_distance"])
    reach = np.arange(-min(2 * far, 2**16), min(2 * far, 2**16) + 1)
    seen: dict[str, tuple[str, dict[str, Any]]] = {}
    for layer in checkpoint.layers:
        keys = ("num_buckets", "max_distance", "bidirectional")
        seen.setdefault(layer.stack, (layer.stack, {k: layer.details[k] for k in keys}))
    for number, (stack, setting) in enumerate(seen.values()):
        bucket = relative_position_bucket(reach, **setting)
        role = color(_COLORS[number])
        ax.step(reach, bucket, where="mid", color=role, lw=1.4, label=stack)
    words = "position of the key minus that of the query, in tokens"
    ax.set_xlabel(choose(words, words.replace("that", "\nthat")))
    ax.set_ylabel("bucket")
    ax.legend(loc="upper left", fontsize=8)


_PICTURES: dict[str, Callable[[Checkpoint, Axes], Axes | None]] = {
    "rope": wavelengths,
    "sinusoidal": wavelengths,
    "transformer_xl": wavelengths,
    "alibi": _penalties,
    "t5": _buckets,
}
