"""Code as it stands in other projects, for what `identify` says about it.

Each entry: name, function, status, and words of the findings that are not the book's,
or of the problem where no convention is known.
"""

import math

import numpy as np
import torch

import posenc

# --- rotary embeddings ---------------------------------------------------------------


def thetas(d, base=10_000.0):
    return base ** (-np.arange(0, d, 2) / d)


def rotate_half(x):
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([-second, first], axis=-1)


def rotate_every_two(x):
    return np.stack([-x[..., 1::2], x[..., ::2]], axis=-1).reshape(x.shape)


def half(theta_of, *, shift=0, sign=1):
    """Half layout, as in the code of Llama's port to transformers."""

    def turn(x, positions):
        angles = sign * np.outer(positions + shift, theta_of(x.shape[-1]))
        wide = np.concatenate([angles, angles], axis=-1)
        return x * np.cos(wide) + rotate_half(x) * np.sin(wide)

    return turn


def of_pairs(x, positions):
    """Complex pairs of neighbors, as in Llama's own code."""
    x = torch.as_tensor(x)
    angles = torch.outer(positions.double(), torch.from_numpy(thetas(x.shape[-1])))
    pairs = torch.view_as_complex(x.double().reshape(len(x), -1, 2).contiguous())
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2)


def tiled_for_halves(x, positions):
    angles = np.outer(positions, thetas(x.shape[-1]))
    wide = np.concatenate([angles, angles], axis=-1)
    return x * np.cos(wide) + rotate_every_two(x) * np.sin(wide)


