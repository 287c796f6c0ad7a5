"""Content of the widget on convolution, computed by posenc."""

import numpy as np
from widget_page import real

from posenc.convolutional import grouped_convolution
from posenc.convolutional.figures import convolve, example_taps, leak, window
from posenc.convolutional.widgets import ImpulseAndBorders


def outputs(w):
    taps = example_taps(w.channels, w.groups, w.kernel)
    setting = {"groups": w.groups, "padding": w.padding, "crop": w.crop}
    x = np.ones((w.seq_len, w.channels))
    if w.signal == "impulse":
        x[:] = 0
        x[w.place, w.channel] = 1
    out = convolve(x, taps, **setting)
    if w.padding == "zeros" and w.crop == "last":
        own = grouped_convolution(x[None], taps, groups=w.groups)[0]
        np.testing.assert_allclose(out, own, atol=1e-12)
    if w.signal == "impulse":
        return out, np.linalg.norm(out, axis=1)
    return out, leak(w.seq_len, taps, **setting)


def impulse_and_borders(w):
    out, size = outputs(w)
    first, last = window(w.kernel, crop=w.crop)
    missing = np.isnan(size).sum()
    leaking = (np.nan_to_num(size) > 1e-9).sum()
    even, constant = w.kernel % 2 == 0, w.signal == "constant"
    return {"output": out.T, "size": size, "first": first, "last": last}, {
        "no output": missing > 0,
        "one output is cropped": even and w.padding != "valid",
        "gets the output of its right neighbor": even and w.crop == "first",
        "are equal": constant and leaking == 0,
        **({f"{missing} frame": True} if missing else {}),
        **({f"{leaking} frame": True} if constant and leaking else {}),
    }


def output(w, row, column):
    frame, channel = min(column, w.seq_len - 1), min(row, w.channels - 1)
    width = w.channels // w.groups
    seen = channel // width * width
    last = f" … {seen + width - 1}" * (width > 1)
    value = outputs(w)[0][frame, channel]
    if np.isnan(value):
        return f"Frame {frame} sees", "There is no output."
    sentence = f"Output channel {channel} sees channel"
    return f"Frame {frame} sees", sentence, f" {seen}{last}: {real(value)}."


def table(w):
    out, size = outputs(w)
    first, last = window(w.kernel, crop=w.crop)
    return [
        [
            str(t),
            ...,
            str(max(0, -(t + first)) + max(0, t + last - w.seq_len + 1)),
            float(size[t]),
            "; ".join(map(real, out[t])),
        ]
        for t in range(w.seq_len)
    ]


SHOWN = {ImpulseAndBorders: impulse_and_borders}
POINTED = {(ImpulseAndBorders, 0): output}
TABLES = {ImpulseAndBorders: table}
