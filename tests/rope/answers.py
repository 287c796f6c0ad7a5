"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch
from answer_sources import wrong

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


ROTARY = """
def rotary(x, positions, *, base=10_000.0):
    d = x.shape[1]
    theta = base ** (-2 * np.arange(d // 2) / d)
    angles = positions[:, None] * theta
    a, b = x[:, 0::2], x[:, 1::2]
    out = np.empty_like(x)
    out[:, 0::2] = a * np.cos(angles) - b * np.sin(angles)
    out[:, 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return out
"""

SCORE = """
def score(q, k):
    z = (q[0::2] + 1j * q[1::2]) * np.conj(k[0::2] + 1j * k[1::2])
    return np.stack([z.real, z.imag])
"""

HALVES = """
def unused(): pass
def checkpoint(q, k, positions, *, base=10_000.0):
    d = q.shape[1]
    angles = positions[:, None] * base ** (-2 * np.arange(d // 2) / d)
    def turn(x, half):
        a, b = (x[:, : d // 2], x[:, d // 2 :]) if half else (x[:, 0::2], x[:, 1::2])
        one = a * np.cos(angles) - b * np.sin(angles)
        two = a * np.sin(angles) + b * np.cos(angles)
        if half:
            return np.concatenate([one, two], axis=1)
        return np.stack([one, two], axis=-1).reshape(x.shape)
    return turn(q, True) @ turn(k, half=True).T
"""

NEIGHBORS = """
def relative(q, k, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, q.shape[1], base=base)
    turn = posenc.rope.apply_rotary
    return turn(q, angles) @ turn(k, +angles).T
"""

CACHED = """
def cached(cached_keys, q, k, *, base=10_000.0):
    P, (T, d) = len(cached_keys), q.shape
    angles = posenc.rope.rotary_angles(np.arange(P, P + T), d, base=base)
    q, k = (posenc.rope.apply_rotary(x, angles) for x in (q, k))
    return q @ np.concatenate([cached_keys, k]).T
"""

