"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import numpy as np
import torch


def index_loops(height, width):
    cells = [(r, c) for r in range(height) for c in range(width)]
    rows = [(y, x) for x in range(1 - width, width) for y in range(1 - height, height)]
    return [[rows.index((r - s, c - d)) for s, d in cells] for r, c in cells]


def index_torch(height, width):
    cell = torch.arange(height * width)
    u = (cell // width)[:, None] - cell // width + height - 1
    v = (cell % width)[:, None] - cell % width + width - 1
    return u + v * (2 * height - 1)


def mirror_loops(table, height, width):
    across, out = 2 * width - 1, []
    for n in range(len(table)):
        out.append(table[n // across * across + across - 1 - n % across])
    return np.stack(out) if isinstance(table, np.ndarray) else out


def mirror_torch(table, height, width):
    grid = table.unflatten(0, (2 * height - 1, 2 * width - 1))
    return grid.flip(1).flatten(0, 1)


RIGHT = {
    "swin.column_major_index": [index_loops, index_torch],
    "swin.mirror_table": [mirror_loops, mirror_torch],
}
WRONG = {
    "swin.column_major_index": [
        (lambda h, w: np.zeros((h * w, h * w), dtype=int), "another row")
    ],
    "swin.mirror_table": [(lambda t, h, w: 0 * t, "another bias")],
}
