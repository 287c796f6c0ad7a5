"""Exercises 6 to 8: where the similarity rises, and what looks at distance alone."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function
from posenc.kit.exercises.widget_answers import read_setting

from .oracle import close, nearest_that_commutes, similarity


def _first_rise(d: int, base: float) -> int:
    """Return the smallest n with a larger similarity than n - 1."""
    n = 1
    while similarity(n, d, base) <= similarity(n - 1, d, base):
        n += 1
    return n


def _top(d: int, base: float) -> int:
    n = _first_rise(d, base)
    while similarity(n + 1, d, base) > similarity(n, d, base):
        n += 1
    return n


_RISE_MISTAKES: Mistakes = [
    (
        "That is the distance before: the last one on the way down. Asked is the first "
        "distance that is more similar than the one before it.",
        lambda d, base: _first_rise(d, base) - 1,
    ),
    (
        "The base is ignored, and 10,000 used instead.",
        lambda d, base: _first_rise(d, 10_000.0),
    ),
    (
        "That is the top of the first hill. Asked is where the similarity begins to "
        "rise.",
        lambda d, base: _top(d, base),
    ),
    (
        "That is where the similarity is smallest up to distance 100. It has risen "
        "before, at a nearer distance.",
        lambda d, base: int(np.argmin([similarity(n, d, base) for n in range(101)])),
    ),
]


def _show_rise(failure: Failure) -> str:
    (d,), right = failure.args, int(failure.right)
    base = failure.case.kwargs["base"]
    near = [similarity(n, d, base) / (d / 2) for n in range(right - 1, right + 1)]
    return (
        f"{failure.call}\n{failure.gives}: similarity {near[0]:.4f} at distance "
        f"{right - 1}, {near[1]:.4f} at {right}"
    )


@ask_for_function(
    "The similarity of distance r, times d / 2, is the sum of cos(theta_i * r) over "
    "all pairs. Print it for r = 0, 1, 2, … and look.",
    "Compare each value with the one before. posenc.rotation.position_similarity takes "
    "all distances at once.",
    "Count r up from 1 while similarity(r) <= similarity(r - 1); return r.",
    right=_first_rise,
    what="The result",
    problem="This is not where the similarity first rises.",
    example=_show_rise,
    mistakes=_RISE_MISTAKES,
    held=["few features and many", "any base"],
    uses=("rotation.position_similarity",),
)
def first_rise(rng: Any) -> list[Case]:
    """First distance that is more similar than the distance before it."""
    cases = [(2, 100.0), (4, 100.0), (8, 5.0), (64, 100.0), (128, 10_000.0)]
    while len(cases) < 10:
        d, base = 2 * int(rng.integers(1, 40)), float(rng.integers(5, 20_000))
        n = _first_rise(d, base)
        rise = similarity(n, d, base) - similarity(n - 1, d, base)
        fall = similarity(n - 2, d, base) - similarity(n - 1, d, base)
        if min(rise, fall) > 1e-3:  # no answer hangs on rounding
            cases.append((d, base))
    return [case(d, base=base) for d, base in cases]


_CHOICES: dict[str, tuple[int, ...]] = {
    "d_model": (4, 8, 16, 32, 64),
    "base": (10, 100, 1000, 10_000),
    "distance": tuple(range(41)),
}


@exercise(
    "First part: reset the widget and follow the curve from left to right. Between two "
    "hills there is a valley.",
    "First part: a valley for the near distance, a hill for the far one. Second "
    "part: the fastest clock must have gone round completely, and the others hardly "
    "moved, or gone round as well.",
    "First part: look at distances 9 and 19. Second part: take 4 features only; after "
    "19 tokens the fast clock has made three rounds and a little more.",
    asks_for="value",
)
def find_distances(attempt: Attempt, rng: Any) -> None:
    """Distances that break the rule "nearer is more similar", found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"The answer is a list of two things, got {attempt.kind}.")
    near, far = _read_pair(attempt, answer[0])
    values = [similarity(n, 8, 100.0) / 4 for n in (near, far)]
    shown = (
        f"Similarity {values[0]:.3f} at distance {near}, {values[1]:.3f} at distance "
        f"{far} (8 features, base 100)"
    )
    if far < 2 * near:
        attempt.reject(
            "The far distance must be at least twice the near one.",
            f"{shown}\ntwice {near} is {2 * near}",
        )
    if values[1] <= values[0]:
        attempt.reject(
            "The far distance must be the more similar one.",
            f"{shown}: {values[0] - values[1]:.3f} less",
        )
    attempt.held.append("a distance twice as far is more similar")
    setting = _read_setting(attempt, answer[1])
    d, base, distance = (setting[name] for name in _CHOICES)
    value = similarity(distance, d, float(base)) / (d / 2)
    shown = f"Your setting has the similarity {value:.3f} at distance {distance}"
    if distance <= 10:
        attempt.reject("The distance must be more than 10 tokens.", shown)
    if value <= 0.9:
        attempt.reject(f"The similarity must be above 0.9. {_advice(value, d)}", shown)
    attempt.held.append("two far positions that look almost the same")


