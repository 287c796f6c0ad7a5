"""Exercises 4 and 5: causal attention with a decay, and a decoder that drifts."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import attend, close

_MISTAKES: Mistakes = [
    (
        "The newest token fades in the numerator alone: its key must come into S after "
        "the old state has faded.",
        lambda q, k, v, decay: _late_top(q, k, v, decay),
    ),
    (
        "The newest token fades in the denominator alone.",
        lambda q, k, v, decay: _late_bottom(q, k, v, decay),
    ),
    (
        "The denominator does not fade, so that the weights no longer sum to 1.",
        lambda q, k, v, decay: attend(q, k, v, decay=decay, bottom_decay=1.0),
    ),
    (
        "Nothing fades: decay is ignored.",
        lambda q, k, v, decay: attend(q, k, v),
    ),
    (
        "Each row is not divided by the sum of its weights.",
        lambda q, k, v, decay: attend(q, k, v, decay=decay, bottom=False),
    ),
    (
        "Every query sees all keys: it may see those at or before its own position.",
        lambda q, k, v, decay: attend(q, k, v, decay=decay, causal=False),
    ),
    (
        "A query does not see its own key: it comes into the state too late.",
        lambda q, k, v, decay: attend(q, k, v, decay=decay, extra=-1),
    ),
]


def _late_top(q: Any, k: Any, v: Any, decay: float) -> Any:
    return decay * attend(q, k, v, decay=decay)


def _late_bottom(q: Any, k: Any, v: Any, decay: float) -> Any:
    return attend(q, k, v, decay=decay) / decay


def _cases(rng: Any) -> list[Case]:
    """Few tokens, and what decides: some features, some entries, some decays."""
    sizes = [(1, 1, 1), (2, 2, 2), (3, 2, 1), (6, 4, 3), (9, 3, 5)]
    cases = []
    for (length, r, d), decay in zip(sizes, [0.5, 1.0, 0.5, 0.9, 0.7], strict=True):
        q, k = np.round(np.abs(rng.normal(size=(2, length, r))) + 0.1, 1)
        v = np.round(rng.normal(size=(length, d)), 1)
        cases.append(case(q, k, v, decay=decay))
    return cases


def _example(failure: Failure) -> str:
    i, j = failure.entry
    lines = [f"with {len(failure.args[0])} tokens, {failure.call}[{i}, {j}]"]
    if len(failure.args[0]) < 4:
        named = zip("qkv", failure.args, strict=True)
        lines += [f"{name} = {x.tolist()}" for name, x in named]
    got, right = failure.received[i, j], failure.right[i, j]
    return "\n".join([*lines, f"gives {got:.4g}, should be {right:.4g}"])


_TASK: dict[str, Any] = {
    "right": attend,
    "what": "The output",
    "problem": lambda f: f"The output of token {f.entry[0]} is another one.",
    "mistakes": _MISTAKES,
    "held": ["the first token gets its own value", "all decays, decay 1 too"],
    "example": _example,
    "shown": ["q", "k", "v"],
    "close": close,
}


def _long(attempt: Attempt, rng: Any) -> None:
    """Judge 3,000 tokens by their last row."""
    length, decay = 3000, 0.4
    q, k, v = np.abs(rng.normal(size=(3, length, 2))) + 0.1
    answer = attempt.ask(q, k, v, decay=decay)
    got = attempt.real_numbers(answer, (length, 2), "The output")
    start = length - 40  # older keys have a weight below 1e-15
    right = attend(q[start:], k[start:], v[start:], decay=decay)[-1]
    if not close(got[-1], right).all():
        finite = np.isfinite(got).all(axis=1)
        named: tuple[str, ...] = ()
        if not finite.all():
            first = int(np.argmin(finite))
            named = (
                f"From token {first} on the output is not a number: some power of "
                "1 / decay has left the range of float64. Let the state fade step by "
                "step; all factors are then at most 1.",
            )
        attempt.reject(
            f"It fails for {length:,} tokens.",
            f"decay = {decay}; last row: got {got[-1]}, should be {right}",
            named,
        )
    attempt.held.append("3,000 tokens without an overflow")


@ask_for_function(
    "Two sums are enough: S of shape (r, d) and z of shape (r,). What happens to them "
    "at each token, and in which order?",
    "First the old state fades, S = decay * S; then the new key and value come in, "
    "S = S + outer(k, v). z does the same with k.",
    "After that the output of the token is (q @ S) / (q @ z).",
    then=_long,
    **_TASK,
)
def causal_attention(rng: Any) -> Any:
    """Causal linear attention with a decay, for any length."""
    return _cases(rng)


@ask_for_function(
    "Print the sum of the weights that each step gives. It should be 1.",
    "Two things are remembered. A fraction is right only if both are treated alike.",
    "z must fade as S does. And in which order do fading and adding come?",
    **_TASK,
)
def repair_decoder(rng: Any) -> Any:
    """Repair a decoder whose outputs shrink as the text grows."""
    return _cases(rng)
