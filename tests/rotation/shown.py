"""Content of the widget of the chapter on rotation, computed by posenc."""

import numpy as np
from widget_page import Near, real, shades

from posenc.rotation import position_similarity, shift_operator
from posenc.rotation.widgets import ShiftClocks
from posenc.sinusoidal import sinusoidal_encoding


def similarity(w):
    return position_similarity(np.arange(41), w.d_model, base=w.base) / (w.d_model / 2)


def shift_clocks(w):
    matrix = shift_operator(w.offset, w.d_model, base=w.base)
    theta = w.base ** (-2 * np.arange(w.d_model // 2) / w.d_model)
    hands = sinusoidal_encoding(np.asarray(w.t + w.offset), w.d_model, base=w.base)
    after = (w.t + w.offset) * theta
    np.testing.assert_allclose(np.sin(after), hands[::2], atol=1e-12)
    np.testing.assert_allclose(np.cos(after), hands[1::2], atol=1e-12)
    numbers = {
        "before": w.t * theta,
        "after": after,
        "cos": np.diag(matrix)[::2],
        "sin": np.diag(matrix, 1)[::2],
    }
    clocks = [
        {name: row[i] for name, row in numbers.items()} for i in range(len(theta))
    ]
    curve = similarity(w)
    alike = curve[abs(w.offset)]
    return {"clocks": clocks, "similarity": Near(curve, 6e-6)}, {
        f"PE({w.t}) · PE({w.t + w.offset}) = {real(alike * w.d_model / 2)} of at most "
        f"{w.d_model // 2}: similarity {real(alike)}": True,
        "Farther is not always": (np.diff(curve.round(5)) > 0).any(),
        "No shift: every block is the identity.": w.offset == 0,
    }


def entry(w, row, column):
    row, column = (min(n, w.d_model - 1) for n in (row, column))
    value = shift_operator(w.offset, w.d_model, base=w.base)[row, column]
    if row // 2 != column // 2:
        return f"Row {row}, column {column}: 0, since"
    return f"Row {row}, column {column}, in the block of clock {row // 2}", real(value)


def distance(w, row, column):
    return f"Distance {column}: similarity {real(similarity(w)[column])}."


def matrix_pixels(w, width, height):
    """Cells of query 0, but for that of distance 0, whose corner has a frame."""
    size, values = (width - 36) // 41, similarity(w)
    places = [(36 + k * size, 36) for k in range(1, 41)]
    return places, shades("viridis", (values - values.min()) / (1 - values.min()))[1:]


SHOWN = {ShiftClocks: shift_clocks}
POINTED = {(ShiftClocks, 1): entry, (ShiftClocks, 3): distance}
PIXELS = {(ShiftClocks, 2): matrix_pixels}
