"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch

import posenc


def apply_rotary(x, positions, *, base=10_000.0):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2) / d)
    angles = positions[:, None] * theta
    pairs = torch.view_as_complex(x.float().reshape(len(x), -1, 2))
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2)


STAY = [True, False, False, True, True, False, True]


def stay(*changed):
    return [v != (letter in changed) for v, letter in zip(STAY, "abcdefg", strict=True)]


SPREAD = [True, True, False, True, False, False, False]


def spread(*changed):
    letters = zip(SPREAD, "abcdefg", strict=True)
    return [v != (letter in changed) for v, letter in letters]


def score_of_offset(q, k):
    (a, b), (c, d) = q.reshape(-1, 2).T, k.reshape(-1, 2).T
    return torch.stack([a * c + b * d, b * c - a * d])


def repair_layout(q, k, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, q.shape[1], base=base)
    q, k = (
        posenc.rope.apply_rotary(x.float(), angles.float(), layout="half")
        for x in (q, k)
    )
    return q @ k.T


def repair_directions(q, k, positions, *, base=10_000.0):
    q, k = (apply_rotary(x, positions, base=base) for x in (q, k))
    return q @ k.T


def repair_cache(length, head_dim, *, base=10_000.0, offset=0):
    positions = torch.arange(offset, offset + length, dtype=torch.float64)
    angles = posenc.rope.rotary_angles(positions, head_dim, base=base)
    return torch.stack([angles.cos(), angles.sin()])


def caching(key_of):
    """Return an answer that remembers its tables by some of the arguments."""
    tables = {}

    def answer(length, head_dim, *, base=10_000.0, offset=0):
        key = key_of(length, head_dim, base, offset)
        if key not in tables:
            tables[key] = repair_cache(length, head_dim, base=base, offset=offset)
        return tables[key]

    return answer


def cached_scores(cached_keys, q, k, *, base=10_000.0):
    positions = torch.arange(len(q)) + len(cached_keys)
    q, k = (apply_rotary(x, positions, base=base) for x in (q, k))
    return q @ torch.cat([cached_keys.float(), k]).T


which_stay = np.asarray(STAY)
same_spread = np.asarray(SPREAD)


WRONG = {
    "rope.turn_by_hand": [
        ([-1, 3, -2, 1, -4, 0, -5, 1], "270 degrees are three quarters"),
        ([3, 1, -2, 1, 4, 0, 5, -1], "as they were. (In 2 of 8"),
    ],
    "rope.which_stay": [
        (stay("b"), "Doubling"),
        (stay("d"), "its own conjugate"),
        (stay("a", "g"), "Not right: a, g", "a: you say that it changes some"),
        ([1, 0, 0, 1, 1, 0, 1], "True or False"),
    ],
    "rope.same_spread": [
        (spread("b"), "It is enough that the key"),
        (spread("d"), "d: you say that distance changes it"),
        (spread("e"), "corners of a square"),
        (spread("c", "g"), "Not right: c, g", "(g) A turn by 50 places"),
    ],
    "rope.repair_cache": [
        (caching(lambda n, d, base, offset: (n, d, offset)), "does not hold base"),
        (caching(lambda n, d, base, offset: (n, d, base)), "does not hold offset"),
        (caching(lambda n, d, base, offset: (d, base, offset)), "does not hold length"),
        (
            lambda n, d, *, base, offset: np.zeros((2, n, d // 2)),
            "not the one of these",
        ),
    ],
    "rope.count_planes": [
        ([11, 11, 9], "question 2: not 11 (planes that do not finish"),
    ],
}
