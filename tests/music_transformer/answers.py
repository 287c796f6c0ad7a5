"""Answers to the exercises on the skew: right ones in any style, and wrong."""

import numpy as np
import torch
from answer_sources import made

import posenc
from posenc.core.arrays import shift_rows

RAMP = np.arange(1, 17).reshape(4, 4)
BY_HAND = [[4, 0, 5, 6], [7, 8, 0, 9], [10, 11, 12, 0], [13, 14, 15, 16]]


# --- the skew ------------------------------------------------------------------------

SKEW = """
def skew(scores):
    *batch, n, _ = scores.shape
    padded = np.concatenate([np.zeros((*batch, n, 1)), scores], axis=-1)
    return padded.reshape(*batch, n + 1, n)[..., 1:, :]
"""


def skew_loops(scores):
    out = np.zeros_like(scores)
    n = scores.shape[-1]
    for i in range(n):
        for j in range(i + 1):
            out[..., i, j] = scores[..., i, j - i + n - 1]
    return out


def skew_torch(scores):
    *batch, n, _ = scores.size()
    return torch.nn.functional.pad(scores, (1, 0)).view(*batch, n + 1, n)[..., 1:, :]


BOTH = """
def skew_both_sides(scores):
    n, width = scores.shape
    line = np.concatenate([scores, np.zeros((n, 1))], axis=1).ravel()
    line = np.concatenate([line, np.zeros(n - 1)])
    return line.reshape(n + 1, width)[:n, n - 1 :]
"""


def both_loops(scores):
    n = len(scores)
    return [[scores[i][j - i + n - 1] for j in range(n)] for i in range(n)]


def both_windows(scores):
    n = len(scores)
    return np.stack([scores[i, n - 1 - i : 2 * n - 1 - i] for i in range(n)])


def both_torch(scores):
    n = scores.size(0)
    index = torch.arange(n)[None, :] - torch.arange(n)[:, None] + n - 1
    return torch.gather(scores, 1, index)


SCORES = """
def position_scores(q, table):
    n = len(q)
    products = q @ table[len(table) - n :].T
    padded = np.pad(products, ((0, 0), (1, 0)))
    return padded.reshape(n + 1, n)[1:]
"""


def scores_loops(q, table):
    n = len(q)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = q[i] @ table[len(table) - 1 - (i - j)]
    return out


def scores_torch(q, table):
    n = q.shape[0]
    return skew_torch(torch.einsum("id,cd->ic", q, table[table.shape[0] - n :]))


# --- garbage -------------------------------------------------------------------------

CELL = """
def cell_of(i, c, seq_len):
    place = i * (seq_len + 1) + c + 1
    return place // seq_len - 1, place % seq_len
"""


def cell_loops(i, c, seq_len):
    line = [(r, k) for r in range(seq_len) for k in range(-1, seq_len)]
    rows = [line[n : n + seq_len] for n in range(0, len(line), seq_len)]
    for row, cells in enumerate(rows):
        if (i, c) in cells:
            return row - 1, cells.index((i, c))
    raise ValueError


def cell_cases(i, c, seq_len):
    if i + c + 1 >= seq_len:
        return [i, i + c + 1 - seq_len]
    return [i - 1, i + c + 1] if i > 0 else [-1, -1]


