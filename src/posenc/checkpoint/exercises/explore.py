"""Exercise 8: what the keys do, read off the widget."""

from typing import Any

from posenc.kit.exercises.tasks import ask_for_value

RIGHT = [18, 33, 23, 14]
_NAMES = (
    "Code Llama 7B before its base is named",
    "Code Llama 7B with its base",
    "the window layers of gpt-oss 20B",
    "the other layers of gpt-oss 20B",
)


@ask_for_value(
    "Choose the model, move to the step, and read the sentences below the picture.",
    "For Code Llama 7B compare the steps 0 and 1. The planes that never finish a turn "
    "are those above the line of the trained length.",
    "For gpt-oss 20B stay at step 0: the sentence of each kind of layers names its own "
    "length, the window or the trained one.",
    what="The list of planes",
    entry="a whole number",
    line=lambda index, value: f"For {_NAMES[index]} it is not {value}.",
    mistakes=[
        (
            "These are planes that do finish a turn.",
            [64 - 18, 64 - 33, 32 - 23, 32 - 14],
        ),
        (
            "The two steps, and the two kinds of layers, are exchanged.",
            [33, 18, 14, 23],
        ),
        (
            "Layers with a window are compared with it, not with the trained length.",
            [18, 33, 14, 14],
        ),
    ],
    slips=[(1, 27, "27 is for texts of 16,384 tokens, one step further.")],
    held=["two bases", "two kinds of layers"],
)
def never_round() -> list[Any]:
    """Planes that never finish a turn, in two models of the widget."""
    return RIGHT