WRONG = {
    "rope.turn_by_hand": [
        ([-1, 3, -2, 1, -4, 0, -5, 1], "270 degrees are three quarters"),
        ([-1, 3, -2, 1, 4, 0, 5, 1], "vector (1, 5)"),
        ([3, 1, -2, 1, 4, 0, 5, -1], "as they were. (In 2 of 8"),
    ],
    "rope.apply_rotary": [
        *wrong(
            ROTARY,
            ("clockwise", ("positions[:, None]", "-positions[:, None]")),
            (
                "half-split pairs",
                ("x[:, 0::2], x[:, 1::2]", "x[:, :d // 2], x[:, d // 2:]"),
                ("out[:, 0::2]", "out[:, :d // 2]"),
                ("out[:, 1::2]", "out[:, d // 2:]"),
            ),
            ("exponent is doubled", ("-2 *", "-4 *")),
            ("exponent is halved", ("-2 *", "-1 *")),
            (
                "put back as halves",
                ("out[:, 0::2]", "out[:, :d // 2]"),
                ("out[:, 1::2]", "out[:, d // 2:]"),
            ),
            ("base is ignored", ("theta = base", "theta = 10_000.0")),
            ("positions are ignored", ("positions[:", "np.arange(len(x))[:")),
            ("already replaced", ("out[:, 1::2] = a", "out[:, 1::2] = out[:, 0::2]")),
        ),
    ],
    "rope.which_stay": [
        (stay("b"), "Doubling"),
        (stay("c"), "Mirrored positions reverse the sign"),
        (stay("d"), "its own conjugate"),
        (stay("a", "g"), "Not right: a, g", "a: you say that it changes some"),
        (stay("b", "c"), "(c) Mirrored positions"),
        ([1, 0, 0, 1, 1, 0, 1], "True or False"),
    ],
    "rope.score_of_offset": [
        *wrong(
            SCORE,
            ("sign of beta", (", z.imag", ", -z.imag")),
            ("not conjugated", ("np.conj(", "(")),
            ("not conjugated", ("np.conj(", "("), (", z.imag", ", -z.imag")),
            ("first the coefficients", ("[z.real, z.imag]", "[z.imag, z.real]")),
            ("have changed places, and", ("[z.real, z.imag]", "[-z.imag, z.real]")),
            ("the second beta", ("z.imag])", "z.imag]).T")),
            (
                "half-split pairs",
                ("q[0::2] + 1j * q[1::2]", "q[:len(q) // 2] + 1j * q[len(q) // 2:]"),
                ("k[0::2] + 1j * k[1::2]", "k[:len(k) // 2] + 1j * k[len(k) // 2:]"),
            ),
            ("summed over the planes", ("z.imag])", "z.imag]).sum(1)")),
            ("sines are missing", (", z.imag", ", 0 * z.imag")),
            ("length and the angle", ("[z.real, z.imag]", "[np.abs(z), np.angle(z)]")),
            ("holds both at once", ("np.stack([z.real, z.imag])", "z")),
        ),
    ],
    "rope.same_spread": [
        (spread("b"), "It is enough that the key"),
        (spread("d"), "d: you say that distance changes it"),
        (spread("e"), "corners of a square"),
        (spread("c", "g"), "Not right: c, g", "(g) A turn by 50 places"),
        ([1, 1, 0, 1, 0, 0, 0], "True or False"),
    ],
    "rope.repair_layout": [
        *wrong(
            HALVES,
            (
                "interleaved pairs",
                ("turn(q, True)", "turn(q, 0)"),
                ("half=True", "half=0"),
            ),
            ("Both come from the same", ("half=True", "half=False")),
            ("Both come from the same", ("turn(q, True)", "turn(q, False)")),
            ("clockwise", ("positions[:", "-positions[:")),
            (
                "wrong way round",
                ("x[:, : d // 2], x[:, d // 2 :]", "_h(x)[:, 0::2], _h(x)[:, 1::2]"),
                (
                    "def unused(): pass",
                    "def _h(x): return np.hstack([x[:, 0::2], x[:, 1::2]])",
                ),
            ),
        ),
    ],
    "rope.repair_directions": [
        *wrong(
            NEIGHBORS,
            ("opposite directions", ("+angles", "-angles")),
            ("the queries clockwise", ("turn(q, angles)", "turn(q, -angles)")),
            ("Both turn clockwise", ("angles =", "angles = -")),
            ("the keys are not", ("+angles", "0 * angles")),
        ),
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
    "rope.cached_scores": [
        *wrong(
            CACHED,
            ("stand behind", ("np.arange(P, P + T)", "np.arange(T)")),
            (
                "one position too far",
                ("np.arange(P, P + T)", "np.arange(P + 1, P + T + 1)"),
            ),
            (
                "second time",
                (
                    "concatenate([cached_keys",
                    "concatenate([posenc.rope.apply_rotary(cached_keys, "
                    "posenc.rope.rotary_angles(np.arange(P), d, base=base))",
                ),
            ),
            (
                "new keys are not turned",
                ("for x in (q, k))", "for x in (q, k)); k = _k"),
                ("    angles", "    _k = k\n    angles"),
            ),
        ),
    ],
    "rope.count_planes": [
        ([21, 17, 9], "do finish a round"),
        ([11, 17, 8], "counted from 0"),
        ([12, 17, 9], "Plane 20 does finish: it makes 1.03 rounds"),
        ([11, 18, 9], "Plane 14 does finish: it makes 1.05 rounds"),
        ([17, 11, 9], "swapped"),
        ([11, 17, 21], "at least 32 rounds"),
        ([11, 11, 30], "for base 10,000: set the base"),
        ([11, 11, 9], "question 2: not 11 (planes that do not finish"),
        ([11, 17, 30], "question 3: not 30 (planes that YaRN leaves"),
    ],
}
