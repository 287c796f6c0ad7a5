"""Answers to the exercises on Swin: right in several styles, and wrong in known ways.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import numpy as np
import torch
from answer_sources import made

import posenc

# --- the index -----------------------------------------------------------------------

INDEX = """
def index(height, width):
    cell = np.arange(height * width)
    row, column = cell // width, cell % width
    down = row[:, None] - row[None, :] + height - 1
    across = column[:, None] - column[None, :] + width - 1
    return down * (2 * width - 1) + across
"""


def index_loops(height, width):
    rows = []
    for r in range(height):
        for c in range(width):
            rows.append(
                [
                    (r - s + height - 1) * (2 * width - 1) + c - d + width - 1
                    for s in range(height)
                    for d in range(width)
                ]
            )
    return rows


def index_torch(height, width):
    grid = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    place = torch.stack(grid).flatten(1)  # (2, N)
    offset = place[:, :, None] - place[:, None, :]
    offset[0] = (offset[0] + height - 1) * (2 * width - 1)
    return (offset[0] + offset[1]) + width - 1


WRONG_INDEX = [
    (made(INDEX, *replacements), word)
    for word, *replacements in [
        (
            "The sign is turned",
            (
                "return down",
                "down = 2 * height - 2 - down\n"
                "    across = 2 * width - 2 - across\n    return down",
            ),
        ),
        ("not multiplied by anything", ("* (2 * width - 1)", "* 1")),
        ("On squares you do not see it", ("(2 * width - 1)", "(2 * height - 1)")),
        ("multiplied by width alone", ("(2 * width - 1)", "width")),
        (
            "read column by column",
            ("down * (2 * width - 1) + across", "down + across * (2 * height - 1)"),
        ),
        ("not shifted", (" + height - 1", ""), (" + width - 1\n", "\n")),
        (
            "one too far",
            (" + height - 1", " + height"),
            (" + width - 1\n", " + width\n"),
        ),
        (
            "two shifts are exchanged",
            (" + height - 1", " + width - 1"),
            ("column[None, :] + width", "column[None, :] + height"),
        ),
        (
            "numbered column by column",
            ("cell // width, cell % width", "cell % height, cell // height"),
        ),
    ]
]

# --- backwards -----------------------------------------------------------------------

OFFSET = """
def offset(index, height, width):
    row, column = divmod(index, 2 * width - 1)
    return row - (height - 1), column - (width - 1)
"""


def offset_loops(index, height, width):
    n = 0
    for r in range(1 - height, height):
        for c in range(1 - width, width):
            if n == index:
                return [r, c]
            n += 1
    raise ValueError


def offset_torch(index, height, width):
    row, column = index // (2 * width - 1), index % (2 * width - 1)
    return torch.tensor([row, column]) - torch.tensor([height - 1, width - 1])


# --- the bias ------------------------------------------------------------------------

BIAS = """
def bias(table, height, width):
    cell = np.arange(height * width)
    row, column = cell // width, cell % width
    down = row[:, None] - row[None, :] + height - 1
    across = column[:, None] - column[None, :] + width - 1
    return np.moveaxis(table[down * (2 * width - 1) + across], -1, 0)
"""


def bias_loops(table, height, width):
    cells = [(r, c) for r in range(height) for c in range(width)]
    image = table.reshape(2 * height - 1, 2 * width - 1, -1)
    out = np.zeros((table.shape[1], len(cells), len(cells)))
    for i, (r, c) in enumerate(cells):
        for j, (s, d) in enumerate(cells):
            out[:, i, j] = image[r - s + height - 1, c - d + width - 1]
    return out


def bias_torch(table, height, width):
    return table[index_torch(height, width)].permute(2, 0, 1)


# --- offsets that meet ---------------------------------------------------------------

SHARING = """
def sharing(row, column, stride, height, width):
    found = []
    for r in range(1 - height, height):
        c = column - (r - row) * stride
        if -width < c < width:
            found.append((r, c))
    return found
"""


def sharing_loops(row, column, stride, height, width):
    return [
        [r, c]
        for c in range(width - 1, -width, -1)
        for r in range(1 - height, height)
        if r * stride + c == row * stride + column
    ]


def sharing_numpy(row, column, stride, height, width):
    r, c = np.mgrid[1 - height : height, 1 - width : width]
    found = r * stride + c == row * stride + column
    return np.stack([r[found], c[found]], axis=1)


def sharing_torch(row, column, stride, height, width):
    return torch.tensor(sharing_loops(row, column, stride, height, width))


# --- tables --------------------------------------------------------------------------

CONVERT = """
def convert(table, height, width):
    return table[::-1]
"""


def convert_loops(table, height, width):
    new = np.zeros_like(table)
    for row in range(len(table)):
        new[len(table) - 1 - row] = table[row]
    return new


def convert_torch(table, height, width):
    return torch.flip(table, dims=[0])


USES = """
def uses(height, width):
    rows = height - np.abs(np.arange(1 - height, height))
    columns = width - np.abs(np.arange(1 - width, width))
    return np.outer(rows, columns).ravel()