def _advice(value: float, d: int) -> str:
    """Advise what to do about a similarity that is too low."""
    if value < -0.9:
        return "The clocks point the opposite way: about half a turn, not a whole one."
    if d > min(_CHOICES["d_model"]):
        return "Fewer clocks are easier to fool."
    return "Walk on until the fast clock completes a round."


def _read_pair(attempt: Attempt, value: Any) -> tuple[int, int]:
    if is_blank(value):
        attempt.reject("The first pair is still to be found.")
    if not isinstance(value, list) or len(value) != 2:
        attempt.reject("The first part must look like (near, far): two distances.")
    if not all(type(n) is int and 7 <= n <= 40 for n in value):
        attempt.reject("Both distances must be whole numbers from 7 to 40.")
    if value[0] >= value[1]:
        attempt.reject("The near distance comes first, and must be the smaller one.")
    return value[0], value[1]


def _read_setting(attempt: Attempt, value: Any) -> dict[str, int]:
    setting = read_setting(attempt, "The setting", value, _CHOICES)
    for name, allowed in _CHOICES.items():
        if setting[name] not in allowed:
            listed = "0 … 40" if name == "distance" else ", ".join(map(str, allowed))
            attempt.reject(f"{name} must be one of {listed}, as in the widget.")
    return {name: int(setting[name]) for name in _CHOICES}


def _blocks(matrix: Any, keep: Any) -> Any:
    """Return zeros with `keep` of the matrix's entries in each diagonal block."""
    part = np.zeros(matrix.shape)
    for i in range(0, len(matrix), 2):
        part[i : i + 2, i : i + 2] = keep(*matrix[i : i + 2, i : i + 2].ravel())
    return part


_COMMUTING_MISTAKES: Mistakes = [
    (
        "The blocks are kept as they are. A block that commutes with a turn has the "
        "same number twice on its diagonal, and two opposite ones beside it.",
        lambda matrix: _blocks(matrix, lambda e, f, g, h: [[e, f], [g, h]]),
    ),
    (
        "The diagonal alone is kept. What turns a clock stands beside it: f and -f.",
        lambda matrix: _blocks(
            matrix, lambda e, f, g, h: [[(e + h) / 2, 0], [0, (e + h) / 2]]
        ),
    ),
    (
        "The diagonal alone is kept, and as it was. What turns a clock stands beside "
        "it, and a block that commutes has the same number twice on its diagonal.",
        lambda matrix: _blocks(matrix, lambda e, f, g, h: [[e, 0], [0, h]]),
    ),
    (
        "The two entries beside the diagonal are made equal. In a block that commutes "
        "with a turn they are opposite.",
        lambda matrix: _blocks(
            matrix,
            lambda e, f, g, h: [[(e + h) / 2, (f + g) / 2], [(f + g) / 2, (e + h) / 2]],
        ),
    ),
    (
        "The turn goes the other way: what stands above the diagonal belongs below.",
        lambda matrix: nearest_that_commutes(matrix).T,
    ),
    (
        "Sums stand where means should: everything is twice too large.",
        lambda matrix: 2 * nearest_that_commutes(matrix),
    ),
    (
        "One diagonal entry of each block is taken for both. The mean is nearer.",
        lambda matrix: _blocks(
            matrix, lambda e, f, g, h: [[e, (f - g) / 2], [(g - f) / 2, e]]
        ),
    ),
]


def _show_entry(failure: Failure) -> str:
    row, column = failure.entry
    return (
        f"for a matrix of {len(failure.args[0])} rows, the entry in row {row}, column "
        f"{column}\n{failure.gives}"
    )


@ask_for_function(
    "All entries outside the 2 × 2 blocks on the diagonal become 0. Take one block at "
    "a time.",
    "A block (e, f; g, h) becomes (a, c; -c, a). Which a is nearest to both e and h? "
    "Which c is nearest to f, if -c has to be near g as well?",
    "a = (e + h) / 2 and c = (f - g) / 2.",
    right=lambda matrix: nearest_that_commutes(matrix),
    what="The matrix",
    problem="It is not the nearest matrix that commutes with the shifts.",
    example=_show_entry,
    shown=["matrix"],
    mistakes=_COMMUTING_MISTAKES,
    held=["matrices that commute stay as they are", "any number of clocks"],
    axes="(d, d)",
    close=close,
)
def commuting_part(rng: Any) -> list[Case]:
    """Nearest matrix that commutes with every shift."""
    drawn = [rng.normal(size=(d, d)).round(2) for d in (2, 4, 6, 10)]
    return [case(nearest_that_commutes(drawn[1])), *map(case, drawn)]
