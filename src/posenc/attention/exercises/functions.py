"""Exercise 2: attention in code."""

import functools
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import MISTAKES, attention

#: Two visible keys in each row, to be shuffled.
_HALF = np.asarray([[True, True, False, False, False]] * 3)

#: The largest score belongs to a hidden key.
_LARGEST_HIDDEN = case(
    np.asarray([[1e3]]),
    np.asarray([[1e3], [0.0]]),
    np.asarray([[1.0], [2.0]]),
    np.asarray([[False, True]]),
)


def _inputs(rng: Any, q_len: int, k_len: int, head_dim: int, value_dim: int) -> Case:
    shapes = ((q_len, head_dim), (k_len, head_dim), (k_len, value_dim))
    q, k, v = (rng.integers(-3, 4, size=shape).astype(float) for shape in shapes)
    return case(q, k, v + rng.random(v.shape).round(2), np.ones((q_len, k_len), bool))


def _large(inputs: Case) -> Case:
    """Each token's score with itself is far beyond what exp can hold."""
    q, _, v, mask = inputs.args
    q = 1e3 * np.where(q == 0, 3, q)
    return case(q, q, v, mask)


def _with_mask(inputs: Case, mask: Any) -> Case:
    return case(*inputs.args[:3], np.asarray(mask))


def _weights(q: Any, k: Any, v: Any, mask: Any) -> Any:
    return attention(q, k, np.eye(len(k)), mask)


def _maximum_of_all(q: Any, k: Any, v: Any, mask: Any) -> Any:
    scores = q @ k.T / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ v


def _show(failure: Failure) -> str:
    names = ("q", "k", "v", "mask")
    lines = [
        f"{name} = {(part if part.dtype == bool else part.round(2)).tolist()}"
        for name, part in zip(names, failure.args, strict=True)
    ]
    got, want = failure.received.round(3).tolist(), failure.right.round(3).tolist()
    return "\n".join([failure.call, *lines, f"gives {got}, should be {want}"])


@ask_for_function(
    "Three lines: scores = q @ k.T / sqrt(d); weights = softmax of each row; "
    "weights @ v. Do them first without a mask.",
    "The softmax of a row is exp(row - max(row)) divided by its sum: max and sum take "
    "axis=-1, keepdims=True. A hidden key gets the score minus infinity before that.",
    "A row without any visible key has the maximum minus infinity and the sum 0. "
    "Replace that maximum by 0, and that sum by 1, before you subtract and divide.",
    right=attention,
    what="The output",
    axes="(q_len, value_dim)",
    example=_show,
    shown=("q", "k", "v", "mask"),
    mistakes=[
        ("These look like the weights: multiply them by v.", _weights),
        (
            "The largest score is taken over hidden keys, too: mask first, then "
            "subtract.",
            _maximum_of_all,
        ),
        *Switches(attention, MISTAKES),
    ],
    close=functools.partial(np.isclose, rtol=1e-4, atol=1e-5, equal_nan=True),
    first=lambda rng: _inputs(rng, 2, 3, 4, 5),
)
def attention_with_mask(rng: Any) -> Any:
    """Scaled dot-product attention with a mask."""
    return {
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
            _LARGEST_HIDDEN,
        ],
    }
