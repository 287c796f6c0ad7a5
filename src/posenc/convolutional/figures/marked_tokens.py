"""Score of two marked tokens against their offset, for three encodings."""

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from posenc.kit.figures.themes import color

from .padded_convolution import convolve, random_taps, window


def scores_by_offset(
    kernel: int = 9, *, reach: int = 14
) -> dict[str, Float[np.ndarray, " offsets"]]:
    """Score of one marked token's query and another's key against key minus query.

    All other frames hold the same vector, and both stand far from the borders, so
    nothing but the position encoding can make a difference. Three encodings: a
    convolution added to the input, sinusoids added to the input, a bias that MPNet
    learned, added to the score. Offset 0, where the two would be one token, is NaN.
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
    found: dict[str, list[float]] = {"convolution": [], "sinusoids": [], "bias": []}
    for offset in range(-reach, reach + 1):
        x = np.tile(background, (seq_len, 1))
        x[middle], x[middle + offset] = query, key
        ways = {
            "convolution": x + convolve(x, taps, groups=2),
            "sinusoids": x + waves,
            "bias": x,
        }
        for name, z in ways.items():
            score = float(z[middle] @ w_q @ w_k.T @ z[middle + offset])
            if name == "bias":
                score += bias[int(t5.relative_position_bucket(np.asarray(offset)))]
            found[name].append(score if offset else np.nan)
    return {name: np.asarray(values) for name, values in found.items()}


def contrast(kernel: int = 9, reach: int = 14) -> Figure:
    """Score of two marked tokens against their offset, for three encodings.

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
