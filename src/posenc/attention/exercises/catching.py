"""Exercise 3: three mistakes of an attention function, and a test for each."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Mistakes, Switches, name_mistake, one_of
from posenc.kit.exercises.registry import exercise

from .oracle import MISTAKES, attention

#: The mistakes of the function on the page.
HIDDEN = ("columns", "scaled_by_length", "large_negative")
_MADE = Switches(attention, {name: MISTAKES[name] for name in HIDDEN})
_PARTS = ("q", "k", "v", "mask", "output")
_MOST = 20  # rows or columns of an input


def _close(received: Any, right: Any) -> bool:
    """Tell outputs that agree to three digits, as numbers written by hand may."""
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
    """One part of a test as an array of two axes."""
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
