"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import torch
from answer_sources import wrong


def taylor_features(x):
    ones = torch.ones(len(x), 1, dtype=x.dtype)
    squares = (x[:, :, None] * x[:, None, :]).flatten(1) / 2**0.5
    return torch.cat([ones, x, squares], dim=1)


def crossover(r, d):
    return math.floor(2 * r * d / (r + d)) + 1


def repair_decoder(q, k, v, *, decay=1.0):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    z = torch.zeros(k.shape[1], dtype=v.dtype)
    rows = []
    for a, b, c in zip(q, k, v, strict=True):
        S, z = decay * S + torch.outer(b, c), decay * z + b
        rows.append(a @ S / (a @ z))
    return torch.stack(rows)


def causal_attention(q, k, v, *, decay=1.0, chunk=16):
    return repair_decoder(q, k, v, decay=decay)


def faded_by_division(q, k, v, *, decay=1.0, chunk=16):
    """Let the sums grow, and overflow, in place of fading the state."""
    growth = decay ** -torch.arange(len(q), dtype=q.dtype)[:, None]
    S = (growth[:, :, None] * k[:, :, None] * v[:, None]).cumsum(0)
    top, bottom = (q[:, None] @ S)[:, 0], (growth * k).cumsum(0)
    return top / (q * bottom).sum(1, keepdim=True)


def repair_rotation(q, k, angles):
    q, k = (torch.nn.functional.elu(x) + 1 for x in (q, k))
    factors = torch.polar(torch.ones_like(angles), angles)

    def turned(x):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * factors).flatten(-2)

    return turned(q) @ turned(k).mT / (q @ k.sum(0))[:, None]


def crossing_angle(n):
    return math.pi / 2 + math.asin(1 / n)


def toeplitz_product(factors, u):
    size = 2 * len(factors)
    spectrum = torch.fft.rfft(factors.flip(0), n=size) * torch.fft.rfft(u, n=size)
    return torch.fft.irfft(spectrum, n=size)[len(u) - 1 : 2 * len(u) - 1]


TAYLOR = """
def features(x):
    n, d = x.shape
    columns = [np.ones(n)]
    columns += [x[:, i] for i in range(d)]
    for i in range(d):
        for j in range(i, d):
            factor = 1 if i == j else math.sqrt(2)
            columns.append(x[:, i] * x[:, j] * factor / math.sqrt(2))
    return np.stack(columns, axis=1)
"""

CROSSOVER = """
def crossover(r, d):
    return 2 * r * d // (r + d) + 1
"""

CAUSAL = """
def attend(q, k, v, *, decay=1.0):
    S, z = np.zeros((k.shape[1], v.shape[1])), np.zeros(k.shape[1])
    out = np.zeros((len(q), v.shape[1]))
    for t in range(len(q)):
        S = decay * S
        z = decay * z
        S = S + np.outer(k[t], v[t])
        z = z + k[t]
        out[t] = q[t] @ S / (q[t] @ z)
    return out
"""

CHUNKED = """
def attend(q, k, v, *, decay=1.0, chunk=16):
    S, z = np.zeros((k.shape[1], v.shape[1])), np.zeros(k.shape[1])
    pieces = []
    for start in range(0, len(q), chunk):
        a, b, c = (x[start:start + chunk] for x in (q, k, v))
        n = len(a)
        steps = np.arange(n)[:, None] - np.arange(n)
        powers = decay ** np.maximum(steps, 0.0)
        w = np.where(steps >= 0, powers * (a @ b.T), 0)
        a = a * decay ** np.arange(1.0, n + 1)[:, None]
        top, bottom = w @ c + a @ S, w.sum(1) + a @ z
        pieces.append(top / bottom[:, None])
        b = b * decay ** np.arange(n - 1.0, -1, -1)[:, None]
        S, z = decay**n * S, decay**n * z
        S, z = S + b.T @ c, z + b.sum(0)
    return np.concatenate(pieces)
"""

CHUNK_MISTAKES = (
    ("for the next one twice", ("np.arange(1.0, n + 1)", "np.zeros(n)")),
    ("it must fade once", ("np.arange(1.0, n + 1)", "np.arange(0.0, n)")),
    ("end of its chunk is missing", ("np.arange(n - 1.0, -1, -1)", "np.zeros(n)")),
    ("by the decay once", ("decay**n * S, decay**n * z", "decay * S, decay * z")),
    ("does not fade at all", ("decay**n * S, decay**n * z", "S, z")),
    ("Within a chunk nothing", ("np.maximum(steps, 0.0)", "(0.0 * steps)")),
    ("own chunk alone", ("S + b.T @ c, z + b.sum(0)", "S, z")),
    ("not divided", (" / bottom[:, None]", "")),
)

CAUSAL_MISTAKES = (
    (
        "in the numerator alone",
        ("S = S + np.outer(k[t], v[t])", "S = S + decay * np.outer(k[t], v[t])"),
    ),
    ("in the denominator alone", ("z = z + k[t]", "z = z + decay * k[t]")),
    ("denominator does not fade", ("z = decay * z", "z = z")),
    ("decay is ignored", ("decay * S", "S"), ("decay * z", "z")),
    ("not divided", (" / (q[t] @ z)", "")),
)

ROTATION = """
def turn(x, angles):
    c, s = np.cos(angles), np.sin(angles)
    a, b = x[:, 0::2], x[:, 1::2]
    out = np.empty_like(x)
    out[:, 0::2], out[:, 1::2] = a * c - b * s, a * s + b * c
    return out

def lift(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

def weights(q, k, angles):
    q_features, k_features = lift(q), lift(k)
    top = turn(q_features, angles) @ turn(k_features, angles).T
    bottom = q_features @ k_features.T
    return top / bottom.sum(axis=1, keepdims=True)
"""

