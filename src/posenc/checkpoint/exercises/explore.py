"""Exercise 8: what the keys do, read off the widget."""

from typing import Any

from posenc.kit.exercises.tasks import ask_for_value

RIGHT = [25, 25, 23, 14]
_NAMES = (
    "SmolLM3 3B at step 0",
    "SmolLM3 3B at step 1",
    "the window layers of gpt-oss 20B",
    "the other layers of gpt-oss 20B",
)


@ask_for_value(
    "Choose the model, move to the step, and read the sentences below the picture.",
    "For SmolLM3 3B compare the steps 0 and 1. The planes that never finish a turn "
    "are those above the line of the trained length.",
    "For gpt-oss 20B stay at step 0: the sentence of each kind of layers names its own "
    "length, the window or the trained one.",
    what="The list of planes",
    entry="a whole number",
    line=lambda index, value: f"For {_NAMES[index]} it is not {value}.",
    mistakes=[
        (
            "These are planes that do finish a turn.",
            [64 - 25, 64 - 25, 32 - 23, 32 - 14],
        ),
        (
            "The two kinds of layers are exchanged.",
            [25, 25, 14, 23],
        ),
        (
            "Layers with a window are compared with it, not with the trained length.",
            [25, 25, 14, 14],
        ),
    ],
    slips=[
        (
            3,
            RIGHT[2],
            "This is the number of the window layers. Read the line of the other "
            "layers.",
        )
    ],
    held=["two lengths", "two kinds of layers"],
)
def never_round() -> list[Any]:
    """Planes that never finish a turn, in two models of the widget."""
    return RIGHT
