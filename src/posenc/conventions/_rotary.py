"""Kind of rotary embedding of a function, read off its matrices.

A rotary embedding turns the features of a token at position p by a matrix R(p). Given
unit vectors, the function returns the columns of R(p). The pairs of features, and the
direction and speed of each, follow from them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from posenc.kit.exercises.attempt import Attempt, WrongError
from posenc.kit.exercises.values import half_precision

from ._report import Identification, Status
from ._rotary_words import TOLERANCE, Turns, describe
from ._rounding import rounded_turns

SIGNATURE = "apply_rotary(x, positions), or apply_rotary(x) for positions 0, 1, 2, …"

#: Numbers of features that are tried, until the function takes one.
_HEAD_DIMS = (16, 64, 128, 32, 8)
_SMALL = 1e-7  # limit of zero; the slowest pairs turn by about 1e-6
_FAR = 20
#: Past what eight bits hold, with and without a sign, and a usual clip.
_FAR_AWAY = (100, 127, 128, 255, 256, 511)


@dataclass
class _Function:
    """Function, with the way in which it is called."""

    ask: Callable[..., Any]
    head_dim: int
    takes_positions: bool
    axes: int  # of x: (…, tokens, features)

    def turn(self, x: Any, positions: Any) -> Any:
        """Call it on rows `x` at the given positions."""
        positions = np.asarray(positions)
        rows = x
        if not self.takes_positions:  # row p of a longer sequence stands at position p
            rows = np.zeros((max(_FAR, int(positions.max())) + 1, x.shape[1]))
            rows[positions] = x
        shaped = rows.reshape((1,) * (self.axes - 2) + rows.shape).copy()
        args = (shaped, positions.copy()) if self.takes_positions else (shaped,)
        try:
            out = np.asarray(self.ask(*args))
        except ValueError:  # rows of different lengths
            out = np.empty(0, dtype=object)
        if out.dtype.kind not in "iuf" or out.shape != shaped.shape:
            msg = (
                f"It must return an array of the shape of x, {shaped.shape}, got "
                f"shape {out.shape}."
            )
            raise WrongError(msg, "f(x, positions)" if self.takes_positions else "f(x)")
        out = out.astype(np.float64).reshape(rows.shape)
        return out if self.takes_positions else out[positions]

    def matrix(self, position: int) -> Any:
        """Return R(position), whose columns are the images of the unit vectors."""
        unit = np.eye(self.head_dim)
        if self.takes_positions:
            return self.turn(unit, [position] * self.head_dim).T
        return np.stack([self.turn(row[None], [position])[0] for row in unit], axis=1)


def identify_rotary(name: str, attempt: Attempt, rng: Any) -> Identification:
    """Describe a rotary embedding, or the reason why it is none."""
    function = find_call(attempt)
    half, _ = half_precision(attempt.kind)
    if half:
        problem = (
            f"Unknown: its result is in {half}, which is too coarse to tell by how "
            "much each pair turns. Let it return float32."
        )
        return Identification(name, "unclear", problem=problem)
    try:
        turns = read_turns(function)
        verify(function, turns, rng)
        note = verify_far_away(function, turns, rng)
    except NotRotaryError as error:
        problem, example = error.args
        return Identification(name, "unclear", problem=problem, example=example)
    findings, use = describe(turns, function.head_dim)
    ours = all(finding.is_ours for finding in findings)
    status: Status = "same" if ours else "other"
    notes = (note,) if note else ()
    return Identification(name, status, findings, use=use, notes=notes)


class NotRotaryError(Exception):
    """An error with the problem of a function that is no rotary embedding."""


def _reject(problem: str, example: str = "") -> NoReturn:
    raise NotRotaryError(problem, example)


def find_call(attempt: Attempt, head_dims: tuple[int, ...] = _HEAD_DIMS) -> _Function:
    """Try sizes and shapes until the function accepts one; else raise an error."""
    first: WrongError | None = None
    for takes_positions in (True, False):
        for axes in (2, 4, 3):
            for head_dim in head_dims:

                def ask(*args: Any) -> Any:
                    return attempt.choose_style(("numpy", "torch"), *args)

                trial = _Function(ask, head_dim, takes_positions, axes)
                try:
                    x = np.linspace(-1, 1, 3 * head_dim).reshape(3, head_dim)
                    trial.turn(x, [0, 1, 2])
                except WrongError as error:
                    first = first or error
                    if "still running" in error.problem:
                        raise
                    continue
                trial.ask = attempt.ask
                return trial
    raise first or WrongError("It could not be called.")


def read_turns(function: _Function) -> Turns:
    """Read the turns off the matrices; raise unless they turn pairs of features."""
    at = {p: function.matrix(p) for p in (0, 1, 2, _FAR)}
    d = function.head_dim
    if all(np.allclose(matrix, at[0], atol=_SMALL) for matrix in at.values()):
        _reject("It turns nothing: all positions give the same.")
    partner: dict[int, int] = {}
    for a in range(d):
        met = {
            int(b)
            for matrix in at.values()
            for b in np.flatnonzero(np.abs(matrix[:, a]) > _SMALL)
            if b != a
        }
        if len(met) > 1:
            _reject(
                "It does not turn pairs of features.",
                f"feature {a} goes into the features {sorted({a, *met})}",
            )
        if met:
            partner[a] = met.pop()
    pairs = sorted((a, b) for a, b in partner.items() if a < b)
    for a, b in pairs:
        if partner.get(b) != a:
            _reject(
                "It does not turn pairs of features.",
                f"feature {a} goes into feature {b}, but not the other way round",
            )
        for p, matrix in at.items():
            block = matrix[np.ix_((a, b), (a, b))]
            if not (
                np.isclose(block[0, 0], block[1, 1], atol=TOLERANCE)
                and np.isclose(block[0, 1], -block[1, 0], atol=TOLERANCE)
            ):
                _reject(
                    _no_turn(at[1], pairs, d),
                    f"position {p}: features {a} and {b} are multiplied by "
                    f"{np.round(block, 4).tolist()},\nnot by "
                    "[[cos, -sin], [sin, cos]] of one angle",
                )
    z = {
        p: np.asarray([m[a, a] + 1j * m[b, a] for a, b in pairs]) for p, m in at.items()
    }
    still = [a for a in range(d) if a not in partner]
    rounded = rounded_turns({p: z[p] for p in (1, 2, _FAR)})
    if rounded and np.allclose(z[0], 1.0, atol=_SMALL):
        words, base, turn = rounded
        exponents = np.arange(len(pairs)) / len(pairs)
        theta = np.copysign(abs(base) ** -exponents, base)
        same = np.ones(len(pairs))
        return Turns(pairs, theta, 0 * same, same, 0 * same, still, words, turn)
    size = {p: np.log(np.abs(z[p])) for p in at}
    growth = (size[_FAR] - size[0]) / _FAR
    if not np.allclose(size[2] - size[0], 2 * growth, atol=TOLERANCE) or (
        np.allclose(growth, 0.0, atol=TOLERANCE / _FAR) and np.ptp(size[0]) > TOLERANCE
    ):
        _reject(
            "It turns pairs of features, but also changes their lengths, in no way "
            "that is known here.",
            "\n".join(f"factors at position {p}: {_some(np.exp(size[p]))}" for p in at),
        )
    if np.allclose(growth, 0.0, atol=TOLERANCE / _FAR):
        growth = np.zeros(len(pairs))
    theta = np.angle(z[1] / z[0])
    return Turns(pairs, theta, np.angle(z[0]), np.exp(size[0]), growth, still)


def _no_turn(matrix: Any, pairs: list[tuple[int, int]], d: int) -> str:
    """Name the defect of mixed layouts, where it is one."""
    half = d // 2
    if pairs and all(b == a + half for a, b in pairs):
        pair_of = [np.arccos(np.clip(matrix[a, a], -1, 1)) for a in range(d)]
        if np.allclose(pair_of[0::2], pair_of[1::2], atol=1e-3):
            return (
                "It is no rotation, since it mixes two layouts: the features are "
                "paired as halves (i and i + D/2), but the angles are laid out for "
                "neighbors (2i and 2i + 1 share one)."
            )
    if pairs and all(b == a + 1 for a, b in pairs):
        pair_of = [np.arccos(np.clip(matrix[a, a], -1, 1)) for a in range(d)]
        if np.allclose(pair_of[:half], pair_of[half:], atol=1e-3):
            return (
                "It is no rotation, since it mixes two layouts: neighbors are paired "
                "(2i and 2i + 1), but the angles are laid out for halves (i and "
                "i + D/2 share one)."
            )
    return "It mixes pairs of features, but does not rotate them."


def verify(function: _Function, turns: Turns, rng: Any) -> None:
    """Compare with a rotation by these angles, on random rows."""
    positions = np.unique(rng.integers(3, _FAR, size=6))
    difference = _first_difference(function, turns, rng, positions)
    if difference:
        _reject(
            "It turns unit vectors like a rotary embedding, but not other vectors, or "
            "not by an angle that grows evenly with the position.",
            difference,
        )


def verify_far_away(function: _Function, turns: Turns, rng: Any) -> str:
    """Verify the turns at large positions; return positions that were not compared."""
    if turns.growth.any():  # factors may be counted from the middle of the text
        return f"Positions from {_FAR + 1} on were not compared."
    for position in _FAR_AWAY:
        try:
            difference = _first_difference(function, turns, rng, np.asarray([position]))
        except WrongError as error:  # tables end somewhere
            return f"Positions from {position} on were not compared. {error.problem}"
        if difference:
            _reject(
                f"It turns evenly up to position {_FAR}, but not far away: it may clip "
                "positions, hold them in a small type, or change its frequencies "
                "there.",
                difference,
            )
    return ""


def _first_difference(
    function: _Function, turns: Turns, rng: Any, positions: Any
) -> str:
    """Return where random rows are not rotated by these angles; empty if nowhere."""
    x = rng.normal(size=(len(positions), function.head_dim)).round(2)
    got, expected = function.turn(x, positions), x.copy()
    for (a, b), theta, start, size, growth in zip(
        *(turns.pairs, turns.theta, turns.start, turns.size, turns.growth), strict=True
    ):
        turn = np.exp(growth * positions) * turns.turn(start + positions * theta)
        z = (x[:, a] + 1j * x[:, b]) * (size * turn)
        expected[:, a], expected[:, b] = z.real, z.imag
    # Angles were read in float32: their error grows with the position.
    tolerance = 20 * TOLERANCE + 1e-6 * positions[:, None]
    wrong = np.argwhere(
        ~(np.abs(got - expected) <= tolerance * np.maximum(np.abs(expected), 1))
    )
    if not wrong.size:
        return ""
    row, feature = wrong[0].tolist()
    return (
        f"position {positions[row]}, feature {feature}: gives "
        f"{got[row, feature]:.4g}, a rotation {expected[row, feature]:.4g}"
    )


def _some(values: Any) -> str:
    return ", ".join(f"{v:.4g}" for v in values[:4]) + (
        ", …" if len(values) > 4 else ""
    )