def long_rope(d):
    """Ding et al. (arXiv:2402.13753): a factor of its own for each pair."""
    searched = [1.0, 1.02, 1.08, 1.5, 3.2, 9.4, 23.1, 31.8]
    return thetas(d) / np.interp(np.linspace(0, 7, d // 2), range(8), searched)


def llama3(d):
    """Smooth between two wavelengths, as in Llama 3.1's own code."""
    theta, scale, trained = thetas(d, 500_000.0), 8.0, 64
    smooth = (trained * theta / (2 * math.pi) - 1) / (4 - 1)
    smooth = np.clip(smooth, 0, 1)
    return (1 - smooth) * theta / scale + smooth * theta


def yarn_by_index(d):
    """A ramp over the number of the pair, as in YaRN's own code."""
    keep = 1 - np.clip((np.arange(d // 2) - 1.5) / 4, 0, 1)
    return thetas(d) / 16 * (1 - keep) + thetas(d) * keep


def proportional(share):
    """Exponents over all features, of which a share turns."""

    def turn(x, positions):
        d = x.shape[-1]
        theta = np.where(np.arange(d // 2) < share * d // 2, thetas(d), 0.0)
        return half(lambda d: theta)(x, positions)

    return turn


def in_dtype(function, dtype):
    def cast(*args):
        out = np.asarray(function(*args))
        return torch.from_numpy(out).to(dtype)

    return cast


ROTARY = [
    (half(thetas), "other", {"layout": "half: features i and i + 8"}),
    (of_pairs, "same", {}),
    (half(lambda d: thetas(d, 5e5)), "other", {"layout": "half", "base": "500,000"}),
    (half(thetas, sign=-1), "other", {"layout": "half", "direction": "clockwise"}),
    (
        half(thetas, shift=1),
        "other",
        {"layout": "half", "start": "positions are counted from 1"},
    ),
    (tiled_for_halves, "unclear", "the angles are laid out for halves"),
    (
        half(long_rope),
        "other",
        {"layout": "half", "frequencies": "no known rule; radians per token: 1, 0.31,"},
    ),
    (
        half(llama3),
        "other",
        {"layout": "half", "base": "500,000", "scaling": "by bands, as in YaRN and L"},
    ),
    (
        half(yarn_by_index),
        "other",
        {"layout": "half", "scaling": "by bands, as in YaRN and Llama 3: 2 fast"},
    ),
    (
        half(lambda d: thetas(d)[::-1]),
        "other",
        {"layout": "half", "order": "reversed: the last pair is the fastest"},
    ),
    (
        proportional(0.375),
        "other",
        {
            "layout": "half: features i and i + 8",
            "base": "10,000 with exponents over all 16 features (a proportional",
            "turned": "6 of 16 features, 3 of each half",
        },
    ),
    (in_dtype(half(thetas), torch.float16), "unclear", "Unknown: its result is in fl"),
]

# --- masks and biases ----------------------------------------------------------------


def additive_mask(value, dtype=torch.float32, diagonal=1):
    def mask(q_len, k_len):
        full = torch.full((q_len, k_len), value, dtype=dtype)
        return torch.triu(full, diagonal=diagonal)

    return mask


BIAS = {"values": "0 where a query may look, minus infinity elsewhere"}
HIDDEN = "hidden keys get {} in place of minus infinity"
MASKS = [
    (additive_mask(-math.inf), "other", BIAS),
    (additive_mask(-1e9), "other", BIAS | {"hidden": HIDDEN.format("-1e+09")}),
    (additive_mask(-1e4), "other", BIAS | {"hidden": HIDDEN.format("-10000")}),
    (
        lambda q_len, k_len: np.tri(q_len, k_len, -1, dtype=bool),
        "other",
        {"own key": "a query does not see the key at its own position"},
    ),
    (
        lambda q_len, k_len: np.arange(q_len * k_len).reshape(q_len, k_len) % 3 == 0,
        "unclear",
        "It differs from the book's first at:",
    ),
]


def masked_alibi(num_heads, q_len, k_len):
    bias = np.asarray(posenc.alibi.alibi_bias(num_heads, q_len, k_len))
    return np.where(np.tri(q_len, k_len, dtype=bool), bias, -1e9)


ALIBI = [
    (
        masked_alibi,
        "other",
        {"keys after the query": "are hidden", "hidden": HIDDEN.format("-1e+09")},
    ),
    (
        lambda n, q, k: posenc.alibi.alibi_bias(n, q, k)[::-1],
        "other",
        {"slopes": "the published ones in reverse order"},
    ),
    (
        lambda n, q, k: np.random.default_rng(0).normal(size=(n, q, k)),
        "unclear",
        "Unknown: it follows no convention that is known here.",
    ),
]

# --- sinusoids -----------------------------------------------------------------------


def table(n, d, *, start=0, base=10_000.0):
    """As in the tutorial of PyTorch."""
    position = torch.arange(start, start + n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2) * (-math.log(base) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


SINUSOIDS = [
    (table, "same", {}),
    (lambda n, d: table(n, d, start=1), "other", {"start": "one is added first"}),
    (
        lambda n, d: math.sqrt(d) * table(n, d),
        "other",
        {"size": "all multiplied by the root of d_model"},
    ),
    (lambda n, d: table(n, d) / n, "unclear", "Unknown: it follows no convention"),
    (lambda n, d: table(n, d).half(), "same", {}),
]

# --- indices -------------------------------------------------------------------------


def bucket(relative_position, bidirectional, num_buckets, max_distance):
    """As in the code of T5 in transformers, in float64."""
    offset = 0
    if bidirectional:
        num_buckets //= 2
        offset = np.where(relative_position > 0, num_buckets, 0)
        n = np.abs(relative_position)
    else:
        n = np.maximum(-relative_position, 0)
    exact = num_buckets // 2
    scale = (num_buckets - exact) / np.log(max_distance / exact)
    far = exact + (np.log(np.maximum(n, 1) / exact) * scale + 1e-9).astype(int)
    return offset + np.where(n < exact, n, np.minimum(far, num_buckets - 1))


BUCKETS = [
    (bucket, "same", {}),
    (
        lambda r, *setting: bucket(-r, *setting),
        "other",
        {"sign": "it is given query minus key"},
    ),
    (
        lambda r, *setting: bucket(r + 1, *setting),
        "other",
        {"distance": "off by one: 1 for the key at the query's own position"},
    ),
    (
        lambda r, *setting: bucket(r, *setting) + 1,
        "unclear",
        "It differs from the book's first at:",
    ),
]
SHAW = [
    (
        lambda q, k, m: np.clip(np.arange(k) - np.arange(q)[:, None], -m, m) + m + 1,
        "other",
        {"first row": "indices from 1 to 2k + 1"},
    ),
    (
        lambda q, k, m: (
            np.clip(np.arange(k) - np.arange(q)[:, None] - (k - q), -m, m) + m
        ),
        "other",
        {"alignment": "the last query stands beside the last key"},
    ),
    (
        lambda q, k, m: np.clip(np.arange(k) - np.arange(q)[:, None], 0, m),
        "unclear",
        "It differs from the book's first at:",
    ),
]

THIRD_PARTY = [
    (name, *entry)
    for name, entries in {
        "rope.apply_rotary": ROTARY,
        "attention.causal_mask": MASKS,
        "alibi.alibi_bias": ALIBI,
        "sinusoidal.sinusoidal_table": SINUSOIDS,
        "t5.relative_position_bucket": BUCKETS,
        "shaw.relative_position_index": SHAW,
    }.items()
    for entry in entries
]
