"""Exercises 1 to 5: turns by hand and in code, and what becomes of the scores."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown
from posenc.kit.exercises.mistakes import Mistakes, name_mistake
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_function, ask_for_value

from .oracle import (
    BASE_IGNORED,
    DOUBLED,
    FAR_APART,
    HALF,
    MIXED,
    OPPOSITE,
    POSITIONS_IGNORED,
    close,
    mix_layouts,
    turn,
)

_HAND = (((3, 1), 1), ((2, -1), 2), ((0, 4), -1), ((1, 5), 3))  # quarter turns


def _quarters(sign: int) -> list[int]:
    coordinates = []
    for (x, y), turns in _HAND:
        z = complex(x, y) * 1j ** (sign * turns)
        coordinates += [round(z.real), round(z.imag)]
    return coordinates


_HAND_MISTAKES: Mistakes = [
    (OPPOSITE, _quarters(-1)),
    (
        "Every vector is turned by a quarter. Look at the angle of each.",
        [c for (x, y), _ in _HAND for c in (-y, x)],
    ),
    (
        "The two coordinates are swapped: first the real part, then the imaginary.",
        [_quarters(1)[i ^ 1] for i in range(8)],
    ),
    ("These are the vectors as they were.", [c for v, _ in _HAND for c in v]),
    (
        "The coordinates change places, but none changes its sign: that mirrors a "
        "vector, and turns it by no angle.",
        [c for (x, y), t in _HAND for c in ((y, x) if t % 2 else (x, y))],
    ),
]
_WRONG_WAY = (
    "A turn by minus 90 degrees goes clockwise: (1, 0) goes to (0, -1), not to (0, 1)."
)
_ONE_QUARTER = "270 degrees are three quarters, not one."


def _hand_line(i: int, number: int) -> str:
    (x, y), turns = _HAND[i // 2]
    return (
        f"vector ({x}, {y}), turned by {90 * turns}°: its {'xy'[i % 2]} is not {number}"
    )


@ask_for_value(
    "A quarter turn counterclockwise is a multiplication by i. What is i times x + iy?",
    "i (x + iy) = ix - y, so (x, y) goes to (-y, x). Half a turn is that twice.",
    "A quarter turn backward is a multiplication by -i: (x, y) goes to (y, -x). Three "
    "quarters forward do the same.",
    what="The list of coordinates",
    entry="a number",
    line=_hand_line,
    mistakes=_HAND_MISTAKES,
    slips=[
        (2, 2, "Half a turn changes the sign of both coordinates."),
        (4, -4, _WRONG_WAY),
        (6, -5, _ONE_QUARTER),
        (7, 1, _ONE_QUARTER),
    ],
    held=["all four vectors"],
)
def turn_by_hand() -> list[int]:
    """Four vectors turned by multiples of 90 degrees, by hand."""
    return _quarters(1)


def _same(received: Any, right: Any) -> bool:
    return bool(close(received, right).all())


_TURN_MISTAKES: Mistakes = [
    (OPPOSITE, lambda x, p, base: turn(x, p, base, sign=-1)),
    (HALF, lambda x, p, base: turn(x, p, base, half=True)),
    (
        "It turns clockwise, and in half-split pairs (feature i and i + d/2). Here "
        "neighbors are pairs, and turn counterclockwise.",
        lambda x, p, base: turn(x, p, base, half=True, sign=-1),
    ),
    (
        MIXED.format(
            "neighbors are paired (2i and 2i + 1), but the angles are written twice, "
            "one half after the other, as for half-split pairs"
        ),
        lambda x, p, base: mix_layouts(x, p, base),
    ),
    (
        MIXED.format(
            "features are paired as halves (i and i + d/2), but each angle stands "
            "twice in a row, as for neighbors"
        ),
        lambda x, p, base: mix_layouts(x, p, base, half=True),
    ),
    (
        "Positions are counted from 1: each token is turned one position too far.",
        lambda x, p, base: turn(x, np.asarray(p) + 1, base),
    ),
    (
        "Each token is turned one position too little.",
        lambda x, p, base: turn(x, np.asarray(p) - 1, base),
    ),
    (
        "The planes are counted from 1: the first one has the speed of the second. "
        "Plane 0 turns by 1 radian for each token.",
        lambda x, p, base: turn(x, p, base, first=1),
    ),
    (
        "The angles are converted to degrees, but np.cos and np.sin take radians.",
        lambda x, p, base: turn(x, p, base, unit=180 / math.pi),
    ),
    (
        "The angles are taken for degrees and converted. They are radians already.",
        lambda x, p, base: turn(x, p, base, unit=math.pi / 180),
    ),
    (
        "base is ignored, and 500,000 used instead.",
        lambda x, p, base: turn(x, p, 500_000.0),
    ),
    (DOUBLED, lambda x, p, base: turn(x, p, base, exponent=-4)),
    (
        "The exponent is halved: it is -2i/d for plane i. (It is -i/d if i goes in "
        "steps of two.)",
        lambda x, p, base: turn(x, p, base, exponent=-1),
    ),
    (
        "Every pair is turned as it should be, but they are put back as halves: first "
        "all real parts, then all imaginary ones. Both belong where they came from.",
        lambda x, p, base: _joined(turn(x, p, base)),
    ),
    (BASE_IGNORED, lambda x, p, base: turn(x, p)),
    (POSITIONS_IGNORED, lambda x, p, base: turn(x, range(len(p)), base)),
    (
        "The second line uses the features that the first one has already replaced. "
        "Compute both from the old values.",
        lambda x, p, base: _overwritten(x, p, base),
    ),
]


def _joined(x: Any) -> Any:
    return np.concatenate([x[:, 0::2], x[:, 1::2]], axis=1)


def _overwritten(x: Any, p: Any, base: float) -> Any:
    out = turn(x, p, base)
    d = x.shape[1]
    for row, i in np.ndindex(len(x), d // 2):
        angle = p[row] * base ** (-2 * i / d)
        first, second = out[row, 2 * i], x[row, 2 * i + 1]
        out[row, 2 * i + 1] = first * np.sin(angle) + second * np.cos(angle)
    return out


@exercise(
    "First the angles: positions down, planes across. Plane i turns by "
    "position * base ** (-2 * i / d).",
    "x[:, 0::2] are the real parts of all planes, x[:, 1::2] the imaginary ones, both "
    "of shape (L, d / 2), like the angles.",
    "New real parts: real * cos - imaginary * sin. New imaginary parts: real * sin + "
    "imaginary * cos. Put them back to where they came from in an empty array.",
    mistakes=_TURN_MISTAKES,
)
def apply_rotary(attempt: Attempt, rng: Any) -> None:
    """Turn queries or keys at their positions, with neighbors as pairs."""
    cases = [
        (np.asarray([0]), 2, 10_000.0),
        (np.asarray([1]), 2, 10_000.0),
        (np.asarray([1]), 4, 10_000.0),
        (np.asarray([0, 1, 2]), 4, 100.0),
        (np.asarray([5, 2, 40, 7]), 8, 500.0),
        (rng.integers(0, 100, size=6), 16, 10_000.0),
        *((np.asarray(p), d, 10_000.0) for p, d in FAR_APART),
    ]
    received: list[tuple[tuple[Any, ...], Any]] = []
    for number, (p, d, base) in enumerate(cases):
        x = np.round(rng.normal(size=(len(p), d)), 2)
        if number:
            answer = attempt.ask(x, p, base=base)
        else:
            answer = attempt.choose_style(("numpy", "torch"), x, p, base=base)
        rows = attempt.read_like(answer, turn(x, p, base), "The result")
        received.append(((x, p, base), rows))
    if all(_same(rows[p == 0], x[p == 0]) for (x, p, _), rows in received):
        attempt.held.append("position 0 turns nothing")
    norms = [
        (np.linalg.norm(a[0], axis=1), np.linalg.norm(b, axis=1)) for a, b in received
    ]
    if all(_same(*pair) for pair in norms):
        attempt.held.append("lengths are kept")
    for (x, p, base), rows in received:
        right = turn(x, p, base)
        if not _same(rows, right):
            row = int(np.argwhere(~close(rows, right))[0, 0])
            attempt.reject(
                f"A token at position {p[row]} is not turned as it should be.",
                f"{attempt.call_text(Shown('x'), p, base=base)}[{row}]\n"
                f"of {x[row]}\ngives {np.round(rows[row], 3)}\n"
                f"should be {np.round(right[row], 3)}",
                name_mistake(received, _TURN_MISTAKES, _same),
            )
    attempt.held.append("every plane at its own speed")


_STATEMENTS = (
    (True, "Only differences of positions count, and these stay."),
    (False, "Doubling the positions doubles the differences, too."),
    (
        False,
        "Mirrored positions reverse the sign of every difference, and "
        "cos(a - b) is not cos(a + b).",
    ),
    (
        True,
        "Mirrored and conjugated, the whole product becomes its own conjugate, and "
        "that has the same real part.",
    ),
    (True, "Both are turned by the same angle, so the angle between them stays."),
    (False, "Times i turns the queries alone: the angle to every key changes."),
    (True, "The score has one factor from each, and 2 times 1/2 is 1."),
)


@exercise(
    "The score is the real part of a sum of q times the conjugate of k times "
    "e^(i (m - n) theta). What does each change do to these three factors?",
    "The conjugate of a product is the product of the conjugates, and a number and its "
    "conjugate have the same real part.",
    "Four of the seven leave every score as it is.",
    asks_for="value",
)
def which_stay(attempt: Attempt, rng: Any) -> None:
    """Seven changes of queries, keys and positions: which leave all scores."""
    words = "you say that it changes some", "you say that it leaves every score"
    _judge(attempt, _STATEMENTS, words)
    attempt.held.append("all seven changes")


def _judge(
    attempt: Attempt, statements: tuple[tuple[bool, str], ...], words: tuple[str, str]
) -> None:
    """Reject unless each entry is True or False as its statement is."""
    answer = attempt.ask_for_list()
    count = len(statements)
    if not isinstance(answer, list) or len(answer) != count:
        attempt.reject(f"A list of {count} entries is wanted, got {attempt.kind}.")
    if not all(isinstance(entry, bool | np.bool_) for entry in answer):
        attempt.reject("Each entry must be True or False.")
    wrong = [i for i in range(count) if bool(answer[i]) != statements[i][0]]
    if wrong:
        letters = ", ".join("abcdefg"[i] for i in wrong)
        lines = [f"{'abcdefg'[i]}: {words[bool(answer[i])]}" for i in wrong]
        reasons = tuple(f"({'abcdefg'[i]}) {statements[i][1]}" for i in wrong)
        attempt.reject(f"Not right: {letters}.", "\n".join(lines), reasons)


def _waves(q: Any, k: Any, *, conjugate: bool = True, sign: int = 1) -> Any:
    """Return all planes' coefficients of cosine and sine, from complex numbers."""
    planes = []
    for i in range(0, len(q), 2):
        other = complex(k[i], -k[i + 1] if conjugate else k[i + 1])
        product = complex(q[i], q[i + 1]) * other
        planes.append((product.real, sign * product.imag))
    return np.asarray(planes).T


