"""One question for each topic, all to be answered with a few numbers found by hand."""

from typing import Any

import numpy as np

from posenc.kit.exercises.tasks import ask_for_value

_FROM_ZERO = "Rows and columns count from 0."


def _named(*names: str) -> Any:
    """Return a report's line for entries that have names."""
    return lambda i, value: f"{names[i]} is not {value:g}"


def _in_row(*rows: str) -> Any:
    """Return a report's line for rows that have names."""
    return lambda i, value: f"{rows[i[0]]}, entry {i[1]}: not {value:g}"


def _about(received: Any, right: Any) -> Any:
    """Return True for numbers that agree to three digits, as in mental arithmetic."""
    return np.isclose(received, right, rtol=2e-3, atol=1e-3)


@ask_for_value(
    "Multiply the first number of the query by the first of the key, the second by the "
    "second, and so on. Add the four products.",
    "Queries are the rows of Q and keys the rows of K: their places in the sentence "
    "say where the product stands.",
    "1·2 + 0·2 + 2·0 + 0·1, in the row and the column of 'bites', which is word 1.",
    what="The answer",
    entry="a number",
    line=_named("the dot product", "the row", "the column"),
    mistakes=[(_FROM_ZERO, [2, 2, 2])],
    slips=[
        (0, 5, "That is the query times itself."),
        (0, 9, "That is the key times itself."),
        (1, 2, _FROM_ZERO),
        (2, 2, _FROM_ZERO),
    ],
    held=["the dot product, and its place"],
)
def dot_product() -> list[float]:
    """Dot product of "bites" with itself, and where it stands."""
    return [2.0, 1, 1]


@ask_for_value(
    "Row 0 of P is row 1 of the identity: it picks entry 1 of the column.",
    "P picks the entries 1, 2, 0, in this order. The transpose undoes that.",
    "The first result is 20, 30, 10. The second is what you began with.",
    what="The answer",
    entry="a number",
    line=_in_row("P times the column", "the transpose times the result"),
    mistakes=[
        (
            "P and its transpose are swapped: new row 0 is old row 1.",
            [[30, 10, 20], [10, 20, 30]],
        ),
        (
            "The second is P times the result. The transpose undoes P.",
            [[20, 30, 10], [30, 10, 20]],
        ),
        (
            "The transpose undoes P: it does not leave its result as it is.",
            [[20, 30, 10], [20, 30, 10]],
        ),
    ],
    held=["both products"],
)
def permutation() -> list[list[float]]:
    """Multiply a column by a permutation matrix, and the result by the transpose."""
    return [[20.0, 30, 10], [10, 20, 30]]


@ask_for_value(
    "Equal scores get equal weights, and weights add up to 1.",
    "e to the power of minus infinity is 0: such a score gets no weight at all.",
    "Four equal weights, then three equal weights and a 0; each list adds up to 1.",
    what="The answer",
    entry="a number",
    line=_in_row("first list", "second list"),
    mistakes=[
        (
            "The weights of the second list must add up to 1, too.",
            [[0.25] * 4, [0.25, 0.25, 0.25, 0]],
        ),
        (
            "Minus infinity gets no weight: e to that power is 0.",
            [[0.25] * 4, [0.25] * 4],
        ),
        (
            "Divide by the sum: the weights of a list add up to 1.",
            [[1] * 4, [1, 1, 1, 0]],
        ),
        ("These are the scores. Softmax gives weights.", [[5] * 4, [5, 5, 5, 0]]),
        (
            "0.33 is rounded too far: give three digits, or write 1/3.",
            [[0.25] * 4, [0.33, 0.33, 0.33, 0]],
        ),
    ],
    held=["all eight weights"],
    close=_about,
)
def softmax() -> list[list[float]]:
    """Softmax of equal scores, and of equal scores of which one is masked."""
    return [[0.25] * 4, [1 / 3, 1 / 3, 1 / 3, 0.0]]


@ask_for_value(
    "Half a turn leads to the opposite side of the origin.",
    "Multiply by -1, since that is the point at half a turn on the circle of radius 1.",
    "The modulus is the root of 1·1 + 2·2. A turn does not change it.",
    what="The answer",
    entry="a number",
    line=_named(
        "the real part", "the imaginary part", "the first modulus", "the second"
    ),
    mistakes=[
        ("That is the mirror image, the conjugate.", [1, -2, 5**0.5, 5**0.5]),
        (
            "That is a mirror image, too: half a turn changes both signs.",
            [-1, 2, 5**0.5, 5**0.5],
        ),
        ("That is a quarter of a turn.", [-2, 1, 5**0.5, 5**0.5]),
        ("The modulus is the root of that.", [-1, -2, 5, 5]),
    ],
    held=["the point, and both moduli"],
    close=_about,
)
def half_turn() -> list[float]:
    """Where 1 + 2i lands after half a turn, and its modulus before and after."""
    return [-1, -2, 5**0.5, 5**0.5]


