"""Exercise 10: three numbers to find with the widgets."""

import numpy as np

from posenc.kit.exercises.tasks import ask_for_value

_SENTENCE = (0, 1, 2, 2, 1, 0)  # dog bites man, man bites dog
_KEYS = ((0, 0, 0, 2), (2, 2, 0, 1), (4, 2, 0, 0))  # of the running example
_ASKED = (
    "times as many multiplications, for L = 4,096 and d = 64",
    "first entry of z after six tokens",
    "product of the lifted vectors",
)
_LENGTH, _WIDTH = 4096, 64


def _normalizer() -> list[int]:
    features = np.asarray(_KEYS) + 1  # elu + 1 of numbers that are not negative
    total: list[int] = features[list(_SENTENCE)].sum(0).tolist()
    return total


_NOT_SQUARED = "That is the product in the plane. The lift makes it squared."


@ask_for_value(
    "For the first, the sentence under the bars says how many times more. For the "
    "second, the last column of the state is z.",
    "For the second, slope 0 means that nothing fades. Go to the last token and point "
    "at the first entry of z.",
    "The third: the product of the lifted vectors is (q · k)². For q = (1, 1) and "
    "k = (-1, -1) the plain product is -2.",
    what="The list of numbers",
    entry="a number",
    line=lambda i, number: f"question {i + 1}: not {number} ({_ASKED[i]})",
    slips=[
        (0, _LENGTH, "That is L. The orders differ by the factor L / d."),
        (
            0,
            2 * _LENGTH // _WIDTH,
            "Both orders need two products, so the 2 cancels: L / d.",
        ),
        (
            0,
            1,
            "The two orders give the same result, but not at the same cost: L is "
            "larger than d here.",
        ),
        (1, _normalizer()[0] // 2, "That is after three tokens. There are six."),
        (
            1,
            sum(_KEYS[i][0] for i in _SENTENCE),
            "Sum the features, φ(k) = k + 1 here, not the keys.",
        ),
        (
            1,
            _KEYS[_SENTENCE[-1]][0] + 1,
            "That is the feature of the last token alone. With slope 0 nothing fades, "
            "and all six are summed.",
        ),
        (2, -2, _NOT_SQUARED),
        (2, 2, _NOT_SQUARED),
        (2, -4, "A square is not negative."),
    ],
    held=["all three numbers"],
)
def three_numbers() -> list[int]:
    """Find a ratio of costs, an entry of the normalizer, and a kernel."""
    return [_LENGTH // _WIDTH, _normalizer()[0], 4]
