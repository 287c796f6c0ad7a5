"""For marks: attention in a window, and sentences that end alike."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import MISTAKES, attention


def _windowed(
    q: Any,
    k: Any,
    v: Any,
    *,
    window: int,
    ahead: int = 0,
    mistakes: tuple[str, ...] = (),
) -> Any:
    """Attend to the last `window` keys and, by mistake, to some after the query."""
    length = len(q)
    mask = [[-ahead <= i - j < window for j in range(length)] for i in range(length)]
    return attention(q, k, v, np.asarray(mask), mistakes=mistakes)


_WINDOW_MISTAKES: Mistakes = [
    (
        "The window is one key too long. It holds `window` keys, the query's own among "
        "them.",
        lambda q, k, v, window: _windowed(q, k, v, window=window + 1),
    ),
    (
        "The window is one key too short: the query's own key is one of them.",
        lambda q, k, v, window: _windowed(q, k, v, window=window - 1),
    ),
    (
        "Keys after the query are seen as well. The window ends with the query's own.",
        lambda q, k, v, window: _windowed(q, k, v, window=window, ahead=window - 1),
    ),
    (
        "All keys up to the query are seen: the window has no beginning.",
        lambda q, k, v, window: _windowed(q, k, v, window=len(q)),
    ),
    (
        MISTAKES["unscaled"],
        lambda q, k, v, window: _windowed(
            q, k, v, window=window, mistakes=("unscaled",)
        ),
    ),
    (
        MISTAKES["mask_after"],
        lambda q, k, v, window: _windowed(
            q, k, v, window=window, mistakes=("mask_after",)
        ),
    ),
]


def _close(received: Any, right: Any) -> Any:
    return np.isclose(received, right, rtol=1e-4, atol=1e-5)


@ask_for_function(
    "Make a mask first: may query i see key j? Look at i - j.",
    "True where 0 <= i - j < window. Scores that are not allowed become -np.inf.",
    "Then the softmax of each row as ever: every row sees its own key at least.",
    right=_windowed,
    what="The output",
    problem="The output of a query is another one.",
    mistakes=_WINDOW_MISTAKES,
    held=["windows of any length", "no key after the query"],
    shown=["q", "k", "v"],
    close=_close,
)
def windowed_attention(rng: Any) -> Any:
    """Causal attention in which each query sees the last few keys alone."""
    cases = []
    for length, d, window in [
        (3, 4, 2),
        (4, 3, 2),
        (6, 4, 3),
        (7, 5, 4),
        (9, 2, 5),
        (4, 2, 257),
    ]:
        q, k, v = np.round(rng.normal(size=(3, length, d)), 2)
        cases.append(case(q, k, v, window=window))
    return cases


def _orders(words: list[str]) -> int:
    """Count the different sentences that these words make."""
    repeats = [math.factorial(words.count(word)) for word in set(words)]
    return math.factorial(len(words)) // math.prod(repeats)


_SAME_END_MISTAKES: Mistakes = [
    ("The last word moves as well. It has to stay where it is.", _orders),
    (
        "Equal words are counted as different ones.",
        lambda words: math.factorial(len(words) - 1),
    ),
    (
        "The last word still counts among its repetitions. Only those before it can "
        "change places.",
        lambda words: (
            math.factorial(len(words) - 1)
            * _orders(words)
            // math.factorial(len(words))
        ),
    ),
    (
        "The sentence itself is one of them, and is missing.",
        lambda words: _orders(words[:-1]) - 1,
    ),
]


@ask_for_function(
    "Which words can change places, if the last one stays?",
    "The words before the last: (L - 1)! orders, of which equal words make some alike.",
    "Count repetitions among words[:-1] alone.",
    right=lambda words: _orders(words[:-1]),
    what="The number",
    problem="The number of sentences is another one.",
    mistakes=_SAME_END_MISTAKES,
    held=["repeated words", "long sentences"],
)
def same_last_output(rng: Any) -> Any:
    """Sentences of the same words in which the last word gets the same output."""
    sentences = ["dog bites man", "I think therefore I am", "a b a c a", "so it is so"]
    drawn = ["abcd"[i] for i in rng.integers(4, size=18)]
    return [*((sentence.split(),) for sentence in sentences), (drawn,)]
