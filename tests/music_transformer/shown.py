"""Content of the widgets of the chapter on the skew, computed by posenc."""

import numpy as np

from posenc.music_transformer.figures import bytes_in_words, memory_bytes, skew_frames
from posenc.music_transformer.widgets import MemoryCalculator, SkewSteps


def labels(frames, which):
    return [[frames.label(int(n)) for n in row] for row in frames.matrices[which]]


def skew_steps(w):
    frames, n = skew_frames(w.seq_len, masked=w.masked), w.seq_len
    garbage = n * (n - 1) // 2
    rest = garbage - (n - 1)
    others = f", and {rest} product" if rest else "."
    return {"cells": labels(frames, w.step + 1)}, {
        f"the {len(frames.wanted)} of {n * frames.columns} products": True,
        f"{garbage} of {n * n} cells, all above the diagonal: {n - 1} "
        f"zero{'s' * (n != 2)}{others}": w.masked,
        f"none of {n * n} cells": not w.masked,
    }


def story(w, row, column):
    """Return the words on a cell of the matrix before the step."""
    frames = skew_frames(w.seq_len, masked=w.masked)
    before, after = frames.matrices[w.step : w.step + 2]
    row, column = min(row, len(before) - 1), min(column, before.shape[1] - 1)
    number = int(before[row, column])
    name = f"{frames.label(number)} (query {number // frames.columns}, offset "
    words = [name if number >= 0 else "This zero"]
    places = np.argwhere(after == number).tolist()
    if not places:
        return *words, "is dropped"
    ((to_row, to_column),) = places
    if w.step == 1:
        wide, index = before.shape[1], row * before.shape[1] + column
        words += [f"number {row} · {wide} + {column} = {index} in line"]
        words += [f"{index} = {to_row} · {after.shape[1]} + {to_column}:"]
    if w.step == 2:
        words += [f"That is query {to_row}, key {to_column}"]
        words += ["garbage" if number not in frames.wanted else "Right"]
    return words


def products(w):
    frames = skew_frames(w.seq_len, masked=w.masked)
    return [[label] for row in labels(frames, 0) for label in row]


def memory_calculator(w):
    setting = w.seq_len, w.d_model, w.num_heads
    layer = memory_bytes(*setting, itemsize=w.itemsize)
    every = memory_bytes(*setting, num_layers=w.num_layers, itemsize=w.itemsize)
    sentences = {f"{w.seq_len:,} times as large": True}
    sentences["it fits into 16 GB"] = every["vectors"] <= 16e9
    for name, count in layer.items():
        sentences |= {
            f"one head {bytes_in_words(count / w.num_heads)}": True,
            f"one layer {bytes_in_words(count)}": True,
            f"{w.num_layers} layers {bytes_in_words(every[name])}": w.num_layers > 1,
        }
    return every, sentences


SHOWN = {SkewSteps: skew_steps, MemoryCalculator: memory_calculator}
POINTED = {(SkewSteps, 0): story}
TABLES = {SkewSteps: products}
