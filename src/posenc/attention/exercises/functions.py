"""Exercises 1 to 3: attention by hand, in code, and tests for its mistakes."""

import functools
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import (
    Case,
    Mistakes,
    Switches,
    case,
    name_mistake,
    one_of,
)
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import MISTAKES, attention

#: Numbers whose exponentials are the scores' own: exp(ln 5) = 5.
POWERS = np.asarray([[1.0, 2.0, 5.0], [3.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
VALUES = np.asarray([[120.0, 0.0], [0.0, 120.0], [120.0, 120.0]])
ORDER = (2, 1, 0)


def _both(weights: Any) -> Any:
    out = weights @ VALUES
    return np.stack([out, out[list(ORDER)]])


_RIGHT = _both(POWERS / POWERS.sum(1)[:, None])[0]
_MISTAKES: Mistakes = [
    (
        "The values are averaged with equal weights. The weights are the softmax of "
        "the scores.",
        _both(np.full((3, 3), 1 / 3)),
    ),
    (
        "The weights are shared out by columns. Each query shares out its own "
        "attention: divide each row by its sum.",
        _both(POWERS / POWERS.sum(0)),
    ),
    (
        "The rows are not divided by their sums: the weights of a query must sum to 1.",
        _both(POWERS),
    ),
    (
        "The scores themselves were taken as weights. Take their exponentials first.",
        _both(np.log(POWERS) / np.maximum(np.log(POWERS).sum(1), 1)[:, None]),
    ),
    (
        "The second matrix is the same as the first. Its rows must be in the new "
        "order: c, b, a.",
        np.stack([_RIGHT, _RIGHT]),
    ),
    *(
        (
            "The columns of the second matrix are turned around. Columns are features, "
            "not tokens: they stay.",
            np.stack([_RIGHT, _RIGHT[rows, ::-1]]),
        )
        for rows in (list(ORDER), [0, 1, 2])  # with the rows, and instead of them
    ),
]


def _line(cell: tuple[int, int, int], number: float) -> str:
    which, row, column = cell
    token = "abc"[ORDER[row] if which else row]
    order = ("as they stand", "turned around")[which]
    return f"tokens {order}, row {row} ({token}), column {column}: not {number:g}"


@ask_for_value(
    "exp(ln 5) = 5. So the exponentials of row 0 are 1, 2 and 5, and their sum is 8.",
    "Row 0 has the weights 1/8, 2/8, 5/8; row 1 has 3/5, 1/5, 1/5; row 2 a third for "
    "each. Multiply each weight by its row of V, and add.",
    "The output of a is (15 + 75, 30 + 75) = (90, 105). After the shuffle each token "
    "keeps its output and takes it along.",
    what="The two matrices together",
    entry="a number, or a whole matrix",
    line=_line,
    mistakes=_MISTAKES,
    held=[
        "the outputs of the tokens as they stand",
        "the outputs of the tokens turned around",
    ],
    close=np.isclose,
)
def outputs_by_hand() -> Any:
    """Work out the outputs of three tokens by hand, as they stand and turned around."""
    return np.stack([_RIGHT, _RIGHT[list(ORDER)]])


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
    """Return a case where each token's score with itself overflows exp."""
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


#: The mistakes of the function on the page.
HIDDEN = ("columns", "scaled_by_length", "large_negative")
_MADE = Switches(attention, {name: MISTAKES[name] for name in HIDDEN})
_PARTS = ("q", "k", "v", "mask", "output")
_MOST = 20  # rows or columns of an input


def _close(received: Any, right: Any) -> bool:
    """Return True for outputs that agree to three digits, as if written by hand."""
    return bool(np.allclose(received, right, rtol=1e-3, atol=1e-3))


def _known() -> Mistakes:
    """Yield tests whose first one takes the output of a mistake for the right one."""
    rng = np.random.default_rng(0)
    q, k, v = (rng.integers(-3, 4, size=(n, 4)).astype(float) for n in (2, 3, 3))
    mask = np.asarray([[True, True, False], [False, False, False]])
    for name in HIDDEN:
        wrong = attention(q, k, v, mask, mistakes=(name,))
        yield MISTAKES[name], [(q, k, v, mask, wrong)] * 3


@exercise(
    "With v = np.eye(3) the output is the weights of three keys. Which of them sum to "
    "one: rows or columns? Once the rows do, hide a whole row.",
    "Try queries of two features and five tokens. By which number should the scores be "
    "divided, and by which are they?",
    "The softmax runs along the keys: max and sum take axis=-1, keepdims=True. The "
    "scale is the root of d, q.shape[-1]. A row that may attend to nothing gives "
    "zeros. One query shows each: two equal keys; two keys of different scores; two "
    "hidden keys.",
    asks_for="value",
    mistakes=[*_known()],
)
def catch_mistakes(attempt: Attempt, rng: Any) -> None:
    """Find the three mistakes of an attention function, and write a test for each."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != len(HIDDEN):
        attempt.reject(f"The answer is a list of three tests, got {attempt.kind}.")
    tests = [_read(attempt, n, test) for n, test in enumerate(answer, start=1)]
    for number, (inputs, output) in enumerate(tests, start=1):
        if not _close(output, attention(*inputs)):
            named = name_mistake([(inputs, output)], _MADE, _close)
            attempt.reject(
                f"The output of test {number} is not right.",
                f"It is {output.tolist()} in your test.",
                one_of(named),
            )
    attempt.held.append("all three outputs are right")
    caught = sum(
        any(
            not _close(output, attention(*inputs, mistakes=(name,)))
            for inputs, output in tests
        )
        for name in HIDDEN
    )
    if caught < len(HIDDEN):
        attempt.reject(
            f"The tests catch {caught} of the 3 mistakes.",
            "A function that has another one of them, and no other mistake, passes "
            "all three tests.",
        )
    attempt.held.append("each mistake is caught, though it be the only one")


def _read(attempt: Attempt, number: int, test: Any) -> tuple[Any, Any]:
    """Read the inputs of one test, as `attention` takes them, and its output."""
    if is_blank(test):
        attempt.reject(f"Test {number} is still to be written.")
    if not isinstance(test, list) or len(test) != len(_PARTS):
        attempt.reject(f"Test {number} must have five parts: {', '.join(_PARTS)}.")
    parts = dict(zip(_PARTS, test, strict=True))
    if any(part is ... for part in parts.values()):
        attempt.reject(f"Test {number} still has dots.")
    q, k, v, output = (
        _matrix(attempt, number, n, parts[n]) for n in ("q", "k", "v", "output")
    )
    (q_len, d), (k_len, _) = q.shape, k.shape
    mask = np.ones((q_len, k_len), bool)
    if parts["mask"] is not None:
        mask = _matrix(attempt, number, "mask", parts["mask"])
    for name, part, shape in (
        ("k", k, (k_len, d)),
        ("v", v, (k_len, v.shape[1])),
        ("mask", mask, (q_len, k_len)),
        ("output", output, (q_len, v.shape[1])),
    ):
        if part.shape != shape:
            attempt.reject(
                f"Test {number}: {name} must have shape {shape}, got {part.shape}."
            )
    return (q, k, v, mask.astype(bool)), output


def _matrix(attempt: Attempt, number: int, name: str, part: Any) -> Any:
    """Return one part of a test as an array of two axes."""
    try:
        array = np.asarray(part, dtype=float)
    except (TypeError, ValueError):
        attempt.reject(f"Test {number}: {name} must be one array of numbers.")
    if array.ndim != 2 or not array.size or max(array.shape) > _MOST:
        attempt.reject(
            f"Test {number}: {name} must have rows and columns, {_MOST} at most, got "
            f"shape {array.shape}."
        )
    if not np.isfinite(array).all():
        attempt.reject(f"Test {number}: {name} must hold finite numbers.")
    return array