"""


def uses_loops(height, width):
    return [
        (height - abs(r)) * (width - abs(c))
        for r in range(1 - height, height)
        for c in range(1 - width, width)
    ]


def uses_torch(height, width):
    return torch.bincount(index_torch(height, width).flatten())


BY_HAND = [7, 14, 0, 8, 4, 9, 5, 12]

RIGHT = {
    "swin.index_by_hand": [
        BY_HAND,
        tuple(BY_HAND),
        np.asarray(BY_HAND, "int32"),
        torch.tensor(BY_HAND),
    ],
    "swin.relative_position_index": [
        index_loops,
        made(INDEX),
        index_torch,
        posenc.swin.relative_position_index,
    ],
    "swin.offset_of_row": [offset_loops, made(OFFSET), offset_torch],
    "swin.repair_bias": [
        bias_loops,
        made(BIAS),
        bias_torch,
        posenc.swin.relative_position_bias,
    ],
    "swin.sharing_offsets": [
        made(SHARING),
        sharing_loops,
        sharing_numpy,
        sharing_torch,
    ],
    "swin.convert_table": [convert_loops, made(CONVERT), convert_torch],
    "swin.row_uses": [uses_loops, made(USES), uses_torch],
    "swin.find_windows": [
        [(2, 3), (3, 2), (1, 4)],
        ((3, 8), [5, 1], (8, 1)),
        np.asarray([(4, 5), (8, 7), (2, 1)]),
    ],
}

WRONG = {
    "swin.index_by_hand": [
        ([7, 14, 0, 8, 4, 9, 5], "must have shape (8,), got shape (7,)"),
        ([7, 14, 0, 8, 4, 9, 5, ...], "Some entries are still dots"),
        ([7, 14, 0, 8, 4, 9, 5, 11], "query 4, key 1: not row 11"),
        ([7.5, 14, 0, 8, 4, 9, 5, 12], "must be whole numbers"),
    ],
    "swin.relative_position_index": [
        *WRONG_INDEX,
        (made(INDEX, ("return down", "return 1.0 * down")), "must be whole numbers"),
        (made(INDEX, ("+ across", "+ across[0]")), "has two different rows"),
        (made(INDEX, ("* (2 * width - 1)", "* 1")), "share row"),
        (made(INDEX, ("return ", "return None and ")), "not answered"),
        (lambda height, width: np.zeros((2, 2), int), "must have shape (1, 1)"),
    ],
    "swin.offset_of_row": [
        (lambda n, h, w: n, "must have shape (2,)"),
    ],
    "swin.repair_bias": [
        (
            made(BIAS, ("2 * width - 1)", "2 * height - 1)")),
            "On squares you do not see",
        ),
        (made(BIAS, ("2 * width - 1)", "2 * height - 1)")), "window of 2 x 3 cells"),
        (made(BIAS, ("* (2 * width - 1)", "* 1")), "not multiplied by anything"),
        (
            made(
                BIAS,
                ("row[:, None] - row[None, :]", "row[None, :] - row[:, None]"),
                (
                    "column[:, None] - column[None, :]",
                    "column[None, :] - column[:, None]",
                ),
            ),
            "The sign is turned",
        ),
        (
            made(BIAS, ("np.moveaxis(table", "(table"), (", -1, 0", "")),
            "must have shape",
        ),
        (
            made(BIAS, ("return np", "table *= 2\n    return np")),
            "changes its input table",
        ),
    ],
    "swin.sharing_offsets": [
        (made(SHARING, ("return found", "return []")), "Other offsets share that row"),
        (
            made(SHARING, ("found.append((r, c))", "found.append((r, c, 0))")),
            "must have shape (1, 2)",
        ),
        (
            made(SHARING, ("column - (r - row)", "column + (r - row)")),
            "moves rows and columns in the same direction",
        ),
        (made(SHARING, ("-width < c < width", "-width < c < 0")), "should be [(0, 0)]"),
    ],
    "swin.convert_table": [
        (made(CONVERT, ("table[::-1]", "table[1:]")), "must have shape"),
    ],
    "swin.row_uses": [
        (lambda h, w: [h * w], "must have shape"),
        (lambda h, w: np.reshape(uses_loops(h, w), (2 * h - 1, -1)), "still a grid"),
    ],
    "swin.find_windows": [
        ([(3, 2), (3, 2), (1, 4)], "first window offsets must share"),
        ([(3, 2), (3, 2), (1, 4)], "Height and width are exchanged"),
        ([(2, 3), (2, 3), (1, 4)], "Height and width are exchanged"),
        ([(1, 2), (3, 2), (1, 4)], "first window offsets must share"),
        ([(1, 4), (3, 2), (1, 4)], "2 * 1 - 1 = 1"),
        ([(1, 4), (3, 2), (1, 4)], "With one row there is nothing to multiply"),
        ([(2, 3), (2, 3), (1, 4)], "second window a row must lie beyond"),
        ([(2, 3), (3, 2), (1, 1)], "must not be square"),
        ([(2, 3), (3, 2), (2, 4)], "just adding must do no harm"),
        ([(2, 3), ..., (2, 4)], "The second window is still to be found"),
        ([(2, 3), (3, 2)], "a list of three windows"),
        ([(2, 3), (3, 9), (1, 4)], "whole numbers from 1 to 8"),
        ([(2, 3), 3, (1, 4)], "must look like (height, width)"),
    ],
}
