"""Exercises 1 to 5: windows, the convolution, its borders, taps and layers."""

import operator
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes, Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import MISTAKES, close, convolve, sides, touched

#: One channel, kernel 4: each output shows its window, digit by digit.
FRAMES = [1, 2, 0, 3, 1]
TAPS = [1, 10, 100, 1000]
_NAMED = ("flipped", "crop_first", "causal", "circular")


def _by_hand(mistakes: tuple[str, ...] = ()) -> list[int]:
    x, weight = np.asarray(FRAMES)[:, None], np.asarray(TAPS)[None, None]
    return [int(output) for output in convolve(x, weight, 1, mistakes)[:, 0]]


@ask_for_value(
    "A kernel of 4 has 4 // 2 = 2 frames before the frame itself, and 1 after it. "
    "Write the sequence with zeros around it: 0 0 1 2 0 3 1 0.",
    "The window of frame 0 is 0 0 1 2. Multiply it by the taps 1, 10, 100, 1000 and "
    "add: 100 + 2000.",
    "Since the taps are powers of ten, an output is its window read backward: the last "
    "frame of the window gives the thousands.",
    what="The list of outputs",
    entry="an output",
    line=lambda t, output: f"frame {t}: not {output}",
    mistakes=Switches(_by_hand, {name: MISTAKES[name] for name in _NAMED}, at_once=2),
    held=["all five outputs"],
)
def windows_by_hand() -> Any:
    """Five outputs of a convolution with an even kernel, by hand."""
    return _by_hand()


def _example(failure: Failure) -> str:
    (x, weight), (t, c) = failure.args, failure.entry
    got, right = failure.received[t, c], failure.right[t, c]
    return (
        f"{failure.call}\nx of shape {x.shape}, weight of shape {weight.shape}\n"
        f"frame {t}, channel {c}: gives {got:.4g}, should be {right:.4g}"
    )


