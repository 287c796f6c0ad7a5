"""Answers to the exercises on rotation: right in several styles, wrong in known ways.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import math

import numpy as np
import torch
from answer_sources import made

import posenc

# --- matrices ------------------------------------------------------------------------

BY_HAND = [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1], [0, 0, -1, 0]]

LOOPS = """
def shift(offset, d_model, *, base=10_000.0):
    T = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        angle = offset * base ** (-2 * i / d_model)
        a, b = 2 * i, 2 * i + 1
        T[a, a] = T[b, b] = math.cos(angle)
        T[a, b] = math.sin(angle)
        T[b, a] = -math.sin(angle)
    return T
"""

BLOCKS = """
def shift(offset, d_model, *, base=10_000.0):
    angle = offset * float(base) ** (-np.arange(0, d_model, 2) / d_model)
    turn = np.asarray([[0.0, 1.0], [-1.0, 0.0]])
    return np.kron(np.diag(np.cos(angle)), np.eye(2)) + np.kron(
        np.diag(np.sin(angle)), turn
    )
"""


def shift_torch(offset, d_model, *, base=10_000.0):
    angle = offset * base ** (-torch.arange(0, d_model, 2) / d_model)  # float32
    cos, sin = angle.cos(), angle.sin()
    rows = [torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)]
    return torch.block_diag(*torch.stack(rows, -2))


HALF = """
def shift(offset, d_model, *, base=10_000.0):
    i = np.arange(d_model // 2)
    angle = offset * base ** (-2 * i / d_model)
    C, S = np.diag(np.cos(angle)), np.diag(np.sin(angle))
    return np.block([[C, S], [-S, C]])
"""


def half_loops(offset, d_model, *, base=10_000.0):
    rows = [[0.0] * d_model for _ in range(d_model)]
    for i in range(d_model // 2):
        j, angle = d_model // 2 + i, offset * base ** (-2 * i / d_model)
        rows[i][i] = rows[j][j] = math.cos(angle)
        rows[i][j], rows[j][i] = math.sin(angle), -math.sin(angle)
    return rows


def half_torch(offset, d_model, *, base=10_000.0):
    matrix = posenc.rotation.shift_operator(offset, d_model, base=base, xp=torch)
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    return matrix[order][:, order]


# --- offsets and shifts --------------------------------------------------------------

OFFSET = """
def offset(first, second, *, base=10_000.0):
    d = len(first)
    theta = base ** (-(d - 2) / d)
    (s, c), (s2, c2) = first[-2:], second[-2:]
    sin, cos = s2 * c - c2 * s, c2 * c + s2 * s
    return np.arctan2(sin, cos) / theta
"""


def offset_complex(first, second, *, base=10_000.0):
    d = len(first)
    a, b = complex(first[-1], first[-2]), complex(second[-1], second[-2])
    turn = b / a
    return round(math.atan2(turn.imag, turn.real) * base ** ((d - 2) / d))


def offset_torch(first, second, *, base=10_000.0):
    theta = base ** (2 / first.shape[0] - 1)
    hands = torch.stack([first, second]).unflatten(-1, (-1, 2))[:, -1]
    angles = torch.atan2(hands[:, 0], hands[:, 1])
    turn = torch.remainder(angles[1] - angles[0] + torch.pi, 2 * torch.pi) - torch.pi
    return turn / theta


SHIFT = """
def shift(table, offset, *, base=10_000.0):
    d = table.shape[-1]
    angle = offset * base ** (-np.arange(0, d, 2) / d)
    cos, sin = np.cos(angle), np.sin(angle)
    sines, cosines = table[..., 0::2], table[..., 1::2]
    shifted = np.empty_like(table)
    shifted[..., 0::2] = sines * cos + cosines * sin
    shifted[..., 1::2] = cosines * cos - sines * sin
    return shifted
"""


def shift_rows_loops(table, offset, *, base=10_000.0):
    d, rows = table.shape[1], []
    for row in table.tolist():
        out = []
        for i in range(0, d, 2):
            cos, sin = (f(offset * base ** (-i / d)) for f in (math.cos, math.sin))
            out += [row[i] * cos + row[i + 1] * sin, row[i + 1] * cos - row[i] * sin]
        rows.append(out)
    return rows


def shift_rows_torch(table, offset, *, base=10_000.0):
    pairs = torch.view_as_complex(table.flip(-1).unflatten(-1, (-1, 2)).contiguous())
    d = table.shape[-1]
    angle = offset * base ** (-torch.arange(d - 2, -1, -2, dtype=torch.float64) / d)
    turned = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2).flip(-1)


def shift_rows_matrix(table, offset, *, base=10_000.0):
    return (
        table
        @ posenc.rotation.shift_operator(offset, table.shape[1], base=float(base)).T
    )


# --- distances -----------------------------------------------------------------------


def rise_loops(d_model, *, base=10_000.0):
    def similarity(n):
        return sum(
            math.cos(n * base ** (-2 * i / d_model)) for i in range(d_model // 2)
        )

    n = 1
    while similarity(n) <= similarity(n - 1):
        n += 1
    return n


RISE = """
def rise(d_model, *, base=10_000.0):
    n = np.arange(5000)
    s = posenc.rotation.position_similarity(n, d_model, base=base)
    return np.flatnonzero(np.diff(s) > 0)[0] + 1
"""


def rise_torch(d_model, *, base=10_000.0):
    n = torch.arange(5000, dtype=torch.float64)
    s = posenc.rotation.position_similarity(n, d_model, base=base)
    return (s.diff() > 0).nonzero()[0, 0] + 1


# --- commuting -----------------------------------------------------------------------


COMMUTING = """
def commuting(matrix):
    part = np.zeros(matrix.shape)
    for i in range(0, len(matrix), 2):
        e, f = matrix[i, i : i + 2]
        g, h = matrix[i + 1, i : i + 2]
        same, turn = (e + h) / 2, (f - g) / 2
        part[i : i + 2, i : i + 2] = [[same, turn], [-turn, same]]
    return part
"""


def commuting_quarter(matrix):
    """Mean of the blocks before and after a quarter turn of all clocks."""
    clocks = np.eye(len(matrix) // 2)
    quarter = np.kron(clocks, [[0, 1], [-1, 0]])
    return (
        (matrix + quarter.T @ matrix @ quarter) / 2 * np.kron(clocks, np.ones((2, 2)))
    )


def commuting_torch(matrix):
    d = matrix.shape[0]
    blocks = [matrix[i : i + 2, i : i + 2] for i in range(0, d, 2)]
    adjugates = [torch.stack([b[1].flip(0), b[0].flip(0)]) for b in blocks]
    signs = torch.tensor([[1.0, -1.0], [-1.0, 1.0]], dtype=matrix.dtype)
    halves = zip(blocks, adjugates, strict=True)
    return torch.block_diag(*((b + signs * a) / 2 for b, a in halves))


ALIKE = {"d_model": 4, "base": 10_000, "distance": 19}

RIGHT = {
    "rotation.quarter_turn": [
        BY_HAND,
        tuple(map(tuple, BY_HAND)),
        np.asarray(BY_HAND, "float32"),
        torch.tensor(BY_HAND),
    ],
    "rotation.shift_operator": [
        made(LOOPS),
        made(BLOCKS),
        shift_torch,
        posenc.rotation.shift_operator,
    ],
    "rotation.half_shift_operator": [half_loops, made(HALF), half_torch],
    "rotation.find_offset": [made(OFFSET), offset_complex, offset_torch],
    "rotation.repair_shift": [
        made(SHIFT),
        shift_rows_loops,
        shift_rows_torch,
        shift_rows_matrix,
    ],
    "rotation.first_rise": [rise_loops, made(RISE), rise_torch],
    "rotation.find_distances": [
        [(8, 19), ALIKE],
        [[9, 19], (4, 10, 19)],
        [*np.asarray([(8, 19)]).tolist(), {**ALIKE, "distance": 12}],
    ],
    "rotation.commuting_part": [made(COMMUTING), commuting_quarter, commuting_torch],
}

WRONG = {
    "rotation.quarter_turn": [
        ([*BY_HAND[:3], [0, 0, -1, ...]], "Some entries are still dots"),
        (BY_HAND[:3], "must have shape (4, 4), got shape (3, 4)"),
        ([*BY_HAND[:3], [0, 0, -1, 1]], "row 3, column 3: 1 is not right"),
        ([*BY_HAND[:3], [0, 0, 1, 0]], "have the same sign"),
        ([*BY_HAND[:2], [0, 0, 0, -1], BY_HAND[3]], "have the same sign"),
        ("a half turn", "must be real numbers, got a str"),
    ],
    "rotation.shift_operator": [
        (made(LOOPS, ("    return ", "    return 2.0\n    return ")), "shape (4, 4)"),
        (made(LOOPS, ("T[b, a] = -", "T[b, a] = ")), "does not turn PE(3) into PE(4)"),
        (made(LOOPS, ("T[b, a] = -", "T[b, a] = ")), "have the same sign"),
        (made(LOOPS, ("T[a, b] = ", "T[a, b] = -")), "have the same sign"),
        (
            made(
                LOOPS,
                ("    return T", "    return T if offset == int(offset) else 0 * T"),
            ),
            "does not turn PE(3) into PE(5.5)",
        ),
    ],
    "rotation.half_shift_operator": [
        (made(HALF, ("[-S, C]", "[S, C]")), "does not turn PE(3) into PE(4)"),
        (made(HALF, ("[-S, C]", "[S, C]")), "have the same sign"),
        (made(HALF, ("[C, S]", "[C, -S]")), "have the same sign"),
    ],
    "rotation.find_offset": [
        (made(OFFSET, (" / theta", " / theta + 1")), "This is not the offset"),
        (
            made(OFFSET, ("np.arctan2(sin, cos)", "np.arctan(sin / cos)")),
            "arctan2 takes both",
        ),
        (
            made(OFFSET, ("np.arctan2(sin, cos)", "np.arcsin(sin)")),
            "arctan2 takes the cosine",
        ),
        (lambda first, second, *, base: first, "must have shape ()"),
    ],
    "rotation.repair_shift": [
        (
            made(
                SHIFT,
                ("np.empty_like(table)", "sines"),
                ("sines, c", "table = table.copy()\n    sines, c"),
            ),
            "shape",
        ),
        (made(SHIFT, ("np.empty_like(table)", "table")), "changes its input table"),
        (made(SHIFT, ("- sines", "+ sines")), "The sines are right now"),
        (made(SHIFT, ("+ cosines", "- cosines")), "The cosines are right now"),
        (made(SHIFT, ("cosines * cos", "cosines")), "PE(t) does not become PE(t + k)"),
    ],
    "rotation.first_rise": [
        (made(RISE, ("[0] + 1", "[0] + 3")), "not where the similarity first rises"),
        (made(RISE, ("[0] + 1", "[0] + 1.0")), "must be whole numbers"),
    ],
    "rotation.find_distances": [
        ([(8, 15), ALIKE], "twice 8 is 16"),
        ([(8, 15), ALIKE], "at least twice the near one"),
        ([(7, 16), ALIKE], "must be the more similar one"),
        ([(19, 8), ALIKE], "comes first"),
        ([(3, 6), ALIKE], "from 7 to 40"),
        ([..., ALIKE], "still to be found"),
        ([(8, 19), ...], "still to be found"),
        ([8, ALIKE], "must look like (near, far)"),
        ([(8, 19)], "a list of two things"),
        ([(8, 19), {**ALIKE, "distance": 6}], "more than 10 tokens"),
        ([(8, 19), {**ALIKE, "distance": 15}], "must be above 0.9"),
        ([(8, 19), {**ALIKE, "distance": 15}], "until the fast clock completes"),
        ([(8, 19), {**ALIKE, "d_model": 8}], "Fewer clocks are easier to fool"),
        ([(8, 19), {**ALIKE, "d_model": 6}], "d_model must be one of 4, 8"),
        ([(8, 19), {"d_model": 4}], "must look like dict("),
    ],
    "rotation.commuting_part": [
        (made(COMMUTING, ("(f - g) / 2", "f")), "not the nearest"),
        (
            made(COMMUTING, ("np.zeros(matrix.shape)", "matrix.copy()")),
            "not the nearest",
        ),
        (made(COMMUTING, ("np.zeros(matrix.shape)", "matrix")), "changes its input"),
    ],
}
