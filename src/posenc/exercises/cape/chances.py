"""Exercise 3: the probability that CTC gives a word."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, name_mistake
from .._registry import exercise
from .oracle import probability

_LONG = 40  # frames: 3 to the power of 40 paths


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


def _same(received: float, mistaken: float) -> bool:
    return bool(np.isclose(received, mistaken, rtol=1e-6, atol=1e-15))


@exercise(
    "Try all paths first: itertools.product(range(num_symbols), repeat=num_frames), "
    "keep those that collapse to the target, and add up their products.",
    "For many frames, go from left to right. Keep one number for each state of "
    "blank, y1, blank, y2, …, blank: the sum over all paths that are there now.",
    "A state gets its own number, that of the state before, and, if it is a symbol "
    "that differs from the one two states before, that number, too; all times the "
    "chance of its symbol. The answer is the sum of the last two states.",
)
def ctc_probability(attempt: Attempt, rng: Any) -> None:
    """Probability of a target: the sum over all paths that collapse to it."""
    first = np.asarray([[0.5, 0.5], [0.25, 0.75]])
    attempt.choose_style(("numpy", "torch"), first, [0])
    cases: list[tuple[Any, list[int]]] = [(first, [0])]
    targets = [[0, 1], [1], [0, 0], [1, 0, 1], [0, 1, 1]]
    for frames, target in zip((3, 4, 4, 6, 6), targets, strict=True):
        cases.append((rng.dirichlet(np.ones(3), size=frames).round(3), target))
    received = [(case, _ask(attempt, case)) for case in cases]
    for case, value in received:
        right = probability(*case)
        if not _same(value, right):
            attempt.reject(
                "This is not the sum over all paths of the target.",
                f"{attempt.call_text(*case)}\ngives {value:.6g}, should be {right:.6g}",
                name_mistake(received, _MISTAKES, _same),
            )
    attempt.held += ["all paths of short sentences", "equal neighbors"]
    long = (rng.dirichlet(np.ones(3), size=_LONG), [0, 1, 1, 0, 1])
    value, right = _ask(attempt, long), _lattice(*long, jump=_right_jump)
    if not _same(value, right):
        attempt.reject(
            "For many frames the sum is not right.",
            f"{_LONG} frames, target {long[1]}: gives {value:.6g}, should be "
            f"{right:.6g}",
        )
    attempt.held.append(f"{_LONG} frames, in good time")


def _ask(attempt: Attempt, case: tuple[Any, list[int]]) -> float:
    answer = attempt.ask(*case)
    return float(attempt.real_numbers(answer, (), "The probability"))