def cell_torch(i, c, seq_len):
    numbers = torch.arange(seq_len * (seq_len + 1)).view(seq_len, seq_len + 1)
    place = numbers[i, c + 1]
    return torch.stack([place // seq_len - 1, place % seq_len])


# --- the test ------------------------------------------------------------------------

ACCEPTS = """
def accepts(products, result):
    n = len(products)
    expected = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            expected[i, j] = products[i, j - i + n - 1]
    return bool(np.array_equal(np.tril(result), expected))
"""


def accepts_loops(products, result):
    n = len(products)
    return all(
        result[i][j] == products[i][j - i + n - 1]
        for i in range(n)
        for j in range(i + 1)
    )


def accepts_torch(products, result):
    n = products.shape[0]
    index = torch.arange(n)[None, :] - torch.arange(n)[:, None] + n - 1
    expected = torch.gather(products, 1, index.clamp(max=n - 1))
    return bool((torch.eq(result, expected) | (index > n - 1)).all())


def accepts_posenc(products, result):
    return np.array_equal(
        np.tril(posenc.music_transformer.skew(products)), np.tril(result)
    )


# --- the window ----------------------------------------------------------------------

VISIBLE = """
def visible_keys(i, block):
    return list(range(max(0, (i // block - 1) * block), i + 1))
"""


def visible_loops(i, block):
    keys = []
    for k in range(i + 1):
        if i // block - k // block <= 1:
            keys.append(k)
    return keys


def visible_numpy(i, block):
    k = np.arange(i + 1)
    return k[i // block - k // block < 2]


def visible_torch(i, block):
    blocks = i // block + 1
    mask = posenc.music_transformer.local_mask(blocks, block, xp=torch)[-1, i % block]
    return mask.nonzero()[:, 0] + (blocks - 2) * block


MEMORY = [256, 512, 0.512, 8]
WIDGETS = ["c1", 5, "d0", 2048]

RIGHT = {
    "music_transformer.skew_by_hand": [
        BY_HAND,
        np.asarray(BY_HAND),
        torch.tensor(BY_HAND, dtype=torch.float32),
    ],
    "music_transformer.skew": [
        skew_loops,
        made(SKEW),
        skew_torch,
        posenc.music_transformer.skew,
        lambda scores: shift_rows(scores, scores.shape[-1]),
    ],
    "music_transformer.skew_both_sides": [
        lambda scores: np.array(both_loops(scores)),
        made(BOTH),
        both_windows,
        both_torch,
        posenc.music_transformer.skew_unmasked,
    ],
    "music_transformer.source_of": [
        cell_loops,
        made(CELL),
        cell_cases,
        cell_torch,
    ],
    "music_transformer.repair_scores": [
        scores_loops,
        made(SCORES),
        scores_torch,
        posenc.music_transformer.position_scores,
    ],
    "music_transformer.repair_test": [
        accepts_loops,
        made(ACCEPTS),
        accepts_torch,
        accepts_posenc,
    ],
    "music_transformer.visible_keys": [
        visible_loops,
        made(VISIBLE),
        visible_numpy,
        visible_torch,
    ],
    "music_transformer.memory_by_hand": [
        MEMORY,
        tuple(MEMORY),
        np.asarray(MEMORY),
        [256.0, 512, 0.511, 8.0],
    ],
    "music_transformer.ask_the_widgets": [
        WIDGETS,
        ("C1", "5", "D0", "2,048"),
        ["c1 ", 5.0, "d0", 2048.0],
    ],
}

WRONG = {
    "music_transformer.skew_by_hand": [
        (
            posenc.music_transformer.skew(RAMP[:, ::-1] * 1.0)[::-1],
            "of 16 are not right",
        ),
        (
            [[4, 5, 6, 7], [7, 8, 9, 10], [10, 11, 12, 13], [13, 14, 15, 16]],
            "the view without a pad",
        ),
        (
            [[1, 2, 3, 4], [0, 5, 6, 7], [8, 0, 9, 10], [11, 12, 0, 13]],
            "2 mistakes at once",
        ),
        (
            [[2, 3, 4, 1], [7, 8, 5, 6], [12, 9, 10, 11], [13, 14, 15, 16]],
            "Your rows move to the right",
        ),
        ([[4, 0, 5, 6], [7, 8, 0, 9], [10, 11, 12, 0]], "must have shape (4, 4)"),
        ([[4, ..., 5, 6], *BY_HAND[1:]], "Some entries are still dots"),
        ([[..., ..., ..., ...]] * 4, "not answered yet"),
    ],
    "music_transformer.skew": [
        (made(SKEW, ("[..., 1:, :]", "")), "must have shape"),
        (
            lambda scores: np.stack(
                [np.roll(row, len(scores) - 1 - i) for i, row in enumerate(scores)]
            ),
            "Your rows move to the right",
        ),
        (
            lambda scores: made(SKEW)(scores.reshape(-1, scores.shape[-1])).reshape(
                scores.shape
            ),
            "cannot reshape",
        ),
        (
            lambda scores: np.pad(scores, ((0, 0), (1, 0))).reshape(
                len(scores) + 1, len(scores)
            )[1:],
            "scores of shape (2, 3, 4, 4): batch",
        ),
        (
            lambda scores: np.pad(scores, ((0, 0), (1, 0))).reshape(
                len(scores) + 1, len(scores)
            )[1:],
            "Count axes from the end",
        ),
        (
            lambda scores: (
                made(SKEW)(scores)[..., ::-1, ::-1, :, :]
                if scores.ndim > 2
                else made(SKEW)(scores)
            ),
            "get mixed up",
        ),
        (made(SKEW, ("    return", "    return None\n    return")), "not answered"),
        (
            made(SKEW, ("    *batch", "    scores[..., 0, 0] = 0\n    *batch")),
            "changes its input",
        ),
    ],
    "music_transformer.skew_both_sides": [
        (made(BOTH, ("[:n, n - 1 :]", "")), "must have shape (3, 3)"),
        (
            made(BOTH, ("[:n, n - 1 :]", "[1:, n - 1 :]")),
            "not in the column of its key",
        ),
        (lambda scores: scores, "must have shape (3, 3), got shape (3, 5)"),
        (
            lambda scores: np.pad(scores, ((0, 0), (1, 0))).reshape(
                2 * len(scores), len(scores)
            )[1 : len(scores) + 1],
            "the recipe for one side",
        ),
    ],
    "music_transformer.source_of": [
        (lambda i, c, n: cell_cases(i, c, n)[0], "A pair (row, column) is asked"),
        (lambda i, c, n: (i, "pad"), "must be whole numbers"),
        (lambda i, c, n: (max(i - 1, 0), c), "should be row -1"),
        (
            lambda i, c, n: cell_cases(i, c, n) if i + c + 1 >= n else (-1, -1),
            "A product that becomes garbage lands elsewhere",
        ),
    ],
    "music_transformer.repair_scores": [
        (made(SCORES, ("[len(table) - n :]", "")), "It raises ValueError"),
        (made(SCORES, ("[1:]", "")), "must have shape"),
    ],
    "music_transformer.repair_test": [
        (made(ACCEPTS, ("np.tril(result)", "result")), "It demands zeros above"),
        (
            made(ACCEPTS, ("np.array_equal(np.tril(result), expected)", "True")),
            "It compares nothing",
        ),
        (
            made(ACCEPTS, ("np.array_equal(np.tril(result), expected)", "False")),
            "calls a right result wrong",
        ),
        (
            made(ACCEPTS, ("np.tril(result)", "result * np.tri(n)")),
            "Infinity times 0 is not 0",
        ),
        (
            made(
                ACCEPTS,
                (
                    "np.array_equal(np.tril(result), expected)",
                    "np.isclose(np.tril(result).sum(), expected.sum())",
                ),
            ),
            "sum and maximum stay the same",
        ),
        (
            made(
                ACCEPTS,
                (
                    "np.array_equal(np.tril(result), expected)",
                    "np.array_equal(np.diag(result), np.diag(expected))",
                ),
            ),
            "the score of the farthest key changed",
        ),
        (
            lambda products, result: np.array_equal(
                posenc.music_transformer.skew(products), result
            ),
            "one kind of garbage",
        ),
        (made(ACCEPTS, ("return bool(", "return str(")), "must return True or False"),
        (
            lambda products, result: (
                np.testing.assert_array_equal(result, np.tril(result)) or True
            ),
            "a failed assertion tells neither",
        ),
    ],
    "music_transformer.visible_keys": [
        (lambda i, b: len(visible_loops(i, b)), "A list of keys is asked"),
        (lambda i, b: list(range(max(0, i - b + 1), i + 1)), "slides with the query"),
    ],
    "music_transformer.memory_by_hand": [
        ([256, 256, 0.512, 8], "The layer has two"),
        ([256, 512, 512, 8], "a factor L too many"),
        ([256, 512, 0.512, ...], "Some entries are still dots"),
        ([256, 512, 0.256, 4], "E of the whole layer: not 0.256 MB"),
        ([128, 512, 0.512, 8], "R of one head: not 128 MB"),
        ([256, 512, 0.512], "must have shape (4,)"),
    ],
    "music_transformer.ask_the_widgets": [
        (["c1", 5, "d0", ...], "Some entries are still dots"),
        (["b4", 15, "d0", 2048], "How much of it is a pad"),
        (["b4", 15, "d0", 2048], "question 1: not b4"),
        (["c1", 6, "d0", 2048], "no garbage in it"),
        (["c1", 5, "a0", 2048], "leaves the row of its query"),
        (["c1", 5, "d0"], "a list of four"),
    ],
}
