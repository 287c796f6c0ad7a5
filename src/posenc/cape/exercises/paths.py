"""Exercises 1 to 3 and 5: paths of CTC, augmented positions, and probabilities."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import (
    Failure,
    ask_for_function,
    ask_for_value,
    show_entry,
)

from .oracle import FAR_APART, close, move, probability
from .oracle import swap_chance as right_chance

#: Readings of four paths, then two numbers of paths.
BY_HAND = ("go", "o", "noon", "", 6, 5)
_PATHS = ("gg–oo–", "–ooo", "n–oo–on", "–––")
_NAMES = (
    *(f"the reading of {path}" for path in _PATHS),
    "the number of paths of o in 3 frames",
    "the number of paths of oo in 4 frames",
)


def _runs_kept() -> tuple[Any, ...]:
    return (*(path.replace("–", "") for path in _PATHS), *BY_HAND[4:])


def _blanks_first() -> tuple[Any, ...]:
    return ("go", "o", "non", "", *BY_HAND[4:])


def _text(value: Any) -> Any:
    return value.strip().strip("\"'") if isinstance(value, str) else value


_MERGED = (
    "The blanks were taken away before the runs were merged. It is the other way "
    "round: a blank keeps two equal symbols apart."
)

_MISTAKES: Mistakes = [
    (
        "Only the blanks are gone. First each run of a symbol becomes one.",
        _runs_kept,
    ),
    (
        _MERGED,
        _blanks_first,
    ),
    (
        "The second number counts oo without a blank between the two: that reads o. "
        "At least one blank must part them.",
        lambda: (*BY_HAND[:5], 15),
    ),
    (
        "The numbers count paths without any blank. A frame may also name nothing.",
        lambda: (*BY_HAND[:4], 1, 0),
    ),
]


_RUNS = "A run of the same symbol is written once."
_NO_DASH = "A blank is not read: strike it out."

_SLIPS = (
    (0, "ggoo", _RUNS),
    (0, "g–o–", _NO_DASH),
    (1, "ooo", _RUNS),
    (1, "–o", _NO_DASH),
    (2, "nooon", _RUNS),
    (2, "non", _MERGED),
    (2, "no", "The path goes on after its blanks: the last symbols are read, too."),
    (3, "–", _NO_DASH),
    (4, 1, "This is the path without a blank, ooo. A frame may also name nothing."),
    (4, 3, "These are the paths in which o sounds at one frame. It may last for two or "
     "three, too."),
    (4, 7, "o–o is no path of o: the blank keeps its two o's apart, and it reads oo."),
    (5, 0, "A blank may stand between the two o's."),
    (5, 1, "This is the number for three frames. Here there are four."),
    (5, 2, "These are the paths with one blank. There are some with two, too."),
    (5, 3, "These are the paths with two blanks. A run of o may also last for two "
     "frames."),
)  # fmt: skip


def _read(attempt: Attempt, answer: Any) -> Any:
    if not isinstance(answer, list) or len(answer) != len(BY_HAND):
        attempt.reject(
            f"The answer is a list of four words and two numbers, got {attempt.kind}."
        )
    given = [_text(value) for value in answer]
    for value in given[:4]:
        if not isinstance(value, str):
            attempt.reject(
                f'The first four are words in quotes, such as "go"; got {value}.'
            )
    for value in given[4:]:
        if np.ndim(value):
            attempt.reject(f"The last two are numbers of paths; got {value!r}.")
    return np.array(given, dtype=object)


@ask_for_value(
    "Two steps, in this order: write each run of equal symbols once; then strike out "
    "the blanks.",
    "n–oo–on: the runs are n, –, oo, –, o, n. What keeps the two o's apart?",
    "o in 3 frames: one run of one, two or three o's, blanks before or after it. oo "
    "in 4 frames: two runs of o, and a blank or two between them.",
    what="The answer",
    entry="its answer",
    line=lambda i, value: f"{_NAMES[i]} is not {value!r}",
    mistakes=_MISTAKES,
    slips=_SLIPS,
    held=["all four readings", "both numbers of paths"],
    close=np.equal,
    read=_read,
)
def collapse_by_hand() -> Any:
    """Read four paths and count the paths of two words, by hand."""
    return np.array(BY_HAND, dtype=object)


_MOVE_MISTAKES: Mistakes = [
    (
        "Padding counts for the mean. The mean is that of the tokens alone, or a "
        "sequence would move when the batch gets longer.",
        lambda p, m, d, s, e: move(p, m, d, s, e, padded_mean=True),
    ),
    (
        "The mean is not subtracted.",
        lambda p, m, d, s, e: np.where(m, s[:, None] * (p + d[:, None] + e), 0.0),
    ),
    (
        "The scale comes too early: shift first, then scale, so the shift is scaled.",
        lambda p, m, d, s, e: np.where(m, move(p, m, 0 * d, s, e) + d[:, None], 0.0),
    ),
    (
        "Only the positions are scaled. The scale is for everything: position, shift "
        "and jitter.",
        lambda p, m, d, s, e: np.where(
            m, move(p, m, 0 * d, s, 0 * e) + d[:, None] + e, 0.0
        ),
    ),
    (
        "Padding does not come back as 0.",
        lambda p, m, d, s, e: _unmasked(p, m, d, s, e),
    ),
    (
        "The mask is ignored: padding counts for the mean, and does not come back as "
        "0.",
        lambda p, m, d, s, e: _unmasked(p, m | True, d, s, e),
    ),
    (
        "The shift is missing.",
        lambda p, m, d, s, e: move(p, m, 0 * d, s, e),
    ),
    (
        "The jitter is missing.",
        lambda p, m, d, s, e: move(p, m, d, s, 0 * e),
    ),
    (
        "All tokens get the jitter of the first: each has one of its own.",
        lambda p, m, d, s, e: move(p, m, d, s, e[:, :1] + 0 * e),
    ),
]


def _unmasked(p: Any, m: Any, d: Any, s: Any, e: Any) -> Any:
    mean = np.asarray([row[own].mean() for row, own in zip(p, m, strict=True)])
    return s[:, None] * (p - mean[:, None] + d[:, None] + e)


def _example(failure: Failure) -> str:
    b, j = failure.entry
    got, right = failure.received[b, j], failure.right[b, j]
    return (
        f"{failure.call}\nsequence {b}, token {j}: gives {got:g}, should be {right:g}"
    )


def _two_tokens(rng: Any) -> Case:
    plain = np.asarray([[0.0, 1.0]]), np.asarray([[True, True]])
    noise = np.asarray([0.5]), np.asarray([2.0]), np.asarray([[0.25, -0.25]])
    return case(*plain, *noise)


@ask_for_function(
    "The mean of the tokens: (positions * mask).sum(-1, keepdims=True) divided by "
    "mask.sum(-1, keepdims=True).",
    "shift and scale have one number per sequence: shift[:, None] fits beside "
    "positions of shape (batch, seq_len).",
    "scale[:, None] * (positions - mean + shift[:, None] + jitter), and at last "
    "np.where(mask, …, 0).",
    right=move,
    what="The result",
    problem="A position is not the right one.",
    mistakes=_MOVE_MISTAKES,
    held=["one sequence", "padding", "a batch with draws of its own"],
    example=_example,
    close=close,
    first=_two_tokens,
)
def move_positions(rng: Any) -> Any:
    """Center, shift, jitter and scale a batch of sequences, given the draws."""
    cases = []
    for rows, length, padded in ((1, 2, 0), (1, 3, 1), (2, 4, 2), (3, 7, 3)):
        lengths = length - rng.integers(0, padded + 1, size=rows)
        lengths[0] = length - padded
        arguments = (
            np.cumsum(rng.uniform(0.5, 1.5, size=(rows, length)), axis=1).round(2),
            np.arange(length) < lengths[:, None],
            rng.uniform(-3, 3, size=rows).round(2),
            rng.uniform(0.5, 2, size=rows).round(2),
            rng.uniform(-0.5, 0.5, size=(rows, length)).round(2),
        )
        cases.append(arguments)
    far, draw = np.asarray([FAR_APART]), np.asarray([1.5])
    return [*cases, (far, far < 1e6, draw, draw, 0 * far)]


_CHANCE_MISTAKES: Mistakes = [
    (
        "Up to half a step no pair can swap: the chance is 0 there.",
        lambda s, m: 0.5 * (1 - s / (2 * m)) ** 2,
    ),
    (
        "This is the chance that the jitters differ by more than a step, in either "
        "direction. Only the corner where the left jitter is the larger one is a swap.",
        lambda s, m: 2 * right_chance(s, m),
    ),
    (
        "The difference of two uniform numbers is not uniform: small differences are "
        "more likely than large ones.",
        lambda s, m: max(0.0, (2 * m - s) / (4 * m)),
    ),
    (
        "Jitters go both ways, from -max_jitter to max_jitter: their difference "
        "reaches 2 max_jitter.",
        lambda s, m: right_chance(2 * s, m),
    ),
]


def _chance_close(received: Any, right: Any) -> Any:
    return np.isclose(received, right, rtol=1e-5, atol=1e-9)


@ask_for_function(
    "Neighbors swap if the left one's jitter exceeds the right one's by more than the "
    "step. Draw the square of all pairs of jitters: where is that the case?",
    "In a corner: a triangle whose legs are 2 max_jitter - step long. Its area over "
    "that of the square is the chance.",
    "legs = max(0, 2 * max_jitter - step); the chance is legs**2 / 2 / "
    "(2 * max_jitter)**2.",
    right=right_chance,
    what="The chance",
    problem="This is not the chance of a swap.",
    mistakes=_CHANCE_MISTAKES,
    held=["jitters beyond half a step", "0 up to half a step"],
    close=_chance_close,
)
def swap_chance(rng: Any) -> Any:
    """Chance that the jitters of two neighbors exchange them."""
    steps, jitters = rng.uniform(0.2, 3, 6).round(2), rng.uniform(0.1, 3, 6).round(2)
    drawn = zip(steps.tolist(), jitters.tolist(), strict=True)
    return [(1.0, 1.0), (1.0, 0.5), (1.0, 0.25), (2.0, 1.5), *drawn]


_SHORT = 6  # frames: few enough to try all paths
_LONG = 40  # 3 to the power of 40 paths


def _lattice(
    chances: Any, target: Any, *, jump: Any, start: int = 2, end: int = 2
) -> Any:
    """Sum over the paths of a lattice, with rules of its own."""
    blank = np.shape(chances)[1] - 1
    states = [blank]
    for symbol in target:
        states += [int(symbol), blank]
    reached = np.zeros(len(states))
    reached[:start] = [chances[0][s] for s in states[:start]]
    for row in chances[1:]:
        before, reached = reached, np.zeros(len(states))
        for s, symbol in enumerate(states):
            total = before[s] + (before[s - 1] if s else 0)
            if s > 1 and jump(symbol, states[s - 2], blank):
                total += before[s - 2]
            reached[s] = total * row[symbol]
    return float(reached[-end:].sum())


def _right_jump(symbol: int, two_before: int, blank: int) -> bool:
    return symbol not in (blank, two_before)


_CTC_MISTAKES: Mistakes = [
    (
        "Equal neighbors of the target are taken without a blank between them. Such a "
        "path reads the symbol once.",
        lambda c, y: _lattice(c, y, jump=lambda s, _, b: s != b),
    ),
    (
        "Every two symbols have a blank between them here. Different symbols need "
        "none.",
        lambda c, y: _lattice(c, y, jump=lambda *_: False),
    ),
    (
        "A path may begin with a blank, too.",
        lambda c, y: (
            _lattice(c[:, :], y, jump=_right_jump)
            - _lattice(np.vstack([_only_blank(c[:1]), c[1:]]), y, jump=_right_jump)
        ),
    ),
    (
        "A path may end with a blank, or with the last symbol: the two are added.",
        lambda c, y: _lattice(c, y, jump=_right_jump, end=1),
    ),
]


def _only_blank(row: Any) -> Any:
    row = np.array(row, dtype=float)
    row[:, :-1] = 0
    return row


def _right(chances: Any, target: Any) -> float:
    if len(chances) <= _SHORT:
        return probability(chances, target)
    return _lattice(chances, target, jump=_right_jump)


def _close(received: Any, right: Any) -> Any:
    return np.isclose(received, right, rtol=1e-6, atol=1e-15)


def _problem(failure: Failure) -> str:
    if len(failure.args[0]) == _LONG:
        return "For many frames the sum is not right."
    return "This is not the sum over all paths of the target."


def _chance_example(failure: Failure) -> str:
    chances, target = failure.args
    if len(chances) == _LONG:
        return f"{_LONG} frames, target {target}: {failure.gives}"
    return show_entry(failure)


@ask_for_function(
    "Try all paths first: itertools.product(range(num_symbols), repeat=num_frames), "
    "keep those that collapse to the target, and add up their products.",
    "For many frames, go from left to right. Keep one number for each state of "
    "blank, y1, blank, y2, …, blank: the sum over all paths that are there now.",
    "A state gets its own number, that of the state before, and, if it is a symbol "
    "that differs from the one two states before, that number, too; all times the "
    "chance of its symbol. The answer is the sum of the last two states.",
    right=_right,
    what="The probability",
    problem=_problem,
    mistakes=_CTC_MISTAKES,
    held=["equal neighbors"],
    example=_chance_example,
    close=_close,
    stepwise=True,
)
def ctc_probability(rng: Any) -> Any:
    """Probability of a target: the sum over all paths that collapse to it."""
    short = [(np.asarray([[0.5, 0.5], [0.25, 0.75]]), [0])]
    targets = [[0, 1], [1], [0, 0], [1, 0, 1], [0, 1, 1]]
    for frames, target in zip((3, 4, 4, 6, 6), targets, strict=True):
        short.append((rng.dirichlet(np.ones(3), size=frames).round(3), target))
    long = (rng.dirichlet(np.ones(3), size=_LONG), [0, 1, 1, 0, 1])
    return {
        "all paths of short sentences": short,
        f"{_LONG} frames, in good time": [long],
    }
