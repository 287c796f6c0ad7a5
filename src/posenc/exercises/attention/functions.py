"""Exercises 2 and 4: attention in code, and in code to repair."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Shown, WrongError, one_of
from .._registry import exercise
from .oracle import Inputs, attention, close, diagnose

_HINTS = (
    "Three lines: scores = q @ k.T / sqrt(head_dim); weights = softmax of each row; "
    "weights @ v. Do them first without a mask.",
    "The softmax of a row is exp(row - max(row)) divided by its sum. A hidden key gets "
    "the score minus infinity before that.",
    "A row without any visible key has the maximum minus infinity and the sum 0. "
    "Replace that maximum by 0, and that sum by 1, before you subtract and divide.",
)


@exercise(*_HINTS)
def attention_with_mask(attempt: Attempt, rng: Any) -> None:
    """Scaled dot-product attention with a mask."""
    _question(attempt, rng)


@exercise(
    "Print the weights for a mask of your own. Which of them sum to one: rows or "
    "columns? And what happens in a row where everything is hidden?",
    "Try queries of two features and five tokens. By which number should the scores be "
    "divided, and by which are they?",
    "The softmax runs along the keys, the last axis; the scale is the root of "
    "head_dim, which is q.shape[-1]; a row that may attend to nothing gives zeros.",
)
def repair_attention(attempt: Attempt, rng: Any) -> None:
    """Find and repair the three mistakes of an attention function."""
    try:
        _question(attempt, rng)
    except WrongError as wrong:
        wrong.mistakes = one_of(wrong.mistakes)
        raise


def _question(attempt: Attempt, rng: Any) -> None:
    first = _inputs(rng, 2, 3, 4, 5)
    _read(attempt, attempt.choose_style(("numpy", "torch"), *first), first)
    stages = {
        "every query gets the mixture of values": [
            _inputs(rng, *shape)
            for shape in ((1, 1, 1, 1), (1, 2, 1, 1), (2, 2, 4, 2), (4, 4, 2, 3))
        ],
        "queries and keys of different numbers": [
            _inputs(rng, *rng.integers(1, 7, size=4)) for _ in range(4)
        ],
        "hidden keys get no weight, the others share all of it": [
            _with_mask(_inputs(rng, 2, 2, 4, 2), [[True, False], [True, True]]),
            _with_mask(_inputs(rng, 4, 4, 3, 2), np.tril(np.ones((4, 4), bool))),
            _with_mask(_inputs(rng, 3, 5, 2, 2), rng.permuted(_HALF, axis=1)),
        ],
        "a query that may attend to nothing gets zeros": [
            _with_mask(_inputs(rng, 2, 2, 4, 2), [[False, False], [True, True]]),
            # A softmax over queries shows what it does with nothing in a column alone.
            _with_mask(_inputs(rng, 2, 2, 4, 2), [[False, False], [False, True]]),
            _with_mask(
                _inputs(rng, 3, 4, 2, 2), rng.random((3, 4)) < [[0], [0.5], [1]]
            ),
        ],
        "large scores do not overflow": [
            _large(_inputs(rng, 3, 3, 4, 2)),
        ],
    }
    seen = [
        (stage, inputs, _read(attempt, attempt.ask(*inputs), inputs))
        for stage, cases in stages.items()
        for inputs in cases
    ]
    wrong = [stage for stage, inputs, out in seen if not close(out, attention(inputs))]
    attempt.held += [stage for stage in stages if stage not in wrong]
    for stage, inputs, out in seen:
        if not close(out, attention(inputs)):
            attempt.reject(
                f"Not so: {stage}.",
                _show(attempt, inputs, out),
                diagnose([(case, result) for _, case, result in seen]),
            )


#: Two visible keys in each row, to be shuffled.
_HALF = np.asarray([[True, True, False, False, False]] * 3)


def _inputs(rng: Any, q_len: int, k_len: int, head_dim: int, value_dim: int) -> Inputs:
    shapes = ((q_len, head_dim), (k_len, head_dim), (k_len, value_dim))
    q, k, v = (rng.integers(-3, 4, size=shape).astype(float) for shape in shapes)
    return Inputs(q, k, v + rng.random(v.shape).round(2), np.ones((q_len, k_len), bool))


def _large(inputs: Inputs) -> Inputs:
    """Each token's score with itself is far beyond what exp can hold."""
    q = 1e3 * np.where(inputs.q == 0, 3, inputs.q)
    return inputs._replace(q=q, k=q)


def _with_mask(inputs: Inputs, mask: Any) -> Inputs:
    return inputs._replace(mask=np.asarray(mask))


def _read(attempt: Attempt, answer: Any, inputs: Inputs) -> Any:
    shape = (len(inputs.q), inputs.v.shape[1])
    if np.shape(answer) == (len(inputs.q), len(inputs.k)) != shape:
        attempt.reject(
            f"The output must have shape (q_len, value_dim) = {shape}, got "
            f"{np.shape(answer)}.",
            mistakes=("These look like the weights: multiply them by v.",),
        )
    return attempt.real_numbers(answer, shape, "The output")


def _show(attempt: Attempt, inputs: Inputs, out: Any) -> str:
    call = attempt.call_text(Shown("q"), Shown("k"), Shown("v"), Shown("mask"))
    lines = [
        f"{name} = {(part if part.dtype == bool else part.round(2)).tolist()}"
        for name, part in zip(inputs._fields, inputs, strict=True)
    ]
    right = attention(inputs).round(3).tolist()
    return "\n".join(
        [call, *lines, f"gives {out.round(3).tolist()}, should be {right}"]
    )
