"""Exercise 8: scores of new tokens against a cache of rotated keys."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import close, scores, turn, worst


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


@exercise(
    "The cached keys stand at positions 0 … P - 1 and are turned already. Where does "
    "the first new token stand?",
    "Turn the new queries and the new keys at positions P, P + 1, …; leave the cached "
    "keys alone.",
    "np.concatenate([cached_keys, turned_k]) are all keys; the scores are "
    "turned_q @ all_keys.T.",
)
def cached_scores(attempt: Attempt, rng: Any) -> None:
    """Scores of new tokens against a cache and against themselves."""
    received: list[tuple[tuple[Any, ...], Any]] = []
    for number, (past, new, d, base) in enumerate(
        [(1, 1, 2, 10_000.0), (2, 1, 4, 100.0), (3, 2, 4, 10_000.0), (20, 4, 8, 500.0)]
    ):
        cached, q, k = (rng.normal(size=(rows, d)) for rows in (past, new, new))
        args = (cached.copy(), q.copy(), k.copy())
        if number:
            answer = attempt.ask(*args, base=base)
        else:
            answer = attempt.choose_style(("numpy", "torch"), *args, base=base)
        got = attempt.real_numbers(answer, (new, past + new), "The table of scores")
        received.append(((cached, q, k, base), got))
    for args, got in received:
        cached, q, k, base = args
        right = _scores(cached, q, k, base)
        if not close(got, right):
            i, j = worst(got, right)
            names = (Shown("cached_keys"), Shown("q"), Shown("k"))
            attempt.reject(
                f"With {len(cached)} keys in the cache, the score of new query {i} and "
                f"key {j} is another one.",
                f"{attempt.call_text(*names, base=base)}[{i}, {j}]\n"
                f"gives {got[i, j]:.4g}, should be {right[i, j]:.4g}",
                name_mistake(received, _MISTAKES, close),
            )
    attempt.held += ["cached keys are used as they are", "several new tokens at once"]