def _halves(q: Any, k: Any) -> Any:
    h = len(q) // 2
    q, k = (np.stack([x[:h], x[h:]], axis=1).ravel() for x in (q, k))
    return _waves(q, k)


def _length_and_angle(q: Any, k: Any) -> Any:
    alpha, beta = _waves(q, k)
    return np.stack([np.hypot(alpha, beta), np.arctan2(beta, alpha)])


_UNCONJUGATED = (
    "The key turns the wrong way, or is not conjugated: angles add up instead of being "
    "subtracted. At r = 0 the score must be the dot product."
)
_WAVE_MISTAKES: Mistakes = [
    (
        "The sign of beta is reversed. These are the waves in m - n; here r is n - m.",
        lambda q, k: _waves(q, k, sign=-1),
    ),
    (_UNCONJUGATED, lambda q, k: _waves(q, k, conjugate=False)),
    (_UNCONJUGATED, lambda q, k: _waves(q, k, conjugate=False, sign=-1)),
    (
        "The rows have changed places: first the coefficients of the cosines.",
        lambda q, k: _waves(q, k)[::-1],
    ),
    (
        "The rows have changed places, and the sign of beta is reversed.",
        lambda q, k: _waves(q, k, sign=-1)[::-1],
    ),
    (
        "Rows and columns are exchanged: the first row is alpha, the second beta.",
        lambda q, k: _waves(q, k).T,
    ),
    (
        "These are half-split pairs, features i and i + d/2. Here neighbors are a "
        "pair: 2i and 2i + 1.",
        _halves,
    ),
    (
        "Both are summed over the planes. Each plane has a speed of its own, so it "
        "keeps its own two waves.",
        lambda q, k: _waves(q, k).sum(axis=1),
    ),
    (
        "The sines are missing: beta is zero. Then keys before and after the query "
        "would have the same score.",
        lambda q, k: _waves(q, k) * [[1], [0]],
    ),
    (
        "These are the length and the angle of each plane's wave. Write it as a cosine "
        "and a sine, each with its coefficient.",
        _length_and_angle,
    ),
    (
        "A complex number holds both at once: of q times the conjugate of k, alpha is "
        "the real part and beta the imaginary part.",
        lambda q, k: (q[0::2] + 1j * q[1::2]) * (k[0::2] - 1j * k[1::2]),
    ),
]


