"""Exercise 3: the probability that CTC gives a word."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function, show_entry

from .oracle import probability

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


_MISTAKES: Mistakes = [
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


def _example(failure: Failure) -> str:
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
    mistakes=_MISTAKES,
    held=["equal neighbors"],
    example=_example,
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