@ask_for_value(
    "It repeats when its angle has made a full turn.",
    "A full turn is 2 pi radians, and each token adds 0.01.",
    "Divide 2 pi, which is about 6.28, by 0.01.",
    what="The answer",
    entry="a number",
    line=_named("the number of tokens"),
    mistakes=[
        (
            "That would be right for a frequency of 0.01 turns per token. Here the "
            "angle grows by 0.01 radians.",
            [100],
        ),
        ("That is half a turn.", [314.16]),
        ("A full turn is 2 pi radians: 360 are its degrees.", [36_000]),
    ],
    held=["the period"],
    close=_about,
)
def period() -> list[float]:
    """After how many tokens a slow sine repeats."""
    return [2 * np.pi / 0.01]


@ask_for_value(
    "Write both shapes below one another, so that their right ends meet.",
    "An axis of 1 is repeated, and an axis that is missing counts as 1.",
    "Axis by axis from the right: 5 and 5, 1 and 3, 8 and 8, nothing and 2. In (8, 5) "
    "the 8 would meet the 3.",
    what="The answer",
    entry="a number, or True or False",
    line=lambda i, value: (
        f"axis {i} is not {value:g}" if i < 4 else "look again whether (8, 5) fits"
    ),
    mistakes=[
        (
            "That is the first array: the sum has the larger of each two axes.",
            [1, 8, 1, 5, 0],
        ),
        (
            "The shapes are lined up at the left: their right ends meet.",
            [8, 8, 5, 5, 0],
        ),
    ],
    slips=[(4, 1, "In (8, 5) the 8 meets the 3, and neither is 1.")],
    held=["the shape, and what fits"],
)
def broadcast_shape() -> list[float]:
    """Shape of a sum, and whether another bias fits."""
    return [2.0, 8, 3, 5, 0]


@ask_for_value(
    "In the (3, 4) array, row 2 begins at place 2·4 of the line.",
    "The number stays at place 8 of the line. Now rows have six numbers each.",
    "8 = 6·1 + 2.",
    what="The answer",
    entry="a number",
    line=_named("the row", "the column"),
    mistakes=[
        ("There it was before. Rows are now six long.", [2, 0]),
        ("That is its place in shape (4, 3). Rows are now six long.", [2, 2]),
        ("That goes down the columns. Reshape reads row by row.", [0, 1]),
        (_FROM_ZERO, [2, 3]),
    ],
    held=["row and column"],
)
def reshaped() -> list[float]:
    """Where a number stands after an array is reshaped."""
    return [1.0, 2]


@ask_for_value(
    "How many doublings lead from 8 to 64? Each has two steps.",
    "The floor is the largest whole number that is not above the number.",
    "Three doublings, two steps each. And -1 is above -1.5.",
    what="The answer",
    entry="a number",
    line=_named("the step", "the floor"),
    slips=[
        (0, 3, "That is the number of doublings. Each has two steps."),
        (0, 5, "The steps count from 0, and 64 is the first distance of its step."),
        (0, 7, "The steps count from 0, and 64 is the first distance of its step."),
        (1, -1, "-1 is above -1.5. The floor is not above its number."),
    ],
    held=["the step, and the floor"],
)
def step_and_floor() -> list[float]:
    """Step of a distance on a logarithmic scale, and a floor."""
    return [6.0, -2]


@ask_for_value(
    "At each place, add the three numbers above the weights.",
    "At both ends one of the three weights has a 0 of the padding above it.",
    "Two at the ends, three in the middle.",
    what="The answer",
    entry="a number",
    line=lambda i, value: f"place {i}: not {value:g}",
    mistakes=[
        ("At the ends one weight has a 0 above it.", [3, 3, 3, 3]),
        ("The middle weight stands at the place, not the last one.", [1, 2, 3, 3]),
        ("The middle weight stands at the place, not the first one.", [3, 3, 2, 1]),
    ],
    held=["all four numbers"],
)
def convolution() -> list[float]:
    """Equal weights that slide along equal numbers."""
    return [2.0, 3, 3, 2]


@ask_for_value(
    "How many halvings lead from 2 to the power of 23 down to 2 to the power of 20?",
    "Three. The gap is halved three times, from 1 on.",
    "1/2, 1/4, 1/8.",
    what="The answer",
    entry="a number",
    line=_named("the gap"),
    mistakes=[
        ("One halving more: from 23 to 20 there are three.", [0.25]),
        ("One halving less: from 23 to 20 there are three.", [0.0625]),
        (
            "The gap grows with the number: below 2 to the power of 23 it is smaller.",
            [8],
        ),
    ],
    held=["the gap"],
    close=lambda received, right: np.isclose(received, right, rtol=1e-3),
)
def gap() -> list[float]:
    """Gap between neighboring numbers of float32 just above one million."""
    return [0.125]