CROSSING = """
def crossing_angle(n):
    return math.acos(-1 / n)
"""

TOEPLITZ = """
def slide(factors, u):
    L = len(u)
    around = np.concatenate([factors[L - 1:], factors[:L - 1]])
    padded = np.concatenate([u, np.zeros(L - 1)])
    return np.fft.ifft(np.conj(np.fft.fft(around)) * np.fft.fft(padded)).real[:L]
"""

WRONG = {
    "linear_attention.state_by_hand": [
        ([4, 8, 10, 7, 3, 4, 7, 24 / 11, 2], "dot product with the query"),
        ([0, 0, 9, 3, 0, 3, 6, 3, 1], "the newest token alone"),
        ([4, 8, 10, 7, 3, 4, 12, 2, 1.5], "the denominator: not 12"),
        ([4, 10, 8, 7, 3, 4, 11, 24 / 11, 2], "S, row 0, column 1: not 10"),
    ],
    "linear_attention.taylor_features": [
        *wrong(
            TAYLOR,
            ("constant feature 1", ("[np.ones(n)]", "[]")),
            ("features x themselves", ("columns += ", "_ = ")),
            ("products x_i x_j are missing", ("* factor /", "* 0 /")),
            ("1 + s + s²:", ("factor / math.sqrt(2)", "factor")),
            ("s²/4", ("factor / math.sqrt(2)", "factor / 2")),
            ("Only the squares", ("range(i, d)", "range(i, i + 1)")),
            ("two terms of the square", ("else math.sqrt(2)", "else 1")),
            ("two features are multiplied", ("else math.sqrt(2)", "else 2")),
            ("No product has a factor", ("* factor / math.sqrt(2)", "")),
        ),
    ],
    "linear_attention.crossover": [
        *wrong(
            CROSSOVER,
            ("strictly cheaper", (" + 1", "")),
            ("right for r = d", ("2 * r * d // (r + d)", "max(r, d)")),
            (
                "one token later",
                ("2 * r * d // (r + d) + 1", "-(-2 * r * d // (r + d))"),
            ),
            ("right for r = d alone", ("2 * r * d // (r + d)", "d")),
            ("right for r = d alone", ("2 * r * d // (r + d)", "r")),
            ("Two products", ("2 * r * d", "r * d")),
            ("applied to the values", ("// (r + d)", "// r")),
        ),
    ],
    "linear_attention.causal_attention": [
        *wrong(CHUNKED, *CHUNK_MISTAKES),
        (faded_by_division, "Let the state fade"),
    ],
    "linear_attention.repair_decoder": [
        *wrong(CAUSAL, *CAUSAL_MISTAKES[:4]),
    ],
    "linear_attention.block_ranks": [
        ([1, 2, 2, 2, 4], "in none of the blocks"),
        ([1, 2, 2, 1, 3], "cos(i - j) is no product"),
        ([24, 2, 2, 2, 3], "rank of the whole matrix"),
        ([1, 1, 2, 2, 3], "question 2: not 1 (0.9^τ + 0.5^τ)"),
    ],
    "linear_attention.toeplitz_product": [
        *wrong(
            TOEPLITZ,
            (
                "offsets are mirrored",
                ("np.conj(np.fft.fft(around))", "np.fft.fft(around)"),
            ),
            (
                "begins with offset -(L - 1)",
                ("np.concatenate([factors[L - 1:], factors[:L - 1]])", "factors"),
            ),
            (
                "It wraps around",
                (
                    "np.concatenate([factors[L - 1:], factors[:L - 1]])",
                    "factors[L - 1:]",
                ),
                ("np.concatenate([u, np.zeros(L - 1)])", "u"),
            ),
        ),
    ],
    "linear_attention.repair_rotation": [
        *wrong(
            ROTATION,
            (
                "denominator is rotated",
                ("bottom = q_features @ k_features.T", "bottom = top"),
            ),
            (
                "(The denominator is right.)",
                (
                    "turn(q_features, angles) @ turn(k_features, angles).T",
                    "lift(turn(q, angles)) @ lift(turn(k, angles)).T",
                ),
            ),
            (
                "above and below",
                ("lift(q), lift(k)", "lift(turn(q, angles)), lift(turn(k, angles))"),
                ("turn(q_features, angles) @ turn(k_features, angles).T", "0"),
                ("bottom =", "top = bottom ="),
            ),
            ("keys are not turned", ("turn(k_features, angles)", "k_features")),
            ("queries are not turned", ("turn(q_features, angles)", "q_features")),
            (
                "denominator alone",
                (
                    "bottom = q_features @ k_features.T",
                    "top, bottom = q_features @ k_features.T, top",
                ),
            ),
            (
                "Nothing is turned",
                ("    c, s =", "    angles = 0 * angles\n    c, s ="),
            ),
        ),
    ],
    "linear_attention.crossing_angle": [
        *wrong(
            CROSSING,
            ("in radians", ("math.acos(-1 / n)", "math.degrees(math.acos(-1 / n))")),
            ("n cos δ = 1", ("-1 / n", "1 / n")),
            ("adds its 1", ("-1 / n", "0")),
            ("over the circle", ("math.acos(-1 / n)", "2 * math.pi / (n + 1)")),
            ("Count again", ("-1 / n", "-1 / max(n - 1, 1)")),
        ),
    ],
    "linear_attention.three_numbers": [
        ([4096, 9, 4], "question 1: not 4096"),
        ([64, 18, 8], "question 3: not 8 (product of the lifted"),
    ],
}
