"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch
from answer_sources import in_torch, made, mistake

import posenc


def offset_of_row(index, height, width):
    row, column = index // (2 * width - 1), index % (2 * width - 1)
    return torch.tensor([row, column]) - torch.tensor([height - 1, width - 1])


def repair_bias(table, height, width):
    cell = np.arange(height * width)
    row, column = cell // width, cell % width
    down = row[:, None] - row[None, :] + height - 1
    across = column[:, None] - column[None, :] + width - 1
    return np.moveaxis(table[down * (2 * width - 1) + across], -1, 0)


def sharing_offsets(row, column, stride, height, width):
    result = []
    for r in range(1 - height, height):
        c = column - (r - row) * stride
        if -width < c < width:
            result.append((r, c))
    return result


def convert_table(table, height, width):
    return torch.flip(table, dims=[0])


def row_uses(height, width):
    index = posenc.swin.relative_position_index(height, width, xp=torch)
    return torch.bincount(index.flatten())


relative_position_index = in_torch(posenc.swin.relative_position_index)
find_windows = np.asarray([(4, 5), (8, 7), (2, 1)])


WRONG = {
    "swin.index_by_hand": [
        ([7, 14, 0, 8, 4, 9, 5, 11], "query 4, key 1: not row 11"),
    ],
    "swin.relative_position_index": [
        (
            lambda h, w: np.arange((h * w) ** 2).reshape(h * w, h * w),
            "has two different rows",
        ),
        (mistake("swin.relative_position_index", 1), "share row"),
    ],
    "swin.repair_bias": [
        (
            made(repair_bias, ("2 * width - 1)", "2 * height - 1)")),
            "On squares you do not see",
            "window of 2 x 3 cells",
        ),
        (made(repair_bias, ("* (2 * width - 1)", "* 1")), "not multiplied by anything"),
        (
            lambda table, h, w: repair_bias(table, h, w).swapaxes(1, 2),
            "The sign is turned",
        ),
    ],
    "swin.sharing_offsets": [
        (mistake("swin.sharing_offsets"), "Other offsets share", "should be [(0, 0)]"),
    ],
    "swin.row_uses": [
        (lambda h, w: np.ones((2 * h - 1, 2 * w - 1), int), "still a grid"),
    ],
    "swin.find_windows": [
        (
            [(3, 2), (3, 2), (1, 4)],
            "first window offsets must share",
            "Height and width are exchanged",
        ),
        (
            [(2, 3), (2, 3), (1, 4)],
            "Height and width are exchanged",
            "second window a row must lie beyond",
        ),
        ([(1, 2), (3, 2), (1, 4)], "first window offsets must share"),
        (
            [(1, 4), (3, 2), (1, 4)],
            "2 * 1 - 1 = 1",
            "With one row there is nothing to multiply",
        ),
        ([(2, 3), (3, 2), (1, 1)], "must not be square"),
        ([(2, 3), (3, 2), (2, 4)], "just adding must do no harm"),
        ([(2, 3), ..., (2, 4)], "The second window is still to be found"),
        ([(2, 3), (3, 2)], "a list of three windows"),
        ([(2, 3), (3, 9), (1, 4)], "whole numbers from 1 to 8"),
        ([(2, 3), 3, (1, 4)], "must look like (height, width)"),
    ],
}