@ask_for_function(
    "Begin with one group and one channel. Put kernel // 2 zeros before the sequence "
    "and kernel - 1 - kernel // 2 after it; output t is then a sum over padded frames "
    "t to t + kernel - 1.",
    "Output channel c belongs to group c // width, where width = channels // groups. "
    "That group's input channels begin at c // width * width.",
    "out[t, c] = sum over i and tap of weight[c, i, tap] * padded[t + tap, "
    "c // width * width + i].",
    right=convolve,
    what="The output",
    problem="An output is not the sum over its window.",
    mistakes=Switches(convolve, MISTAKES, at_once=2),
    held=[
        "odd and even kernels, also wider than the sequence",
        "zeros beyond both ends",
        "one group and several",
    ],
    example=_example,
    shown=["x", "weight"],
    close=close,
    one_of=True,
)
def grouped_convolution(rng: Any) -> Any:
    """Convolve one sequence in groups, to the same length as the input."""
    shapes = [
        (1, 1, 1, 1),
        (3, 1, 3, 1),
        (3, 1, 2, 1),
        (4, 2, 2, 1),
        (4, 2, 3, 2),
        (5, 6, 4, 3),
        (2, 4, 6, 2),
        (7, 8, 5, 2),
        (6, 6, 4, 2),
    ]
    cases = []
    for seq_len, channels, kernel, groups in shapes:
        x = rng.integers(-9, 10, size=(seq_len, channels)).astype(float)
        size = (channels, channels // groups, kernel)
        weight = rng.integers(-9, 10, size=size).astype(float)
        cases.append(case(x, weight, groups=groups))
    return cases


_OVERLAP = (
    "In a sequence shorter than the window the two parts overlap, or reach beyond it. "
    "List each frame once, and only frames from 0 to seq_len - 1."
)


def _two_ranges(seq_len: int, before: int, after: int) -> list[int]:
    """List the frames of both sides, without regard to where the sequence ends."""
    return sorted([*range(before), *range(seq_len - after, seq_len)])


_FRAMES_MISTAKES: Mistakes = [
    (_OVERLAP, lambda n, k: _two_ranges(n, *sides(k))),
    (_OVERLAP, lambda n, k: _two_ranges(n, k // 2, k // 2)),
    (
        "Those are the inner frames. Asked for are the others.",
        lambda n, k: sorted({*range(n)} - {*touched(n, k)}),
    ),
    (
        "The two sides are exchanged. An even window has one frame more before than "
        "after its own.",
        lambda n, k: sorted(n - 1 - t for t in touched(n, k)),
    ),
    (
        "On the right there is one too many if the kernel is even: kernel // 2 frames "
        "lie before, kernel - 1 - kernel // 2 after.",
        lambda n, k: [t for t in range(n) if t < k // 2 or t >= n - k // 2],
    ),
    (
        "On the left one is missing if the kernel is even: kernel // 2 frames lie "
        "before, kernel - 1 - kernel // 2 after.",
        lambda n, k: [t for t in range(n) if t < (k - 1) // 2 or t >= n - (k - 1) // 2],
    ),
    (
        "On the left there is one too many: frame kernel // 2 has kernel // 2 frames "
        "before it, as many as its window holds.",
        lambda n, k: [t for t in range(n) if t <= k // 2 or t >= n - sides(k)[1]],
    ),
    (
        "Those are the frames near the left border only.",
        lambda n, k: [t for t in range(n) if t < k // 2],
    ),
    (
        "A window holds kernel frames, but its own is one of them, and the others lie "
        "on both sides: no side has kernel - 1.",
        lambda n, k: [t for t in range(n) if t < k - 1 or t >= n - k + 1],
    ),
]


def _frames(attempt: Attempt, answer: Any, right: Any) -> list[int]:
    """Read a list of frames, in any order."""
    if not isinstance(answer, list | np.ndarray) or np.ndim(answer) != 1:
        attempt.reject(f"The answer must be a list of frames, got {attempt.kind}.")
    if len(answer):
        answer = attempt.whole_numbers(answer, (len(answer),), "The list of frames")
    return sorted(int(t) for t in answer)


@ask_for_function(
    "The window of frame t begins at t - kernel // 2. For which t is that negative?",
    "It ends at t - kernel // 2 + kernel - 1. For which t is that beyond seq_len - 1?",
    "t < kernel // 2 or t > seq_len - kernel + kernel // 2.",
    right=touched,
    what="The list of frames",
    problem="Other frames see zeros.",
    mistakes=_FRAMES_MISTAKES,
    held=[
        "kernel - 1 frames, if the sequence is long enough",
        "one more on the left than on the right, if the kernel is even",
        "short sequences",
    ],
    example=lambda f: f"{f.call}\ngives {f.received}, should be {f.right}",
    close=operator.eq,
    read=_frames,
)
def border_frames(rng: Any) -> Any:
    """Frames whose window holds zeros from beyond an end."""
    cases = [(1, 1), (3, 1), (3, 2), (4, 3), (5, 4), (2, 4), (7, 4), (12, 6), (9, 5)]
    return (
        cases
        + [(int(rng.integers(8, 30)), int(rng.integers(2, 9))) for _ in range(4)]
        + [(600, 5)]
    )


def _with_norm(direction: Any, length: Any, norm: Any) -> Any:
    return direction * (length / norm)


_LENGTH_MISTAKES: Mistakes = [
    (
        "The square root is missing: a length is the root of the sum of squares.",
        lambda v, g: _with_norm(v, g, (v**2).sum(axis=(0, 1))),
    ),
    (
        "Each output channel has a length of its own. That is torch's default, dim=0; "
        "wav2vec 2.0 uses dim=2, one length per place in the window.",
        lambda v, g: _with_norm(v, g, np.sqrt((v**2).sum((1, 2), keepdims=True))),
    ),
    (
        "Each pair of an output channel and a place has a length of its own. All "
        "channels of a place share one: sum over the first two axes.",
        lambda v, g: _with_norm(v, g, np.sqrt((v**2).sum(1, keepdims=True))),
    ),
    (
        "Each pair of an output and an input channel has a length of its own. Sum over "
        "the first two axes, not over the places.",
        lambda v, g: _with_norm(v, g, np.sqrt((v**2).sum(2, keepdims=True))),
    ),
    (
        "The sum runs over the output channels alone. Sum over the first two axes.",
        lambda v, g: _with_norm(v, g, np.sqrt((v**2).sum(0, keepdims=True))),
    ),
    (
        "All taps are divided by one length, that of the whole weight. Each place in "
        "the window has its own.",
        lambda v, g: _with_norm(v, g, np.sqrt((v**2).sum())),
    ),
    (
        "The taps have length 1: the wanted length is not used.",
        lambda v, g: v / np.sqrt((v**2).sum(axis=(0, 1))),
    ),
    (
        "The taps are multiplied by the wanted length, but not divided by their own.",
        lambda v, g: v * g,
    ),
    (
        "The lengths are those of absolute values. A Euclidean length adds squares.",
        lambda v, g: _with_norm(v, g, np.abs(v).sum(axis=(0, 1))),
    ),
]


def _norms(weight: Any) -> Any:
    return np.sqrt([np.sum(weight[..., j] ** 2) for j in range(weight.shape[-1])])


def _normalized(direction: Any, length: Any) -> Any:
    return _with_norm(direction, length, _norms(direction))


def _which_fails(failure: Failure) -> str:
    if close(_norms(failure.received), failure.args[1]).all():
        return "The lengths are right, but the directions have changed."
    return "The taps of a place do not have the length asked for."


def _lengths(failure: Failure) -> str:
    direction, length = failure.args
    return (
        f"{failure.call}\n"
        f"direction of shape {direction.shape}, length {length.tolist()}\n"
        f"the result has the lengths {np.round(_norms(failure.received), 3).tolist()}"
    )


@ask_for_function(
    "Take one place j of the window. weight[:, :, j] is a table; its length is the "
    "root of the sum of all its squares.",
    "Divide direction[:, :, j] by that length, and multiply by length[j].",
    "norm = np.sqrt((direction**2).sum(axis=(0, 1))) has one entry per place, and so "
    "direction * (length / norm) does it for all places.",
    right=_normalized,
    what="The weight",
    problem=_which_fails,
    mistakes=_LENGTH_MISTAKES,
    held=["the length of every place", "the direction of every place"],
    example=_lengths,
    shown=["direction", "length"],
    close=close,
)
def normalized_weight(rng: Any) -> Any:
    """Taps of a given length at each place in the window."""
    cases = []
    for shape in [(1, 1, 1), (2, 1, 3), (2, 2, 3), (4, 2, 4), (6, 3, 6)]:
        direction = np.round(rng.normal(size=shape), 2) + 0.005
        length = np.round(rng.uniform(0.5, 3.0, size=shape[-1]), 2)
        cases.append((direction, length))
    return cases


def _layers(seq_len: int, kernel: int) -> int:
    """Count the layers until all frames are touched."""
    count = 0
    while len(touched(seq_len, kernel, count)) < seq_len:
        count += 1
    return count


def _up(numerator: int, denominator: int) -> int:
    return -(-numerator // max(denominator, 1))


_LAYERS_MISTAKES: Mistakes = [
    (
        "That counts from one end alone. The zeros come in from both.",
        lambda n, k: _up(n, k // 2),
    ),
    (
        "A layer brings the zeros kernel // 2 frames in from the left, but only kernel "
        "- 1 - kernel // 2 from the right: kernel - 1 together, not kernel.",
        lambda n, k: _up(n, k),
    ),
    (
        "Both sides get kernel // 2 frames a layer here. The right one gets one less "
        "if the kernel is even.",
        lambda n, k: _up(_up(n, 2), k // 2),
    ),
    ("Part of a layer does not exist: round up.", lambda n, k: n // (k - 1)),
    (
        "That is one layer too many where the zeros just meet.",
        lambda n, k: n // (k - 1) + 1,
    ),
    (
        "The zeros need not meet in the middle frame: an even kernel lets them come "
        "further in from the left.",
        lambda n, k: _up(_up(n, 2), sides(k)[1]),
    ),
]


@ask_for_function(
    "After one layer kernel // 2 frames on the left and kernel - 1 - kernel // 2 on "
    "the right have seen zeros. How many after two?",
    "A window of the second layer reaches kernel // 2 frames back: it sees a frame "
    "that has seen zeros if its own frame is below 2 * (kernel // 2).",
    "n layers reach n * (kernel - 1) frames together. The smallest n is asked for with "
    "n * (kernel - 1) >= seq_len.",
    right=_layers,
    what="The number of layers",
    problem="Another number of layers is needed.",
    mistakes=_LAYERS_MISTAKES,
    held=["odd and even kernels", "one layer for short sequences"],
)
def layers_to_middle(rng: Any) -> Any:
    """How many layers until the zeros of the padding have reached every frame."""
    cases = [(1, 2), (2, 3), (3, 3), (5, 4), (6, 4), (7, 4), (20, 5), (11, 2), (9, 12)]
    return (
        cases
        + [(int(rng.integers(5, 60)), int(rng.integers(2, 12))) for _ in range(5)]
        + [(300, 120)]
    )
