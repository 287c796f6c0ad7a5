"""For marks: zeros in windows with gaps, and what a stack of layers sees."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import sides


def _zeros(
    seq_len: int, kernel: int, dilation: int, *, before: int | None = None
) -> Any:
    """Count the taps of each frame's window that lie beyond an end, one by one."""
    before = sides(kernel)[0] if before is None else before
    taps = [(tap - before) * dilation for tap in range(kernel)]
    return np.asarray(
        [sum(not 0 <= t + tap < seq_len for tap in taps) for t in range(seq_len)]
    )


_ZERO_MISTAKES: Mistakes = [
    (
        "The dilation is ignored: neighboring taps are `dilation` frames apart.",
        lambda n, k, _: _zeros(n, k, 1),
    ),
    (
        "The two sides of an even kernel are exchanged: kernel // 2 taps lie before "
        "the frame.",
        lambda n, k, dilation: _zeros(n, k, dilation, before=sides(k)[1]),
    ),
    (
        "All taps lie before the frame, as in a causal layer.",
        lambda n, k, dilation: _zeros(n, k, dilation, before=k - 1),
    ),
    (
        "That says whether a window holds a zero. How many are asked.",
        lambda n, k, dilation: np.minimum(_zeros(n, k, dilation), 1),
    ),
    (
        "Only zeros before the beginning are counted. There are some beyond the end.",
        lambda n, k, dilation: np.asarray(
            [
                sum(t + (tap - k // 2) * dilation < 0 for tap in range(k))
                for t in range(n)
            ]
        ),
    ),
]


@ask_for_function(
    "Which frames does the window of frame t hold? Write down the list of offsets.",
    "The offsets are (tap - kernel // 2) * dilation for tap = 0 … kernel - 1.",
    "np.arange(seq_len)[:, None] + offsets are all frames of all windows. Count those "
    "below 0 and those from seq_len on.",
    right=_zeros,
    what="The list of counts",
    problem="The window of a frame holds another number of zeros.",
    mistakes=_ZERO_MISTAKES,
    held=["both ends", "windows longer than the sequence"],
)
def zeros_in_windows(rng: Any) -> Any:
    """How many zeros from beyond the ends each frame's dilated window holds."""
    drawn = rng.integers((5, 2, 1), (15, 7, 4), size=(4, 3)).tolist()
    return [
        (5, 3, 1),
        (6, 4, 1),
        (8, 3, 2),
        (9, 4, 3),
        (3, 6, 2),
        *map(tuple, drawn),
        (700, 3, 1),
        (700, 600, 1),
        (2000, 3, 600),
    ]


def _view(frame: int, kernel: int, layers: int, *, swap: bool = False) -> Any:
    before, after = sides(kernel)
    if swap:
        before, after = after, before
    first = last = frame
    for _ in range(layers):
        first, last = first - before, last + after
    return np.asarray([first, last])


_VIEW_MISTAKES: Mistakes = [
    (
        "The two sides of an even kernel are exchanged: kernel // 2 frames lie before.",
        lambda frame, kernel, layers: _view(frame, kernel, layers, swap=True),
    ),
    (
        "That is the view of one layer. Each layer widens it.",
        lambda frame, kernel, layers: _view(frame, kernel, 1),
    ),
    (
        "Both sides grow by kernel // 2. After the frame there is one less if the "
        "kernel is even.",
        lambda frame, kernel, layers: np.asarray(
            [frame - layers * (kernel // 2), frame + layers * (kernel // 2)]
        ),
    ),
    (
        "The view grows by kernel frames a layer. It grows by kernel - 1, as the frame "
        "itself is one of them.",
        lambda frame, kernel, layers: np.asarray(
            [frame - layers * (kernel // 2), frame + layers * (kernel - kernel // 2)]
        ),
    ),
]


@ask_for_function(
    "One layer sees from t - kernel // 2 to t + kernel - 1 - kernel // 2.",
    "The first frame that is seen has a window of its own in the layer below, and so "
    "has the last one.",
    "So each layer moves the beginning and the end by the same steps.",
    right=_view,
    what="The pair of frames",
    problem="The view begins or ends elsewhere.",
    mistakes=_VIEW_MISTAKES,
    held=["odd and even kernels", "any number of layers"],
)
def view_of_layers(rng: Any) -> Any:
    """First and last frame that can change an output after some layers."""
    drawn = rng.integers((0, 2, 1), (50, 20, 9), size=(4, 3)).tolist()
    return [
        (5, 3, 1),
        (5, 4, 1),
        (7, 5, 3),
        (7, 4, 2),
        (0, 128, 2),
        *map(tuple, drawn),
        (40_000, 3, 600),
        (700, 600, 2),
    ]
