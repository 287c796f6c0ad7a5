"""Exercises 4 and 5: causal attention with a decay, and a decoder that drifts."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import attend, close, worst

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


@exercise(
    "Two sums are enough: S of shape (r, d) and z of shape (r,). What happens to them "
    "at each token, and in which order?",
    "First the old state fades, S = decay * S; then the new key and value come in, "
    "S = S + outer(k, v). z does the same with k.",
    "After that the output of the token is (q @ S) / (q @ z).",
)
def causal_attention(attempt: Attempt, rng: Any) -> None:
    """Causal linear attention with a decay, for any length."""
    _compare(attempt, rng, [0.5, 1.0, 0.5, 0.9, 0.7])
    length, decay = 3000, 0.4
    q, k, v = np.abs(rng.normal(size=(3, length, 2))) + 0.1
    answer = attempt.ask(q.copy(), k.copy(), v.copy(), decay=decay)
    got = attempt.real_numbers(answer, (length, 2), "The output")
    start = length - 40  # older keys have a weight below 1e-15
    right = attend(q[start:], k[start:], v[start:], decay=decay)[-1]
    if not close(got[-1], right):
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


@exercise(
    "Print the sum of the weights that each step gives. It should be 1.",
    "Two things are remembered. A fraction is right only if both are treated alike.",
    "z must fade as S does. And in which order do fading and adding come?",
)
def repair_decoder(attempt: Attempt, rng: Any) -> None:
    """Repair a decoder whose outputs shrink as the text grows."""
    _compare(attempt, rng, [0.5, 1.0, 0.5, 0.9, 0.7])


def _compare(attempt: Attempt, rng: Any, decays: list[float]) -> None:
    received: list[tuple[tuple[Any, ...], Any]] = []
    lengths = [(1, 1, 1), (2, 2, 2), (3, 2, 1), (6, 4, 3), (9, 3, 5)]
    for number, ((length, r, d), decay) in enumerate(zip(lengths, decays, strict=True)):
        q, k = np.round(np.abs(rng.normal(size=(2, length, r))) + 0.1, 1)
        v = np.round(rng.normal(size=(length, d)), 1)
        args = (q.copy(), k.copy(), v.copy())
        if number:
            answer = attempt.ask(*args, decay=decay)
        else:
            answer = attempt.choose_style(("numpy", "torch"), *args, decay=decay)
        got = attempt.real_numbers(answer, (length, d), "The output")
        received.append(((q, k, v, decay), got))
    for args, got in received:
        q, k, v, decay = args
        right = attend(q, k, v, decay=decay)
        if not close(got, right):
            i, j = worst(got, right)
            call = attempt.call_text(Shown("q"), Shown("k"), Shown("v"), decay=decay)
            lines = [f"with {len(q)} tokens, {call}[{i}, {j}]"]
            if len(q) < 4:
                lines += [
                    f"{name} = {x.tolist()}"
                    for name, x in zip("qkv", args[:3], strict=True)
                ]
            attempt.reject(
                f"The output of token {i} is another one.",
                "\n".join(
                    [*lines, f"gives {got[i, j]:.4g}, should be {right[i, j]:.4g}"]
                ),
                name_mistake(received, _MISTAKES, close),
            )
    attempt.held += ["the first token gets its own value", "all decays, decay 1 too"]
