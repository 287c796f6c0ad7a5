"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def column_major_index(height, width):
    cell = torch.arange(height * width)
    u = (cell // width)[:, None] - cell // width + height - 1
    v = (cell % width)[:, None] - cell % width + width - 1
    return u + v * (2 * height - 1)


def mirror_table(table, height, width):
    grid = table.unflatten(0, (2 * height - 1, 2 * width - 1))
    return grid.flip(1).flatten(0, 1)
