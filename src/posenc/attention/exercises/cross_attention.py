"""Exercise 6: cross-attention whose keys and values have lost step."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function


def _aligned(values: Any, key_order: Any, value_order: Any) -> Any:
    rows = []
    for token in key_order:
        (at,) = (n for n, other in enumerate(value_order) if other == token)
        rows.append(values[at])
    return np.asarray(rows)


_MISTAKES: Mistakes = [
    (
        "The values stand as they stood. Each has to stand where the key of the same "
        "token stands.",
        lambda values, key_order, value_order: values,
    ),
    (
        "This takes the values as if they stood in the order of the sentence. Where is "
        "the value of a token now? Look for its number in value_order.",
        lambda values, key_order, value_order: values[key_order],
    ),
    (
        "The values are back in the order of the sentence. But the keys are not: bring "
        "the values to theirs.",
        lambda values, key_order, value_order: values[np.argsort(value_order)],
    ),
    (
        "The shuffle of the values is done once more, not undone.",
        lambda values, key_order, value_order: values[value_order],
    ),
    (
        "value_order is used forward: value_order[n] is the token whose value stands "
        "at n. You need the place where a token's value stands, its inverse.",
        lambda values, key_order, value_order: values[value_order[key_order]],
    ),
    (
        "Both steps are right, but they come in the wrong order: first undo "
        "value_order, then apply key_order.",
        lambda values, key_order, value_order: values[key_order][
            np.argsort(value_order)
        ],
    ),
    (
        "The two orders are exchanged.",
        lambda values, key_order, value_order: values[
            np.argsort(key_order)[value_order]
        ],
    ),
]


def _show(failure: Failure) -> str:
    values, key_order, value_order = failure.args
    return (
        f"{failure.call}\n"
        f"values = {values.tolist()}\n"
        f"key_order = {key_order.tolist()}\n"
        f"value_order = {value_order.tolist()}\n"
        f"gives {np.asarray(failure.received).tolist()}, "
        f"should be {np.asarray(failure.right).tolist()}"
    )


@ask_for_function(
    "Take three tokens. The keys stand in the order 2, 0, 1, the values in the order "
    "1, 2, 0. Which row of the values belongs to the first key?",
    "First bring the values back to the order of the sentence. Which order undoes "
    "value_order? np.argsort(value_order).",
    "Then put them into the order of the keys: values[inverse][key_order].",
    right=_aligned,
    what="The matrix of values",
    axes="(tokens, value_dim)",
    problem="A value does not stand where its key stands.",
    example=_show,
    shown=["values", "key_order", "value_order"],
    mistakes=_MISTAKES,
    held=["each value stands where its key stands", "sentences of any length"],
)
def align_values(rng: Any) -> list[Case]:
    """Put values into the order in which the keys of a source sentence stand."""
    cases = []
    for length, width in [(3, 1), (4, 2), (6, 3), (9, 2), (700, 2)]:
        values = 10.0 * np.arange(length)[:, None] + np.arange(width)
        if length > 9:
            values = rng.normal(scale=1e5, size=values.shape).round(2)
        key_order, value_order = rng.permutation(length), rng.permutation(length)
        cases.append(case(values[value_order], key_order, value_order))
    return cases
