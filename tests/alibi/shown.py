"""Content of the widget of the chapter on ALiBi, computed by posenc."""

import numpy as np
from widget_page import real, shades

from posenc.alibi import alibi_reach, alibi_slopes
from posenc.alibi.figures import (
    DEEPEST,
    SHARES,
    head_view,
    measured_reach,
    needed_score,
)
from posenc.alibi.widgets import LinearBias
from posenc.t5.figures import BIAS_COLORS


def view_of(w):
    head = min(w.head, w.num_heads)
    return head, head_view(w.num_heads, head, w.length, causal=w.causal)


def linear_bias(w):
    head, view = view_of(w)
    slopes = alibi_slopes(w.num_heads)
    distances, some = np.abs(view.offsets), slice(None, None, max(1, w.length // 16))
    within = [view.weights[distances <= d].sum() for d in distances[some]]
    reach, t5_reach = (
        [measured_reach(weights, view.offsets, share) for share in SHARES]
        for weights in (view.weights, view.t5_weights)
    )
    numbers = {
        "slopes": slopes,
        "weights": view.weights[some],
        "within": within,
        "t5_bias": view.t5_bias[some],
        "t5_weights": view.t5_weights[some],
        "reach": reach,
        "t5_reach": t5_reach,
    }
    if w.causal:
        slope = float(slopes[head - 1])
        numbers["lead"] = needed_score(slope, w.length - 1, w.length)
        assert reach == [alibi_reach(slope, s, k_len=w.length) for s in SHARES]
    doubled = 2 ** (w.num_heads.bit_length() - 1)
    odd = w.num_heads != doubled
    return numbers, {
        f"Head {head} of {w.num_heads} has slope": True,
        f"no power of two: first the {doubled} slopes of {doubled} heads": odd,
        f"{w.num_heads - doubled} of them. So head {doubled + 1}": odd,
    }


def bias(w, row, column):
    head, _ = view_of(w)
    gap = column - row
    words = f"query {row}, key {column}: distance {abs(gap)}, "
    if w.causal and gap > 0:
        return words + "hidden by the causal mask"
    return words + f"bias {real(-alibi_slopes(w.num_heads)[head - 1] * abs(gap), 3)}"


def table(w):
    return [
        [str(n), ..., float(np.exp(-m)), *(-m * far for far in (1, 10, 100))]
        for n, m in enumerate(alibi_slopes(w.num_heads).tolist(), start=1)
    ]


def bias_pixels(w, width, height):
    """Cells of 8 pixels, and the ends of the scale of colors below them."""
    cells = [(q, k) for q in range(24) for k in range(q)]
    slope = alibi_slopes(w.num_heads)[w.head - 1]
    biases = [*(-slope * (q - k) for q, k in cells), DEEPEST, 0]
    places = [(40 + 8 * k, 40 + 8 * q) for q, k in cells]
    places += [(37, height - 31), (width - 8, height - 31)]
    return places, shades(
        BIAS_COLORS, 0.5 - np.maximum(biases, DEEPEST) / (2 * DEEPEST)
    )


SHOWN = {LinearBias: linear_bias}
POINTED = {(LinearBias, 1): bias}
TABLES = {LinearBias: table}
PIXELS = {(LinearBias, 1): bias_pixels}