@ask_for_function(
    "Only the difference of positions counts. So the query may stay as it is, and the "
    "key of each plane is turned by r theta.",
    "Turned, the key (k_x, k_y) is (k_x cos - k_y sin, k_x sin + k_y cos). Take its "
    "dot product with (q_x, q_y), and sort by cos and sin.",
    "alpha = q_x k_x + q_y k_y and beta = q_y k_x - q_x k_y. Features 0, 2, 4, … are "
    "the x, features 1, 3, 5, … the y of the planes.",
    right=_waves,
    what="The result",
    problem="A coefficient is wrong.",
    mistakes=_WAVE_MISTAKES,
    properties=[
        (
            "the dot product at r = 0",
            lambda rows, q, k: close(rows[0].sum(), np.dot(q, k)),
        )
    ],
    held=["keys before and after the query"],
    axes="(2, d / 2)",
    close=close,
)
def score_of_offset(rng: Any) -> Any:
    """Waves in the relative position whose sum is the score of a query and a key."""
    cases = [(np.asarray([1.0, 2.0]), np.asarray([3.0, -1.0]))]
    for d in (2, 4, 6, 16):
        cases.append(tuple(np.round(rng.normal(size=(2, d)), 1)))
    return cases


_CONTENTS = (
    (
        True,
        "Turned by any angle, two independent normal numbers with mean 0 and one "
        "variance are such numbers again. Planes do not mix, so theirs may differ.",
    ),
    (True, "It is enough that the key, turned by any angle, is drawn as before."),
    (
        False,
        "At distance 0 the score is the squared length of q. Farther on it is the real "
        "part of a sum of arrows that have turned away.",
    ),
    (
        True,
        "An angle that is drawn evenly from the circle is drawn evenly after any turn.",
    ),
    (
        False,
        "The corners of a square, turned by 45 degrees, are no longer its corners: "
        "take q = (1, 0). Mean and variance stay, the distribution does not.",
    ),
    (False, "The mean of the keys points somewhere, and it turns with the distance."),
    (
        False,
        "A turn by 50 places is undone at one distance and at no other: the score is "
        "the squared length of q there.",
    ),
)


@exercise(
    "The score at one more token is that of the same query and the key, turned once. "
    "Is a turned key drawn like one that is not turned?",
    "It need not have all directions of the whole space alike. It is enough if every "
    "plane has all its directions alike, whatever the other planes do.",
    "Three of the seven have the same distribution at every distance.",
    asks_for="value",
)
def same_spread(attempt: Attempt, rng: Any) -> None:
    """Seven ways to draw a query and a key: where distance leaves the distribution."""
    words = "you say that distance changes it", "you say that it stays the same"
    _judge(attempt, _CONTENTS, words)
    attempt.held.append("all seven ways to draw")
