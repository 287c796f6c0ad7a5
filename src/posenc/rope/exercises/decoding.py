"""Exercise 9: scores of new tokens against a cache of rotated keys."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import close, scores, turn


def _scores(
    cached: Any,
    q: Any,
    k: Any,
    base: float,
    *,
    start: int | None = None,
    keys: str = "",
) -> Any:
    """Scores of the new queries; `start` is where they stand, `keys` a mistake."""
    past = len(cached)
    start = past if start is None else start
    positions = range(start, start + len(q))
    new = k if keys == "unturned" else turn(k, positions, base)
    old = turn(cached, range(past), base) if keys == "twice" else cached
    return scores(turn(q, positions, base), np.concatenate([old, new]))


_MISTAKES: Mistakes = [
    (
        "The new tokens are taken to stand at positions 0, 1, …. They stand behind the "
        "cached ones.",
        lambda c, q, k, base: _scores(c, q, k, base, start=0),
    ),
    (
        "The new tokens stand one position too far: with P keys in the cache, at "
        "positions 0 … P - 1, the next one stands at P.",
        lambda c, q, k, base: _scores(c, q, k, base, start=len(c) + 1),
    ),
    (
        "The cached keys are turned a second time. They were turned when they came in.",
        lambda c, q, k, base: _scores(c, q, k, base, keys="twice"),
    ),
    (
        "The new keys are not turned.",
        lambda c, q, k, base: _scores(c, q, k, base, keys="unturned"),
    ),
]


def _problem(failure: Failure) -> str:
    (i, j), past = failure.entry, len(failure.args[0])
    return (
        f"With {past} keys in the cache, the score of new query {i} and key {j} is "
        "another one."
    )


def _example(failure: Failure) -> str:
    i, j = failure.entry
    got, right = failure.received[i, j], failure.right[i, j]
    return f"{failure.call}[{i}, {j}]\ngives {got:.4g}, should be {right:.4g}"


@ask_for_function(
    "The cached keys stand at positions 0 … P - 1 and are turned already. Where does "
    "the first new token stand?",
    "Turn the new queries and the new keys at positions P, P + 1, …; leave the cached "
    "keys alone.",
    "np.concatenate([cached_keys, turned_k]) are all keys; the scores are "
    "turned_q @ all_keys.T.",
    right=_scores,
    what="The table of scores",
    problem=_problem,
    mistakes=_MISTAKES,
    held=["cached keys are used as they are", "several new tokens at once"],
    example=_example,
    shown=["cached_keys", "q", "k"],
    close=close,
    uses=("rope.rotary_angles", "rope.apply_rotary"),
)
def cached_scores(rng: Any) -> Any:
    """Scores of new tokens against a cache and against themselves."""
    cases = []
    for past, new, d, base in [
        (1, 1, 2, 10_000.0),
        (2, 1, 4, 100.0),
        (3, 2, 4, 10_000.0),
        (20, 4, 8, 500.0),
        (700, 2, 4, 10_000.0),
    ]:
        cached, q, k = (rng.normal(size=(rows, d)) for rows in (past, new, new))
        cases.append(case(cached, q, k, base=base))
    return cases
