"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch
from answer_sources import in_torch, made

import posenc


def skew(scores):
    *batch, n, _ = scores.shape
    padded = np.concatenate([np.zeros((*batch, n, 1)), scores], axis=-1)
    return padded.reshape(*batch, n + 1, n)[..., 1:, :]


def skew_both_sides(scores):
    n = scores.size(0)
    index = torch.arange(n)[None, :] - torch.arange(n)[:, None] + n - 1
    return torch.gather(scores, 1, index)


def cell_cases(i, c, seq_len):
    if i + c + 1 >= seq_len:
        return [i, i + c + 1 - seq_len]
    return [i - 1, i + c + 1] if i > 0 else [-1, -1]


def source_of(i, c, seq_len):
    numbers = torch.arange(seq_len * (seq_len + 1)).view(seq_len, seq_len + 1)
    place = numbers[i, c + 1]
    return torch.stack([place // seq_len - 1, place % seq_len])


def repair_test(products, result):
    n = len(products)
    expected = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            expected[i, j] = products[i, j - i + n - 1]
    return bool(np.array_equal(np.tril(result), expected))


def visible_keys(i, block):
    blocks = i // block + 1
    mask = posenc.music_transformer.local_mask(blocks, block, xp=torch)[-1, i % block]
    return mask.nonzero()[:, 0] + (blocks - 2) * block


repair_scores = in_torch(posenc.music_transformer.position_scores)
ask_the_widgets = ["c1 ", 5.0, "d0", 2048.0]


WRONG = {
    "music_transformer.skew": [
        (
            lambda scores: skew(scores.reshape(-1, scores.shape[-1])).reshape(
                scores.shape
            ),
            "cannot reshape",
        ),
        (
            lambda scores: np.pad(scores, ((0, 0), (1, 0))).reshape(
                len(scores) + 1, len(scores)
            )[1:],
            "scores of shape (2, 3, 4, 4): batch",
            "Count axes from the end",
        ),
        (
            lambda scores: (
                skew(scores)[..., ::-1, ::-1, :, :] if scores.ndim > 2 else skew(scores)
            ),
            "get mixed up",
        ),
    ],
    "music_transformer.source_of": [
        (lambda i, c, n: cell_cases(i, c, n)[0], "A pair (row, column) is asked"),
        (
            lambda i, c, n: cell_cases(i, c, n) if i + c + 1 >= n else (-1, -1),
            "A product that becomes garbage lands elsewhere",
        ),
    ],
    "music_transformer.repair_test": [
        (made(repair_test, ("np.tril(result)", "result")), "It demands zeros above"),
        (
            made(repair_test, ("np.array_equal(np.tril(result), expected)", "True")),
            "It compares nothing",
        ),
        (
            made(repair_test, ("np.array_equal(np.tril(result), expected)", "False")),
            "calls a right result wrong",
        ),
        (
            made(repair_test, ("np.tril(result)", "result * np.tri(n)")),
            "Infinity times 0 is not 0",
        ),
        (
            made(
                repair_test,
                (
                    "np.array_equal(np.tril(result), expected)",
                    "np.isclose(np.tril(result).sum(), expected.sum())",
                ),
            ),
            "sum and maximum stay the same",
        ),
        (
            made(
                repair_test,
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
        (
            made(repair_test, ("return bool(", "return str(")),
            "must return True or False",
        ),
        (
            lambda products, result: (
                np.testing.assert_array_equal(result, np.tril(result)) or True
            ),
            "a failed assertion tells neither",
        ),
    ],
    "music_transformer.visible_keys": [
        (lambda i, b: 3, "A list of keys is asked"),
    ],
    "music_transformer.memory_by_hand": [
        ([256, 512, 0.256, 4], "E of the whole layer: not 0.256 MB"),
        ([128, 512, 0.512, 8], "R of one head: not 128 MB"),
    ],
    "music_transformer.ask_the_widgets": [
        (["b4", 15, "d0", 2048], "question 1: not b4"),
        (["c1", 5, "d0"], "a list of four"),
    ],
}
