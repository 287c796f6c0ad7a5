"""Offsets and distances to an end, as scores and linear functions read them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from posenc.convolutional import gelu
from posenc.kit.figures.themes import color

from .borders import border_distance
from .windows import convolve, random_taps, window


def scores_by_offset(
    kernel: int = 9, *, reach: int = 14
) -> dict[str, Float[np.ndarray, " offsets"]]:
    """Return the score of two marked tokens against key minus query.

    All other frames hold the same vector, and both tokens stand far from the borders.
    So only the position encoding can make a difference. The encodings are a
    convolution or sinusoids, added to the input, and a bias of MPNet, added to the
    score. Offset 0, where the two would be one token, is NaN.
    """
    from posenc import sinusoidal, t5
    from posenc.t5.figures import HEAD, mpnet_bias

    rng = np.random.default_rng(2)
    channels, seq_len, middle = 8, 6 * reach, 3 * reach
    background, query, key = rng.normal(size=(3, channels))
    w_q, w_k = rng.normal(size=(2, channels, channels)) / channels**0.5
    taps = random_taps(channels, 2, kernel)
    waves = sinusoidal.sinusoidal_encoding(np.arange(seq_len), channels, base=100.0)
    bias = mpnet_bias()[:, HEAD]
    scores: dict[str, list[float]] = {"convolution": [], "sinusoids": [], "bias": []}
    for offset in range(-reach, reach + 1):
        x = np.tile(background, (seq_len, 1))
        x[middle], x[middle + offset] = query, key
        inputs = {
            "convolution": x + convolve(x, taps, groups=2),
            "sinusoids": x + waves,
            "bias": x,
        }
        for name, z in inputs.items():
            score = float(z[middle] @ w_q @ w_k.T @ z[middle + offset])
            if name == "bias":
                score += bias[int(t5.relative_position_bucket(np.asarray(offset)))]
            scores[name].append(score if offset else np.nan)
    return {name: np.asarray(values) for name, values in scores.items()}


def contrast(kernel: int = 9, reach: int = 14) -> Figure:
    """Draw the score of two marked tokens against their offset, for three encodings.

    Parameters
    ----------
    kernel : int
        Frames of the convolution's window.
    reach : int
        Largest offset.
    """
    figure, axes = plt.subplots(3, 1, figsize=(4.8, 5.4), sharex=True)
    scores = scores_by_offset(kernel, reach=reach)
    titles = {
        "convolution": "convolution, added to the input",
        "sinusoids": "sinusoids, added to the input",
        "bias": "a bias for each bucket, added to the score",
    }
    offsets = np.arange(-reach, reach + 1)
    first, last = window(kernel)
    for ax, (name, title), role in zip(
        axes, titles.items(), ("position", "query", "key"), strict=True
    ):
        if name == "convolution":
            bound = max(-first, last) + 0.5
            ax.axvspan(-bound, bound, fc=color("raised"), zorder=0)
        ax.plot(offsets, scores[name], "-o", color=color(role), ms=4)
        ax.set_title(title, fontsize=11, loc="left")
        ax.set_ylabel("score")
    axes[-1].set_xlabel("relative position (key − query)", color=color("position"))
    return figure


#: Sizes of the made-up sequences: frames, window, channels, groups.
SEQ_LEN, KERNEL, CHANNELS, GROUPS = 192, 128, 128, 16
#: Sequences to fit the linear function, and others to test it.
FITTED, TESTED = 60, 60


class Kind(NamedTuple):
    """Properties of made-up frames.

    Every channel of a frame is `common` plus noise of standard deviation `noise`; the
    noise of a frame is `memory` times that of the frame before, plus something new.
    """

    common: float
    noise: float
    memory: float


KINDS = {
    "all equal": Kind(1, 0, 0),
    "common part 1, noise": Kind(1, 1, 0),
    "common part 1, slow noise": Kind(1, 1, 0.9),
    "common part 0.3, slow noise": Kind(0.3, 1, 0.9),
    "noise alone": Kind(0, 1, 0),
}


def draw_frames(
    kind: Kind, count: int, rng: np.random.Generator
) -> Float[np.ndarray, "count seq_len channels"]:
    """Draw sequences of made-up frames at random."""
    noise = rng.normal(size=(count, SEQ_LEN, CHANNELS))
    for t in range(1, SEQ_LEN):
        new = np.sqrt(1 - kind.memory**2) * noise[:, t]
        noise[:, t] = kind.memory * noise[:, t - 1] + new
    return kind.common + kind.noise * noise


def counting_taps() -> Float[np.ndarray, "channels channels_per_group kernel"]:
    """Return taps whose outputs sum all frames before, or all frames after."""
    width, before = CHANNELS // GROUPS, KERNEL // 2
    taps = np.zeros((CHANNELS, width, KERNEL))
    taps[::width, :, :before] = 1 / width
    taps[1::width, :, before + 1 :] = 1 / width
    return taps


#: Two layers to compare, and each of them at the size of the other.
LAYERS = {
    "random": random_taps(CHANNELS, GROUPS, KERNEL),
    "counting": counting_taps(),
}
_RATIO = np.linalg.norm(LAYERS["counting"]) / np.linalg.norm(LAYERS["random"])
LAYERS |= {
    "large": LAYERS["random"] * _RATIO,
    "small counting": LAYERS["counting"] / _RATIO,
}


def many(
    x: Float[np.ndarray, "count seq_len channels"],
    weight: Float[np.ndarray, "channels channels_per_group kernel"],
) -> Float[np.ndarray, "count seq_len channels"]:
    """Compute `grouped_convolution` of many sequences, by Fourier transforms."""
    width, size = CHANNELS // GROUPS, SEQ_LEN + KERNEL
    signal = np.fft.rfft(x, size, axis=1).reshape(len(x), -1, GROUPS, width)
    turned = np.fft.rfft(weight[..., ::-1], size).reshape(GROUPS, width, width, -1)
    # (G, frequency, count, width) @ (G, frequency, width in, width out)
    mixed = signal.transpose(2, 1, 0, 3) @ turned.transpose(0, 3, 2, 1)
    mixed = mixed.transpose(2, 1, 0, 3).reshape(len(x), -1, CHANNELS)
    after = KERNEL - 1 - KERNEL // 2
    return np.fft.irfft(mixed, size, axis=1)[:, after : after + SEQ_LEN]


def outputs(
    kind: Kind, layer: str
) -> tuple[
    Float[np.ndarray, "count seq_len channels"],
    Float[np.ndarray, "count seq_len channels"],
]:
    """Return made-up frames x, and outputs y of the convolution for them."""
    x = draw_frames(kind, FITTED + TESTED, np.random.default_rng(0))
    return x, many(x, LAYERS[layer])


def read(
    z: Float[np.ndarray, "count seq_len channels"],
) -> Float[np.ndarray, "tested seq_len"]:
    """Return the distance from the inner part, by a linear function of each frame.

    The function is fitted to the first sequences of `z`, and read off the others.
    """
    design = np.concatenate([z, np.ones((*z.shape[:2], 1))], axis=2)
    flat = design[:FITTED].reshape(-1, CHANNELS + 1)
    expected = np.tile(border_distance(SEQ_LEN, KERNEL), FITTED)
    solution = np.linalg.lstsq(flat, expected, rcond=1e-10)[0]
    distance: Float[np.ndarray, "tested seq_len"] = design[FITTED:] @ solution
    return distance


def read_errors(
    kind: Kind, layers: Sequence[str] = ("random", "large", "counting")
) -> dict[str, float]:
    """Return `border_error` for some layers; for "random", also without the frame."""
    errors = {}
    for layer in layers:
        x, y = outputs(kind, layer)
        encoding = gelu(y)
        errors[layer] = border_error(read(x + encoding))
        if layer == "random":
            errors["alone"] = border_error(read(encoding))
    return errors


def border_error(distance: Float[np.ndarray, "tested seq_len"]) -> float:
    """Return the root of the mean squared error near the ends, in frames."""
    right = border_distance(SEQ_LEN, KERNEL)
    return float(np.sqrt(((distance - right)[:, right != 0] ** 2).mean()))


def read_outs() -> Figure:
    """Draw what is read in one fresh sequence, frame by frame, in three cases."""
    cases = (
        ("all equal", "random", "equal frames, random taps"),
        ("common part 1, noise", "random", "with noise, random taps"),
        ("common part 1, noise", "counting", "with noise, counting taps"),
    )
    figure, axes = plt.subplots(3, 1, figsize=(4.8, 6.0), sharex=True, sharey=True)
    right = border_distance(SEQ_LEN, KERNEL)
    inner = np.flatnonzero(right == 0)
    for ax, (kind, layer, title) in zip(axes, cases, strict=True):
        for side in ((-0.5, inner[0] - 0.5), (inner[-1] + 0.5, SEQ_LEN - 0.5)):
            ax.axvspan(*side, fc=color("raised"), zorder=0)
        ax.plot(right, color=color("muted"), lw=1.4)
        dots: dict[str, Any] = {"color": color("position"), "ms": 3}
        x, y = outputs(KINDS[kind], layer)
        ax.plot(read(x + gelu(y))[0], "o", **dots)
        ax.set_title(title, fontsize=11, loc="left")
        ax.set(ylabel="read", xlim=(-2, SEQ_LEN + 1))
    axes[-1].set_xlabel("frame")
    return figure
