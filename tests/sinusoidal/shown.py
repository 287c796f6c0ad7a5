"""Content of the widgets of the chapter on sinusoids, computed by posenc."""

import numpy as np
from widget_page import shades

from posenc import sinusoidal
from posenc.sinusoidal.figures import ENCODING_COLORS, curve_points
from posenc.sinusoidal.widgets import BitsAndSines, ClosedCurve, EncodingHeatmap


def real(value, digits=2):
    """A number with its sign, as these widgets write it."""
    if abs(value) < 0.5 * 10**-digits:
        return "0"
    return f"{value:+.{digits}f}".replace("-", "−")


def bits_and_sines(w):
    position, below = np.asarray(w.position), int(w.position)
    sines = sinusoidal.continuous_binary_encoding(position, 4)
    angles = 2 * np.pi * position / 2.0 ** np.arange(1, 5)
    jumps = [j for j in range(4) if (below ^ (below + 1)) >> j & 1]
    numbers = {
        "digits": sinusoidal.binary_encoding(np.asarray(below % 16), 4),
        "sines": sines,
        "cosines": np.cos(angles),
    }
    return numbers, {
        f"position {w.position:g}: ": True,
        f"sines {', '.join(map(real, sines))}": True,
        f"{', '.join(map(str, jumps))} will jump": below != w.position,
    }


def closed_curve(w):
    points = curve_points(np.arange(w.last + 1.0), w.curve, base=float(w.base))
    periods = 2 * np.pi * w.base ** (np.arange(3) / 3)
    gap = np.linalg.norm(points[-1] - points[0])
    turned = int((periods <= w.last).sum())
    return {"points": points}, {
        f"from position 0 to {w.last}: the ends are ": True,
        f"the ends are {gap:.3f} apart": gap > 1e-9,
        f"{turned} of the 3 features ha": w.curve == "slow",
        " = 4": w.curve == "binary" and w.last >= 4,
    }


def encoding_heatmap(w):
    theta = float(w.base) ** (-2 * np.arange(w.d_model // 2) / w.d_model)
    turns = w.seq_len * theta / (2 * np.pi)
    slow = (turns < 1).sum()
    pairs = [
        {"theta": speed, "wavelength": 2 * np.pi / speed, "turns": count}
        for speed, count in zip(theta, turns, strict=True)
    ]
    return {"pairs": pairs}, {
        f"{w.seq_len} positions × {w.d_model} features = "
        f"{w.seq_len * w.d_model:,} numbers": True,
        f"{slow} of the {w.d_model // 2} pair": slow > 0,
    }


def value(w, row, column):
    m, feature = min(row, w.seq_len - 1), min(column, w.d_model - 1)
    position, base = np.asarray(float(m)), float(w.base)
    row = sinusoidal.sinusoidal_encoding(position, w.d_model, base=base, layout=w.order)
    return f"position {m}, feature {feature}: ", f"= {real(row[feature], 4)};"


def heatmap_table(w):
    half = w.d_model // 2
    pairs = [
        (i, i + half) if w.order == "half" else (2 * i, 2 * i + 1) for i in range(half)
    ]
    return [[str(i), f"{a}, {b}"] for i, (a, b) in enumerate(pairs)]


def heatmap_pixels(w, width, height):
    wide, tall = (width - 42) // w.d_model, (height - 38) / w.seq_len
    table = sinusoidal.sinusoidal_table(w.seq_len, w.d_model)
    places = [
        (40 + (f + 0.5) * wide, 36 + (m + 0.5) * tall)
        for m, f in np.ndindex(table.shape)
    ]
    return places, shades(ENCODING_COLORS, (table.ravel() + 1) / 2)


SHOWN = {
    BitsAndSines: bits_and_sines,
    ClosedCurve: closed_curve,
    EncodingHeatmap: encoding_heatmap,
}
POINTED = {(EncodingHeatmap, 0): value}
TABLES = {EncodingHeatmap: heatmap_table}
PIXELS = {(EncodingHeatmap, 0): heatmap_pixels}
