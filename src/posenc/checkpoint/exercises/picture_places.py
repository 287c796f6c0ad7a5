"""Exercises 7 and 8: positions of pictures and films, and keys read off the widget."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import multimodal_places


def _tail(table: Any, after: int, start: int) -> Any:
    """Return the table with the text after the picture at another place."""
    table = table.copy()
    if after:
        table[:, -after:] = start + np.arange(after)
    return table


def _one_time(b: int, f: int, r: int, c: int, a: int) -> Any:
    table = multimodal_places(b, f, r, c, a)
    table[0, b : b + f * r * c] = b
    return table


def _from_zero(b: int, f: int, r: int, c: int, a: int) -> Any:
    """Count rows and columns of the picture from 0, times and texts as is right."""
    return np.concatenate(
        [
            multimodal_places(b, 0, 0, 0, 0),
            multimodal_places(0, f, r, c, 0) + np.asarray([[b], [0], [0]]),
            multimodal_places(b, f, r, c, a)[:, b + f * r * c :],
        ],
        axis=1,
    )


_MISTAKES: Mistakes = [
    (
        "The text after the picture goes on at the number of tokens. It goes on right "
        "after the largest position so far.",
        lambda b, f, r, c, a: _tail(multimodal_places(b, f, r, c, a), a, b + f * r * c),
    ),
    (
        "The text after the picture goes on at the largest position itself, not "
        "after it.",
        lambda b, f, r, c, a: _tail(
            multimodal_places(b, f, r, c, a), a, b + max(f, r, c) - 1
        ),
    ),
    (
        "Where the text goes on, the frames are forgotten: a film may have more frames "
        "than rows and columns.",
        lambda b, f, r, c, a: _tail(multimodal_places(b, f, r, c, a), a, b + max(r, c)),
    ),
    (
        "All frames have one time. Frame f has the time before + f.",
        _one_time,
    ),
    (
        "Rows and columns of the picture are exchanged.",
        lambda b, f, r, c, a: multimodal_places(b, f, r, c, a)[[0, 2, 1]],
    ),
    (
        "The picture's rows and columns begin at 0. They begin after the text.",
        _from_zero,
    ),
    (
        "The picture's rows and columns begin at 0. They begin after the text.",
        lambda b, f, r, c, a: _tail(_from_zero(b, f, r, c, a), a, max(b + f, r, c)),
    ),
    (
        "All tokens are counted through, as in a text.",
        lambda b, f, r, c, a: np.tile(np.arange(b + f * r * c + a), (3, 1)),
    ),
]


def _show(failure: Failure) -> str:
    axis, token = failure.entry
    name = ("time", "row", "column")[axis]
    return f"{failure.call}\n{name} of token {token}: {failure.gives}"


@ask_for_function(
    "A token of text has one position, three times. What has a patch?",
    "A patch has before + frame, before + its row, before + its column.",
    "The text after the picture starts at before + max(frames, rows, columns).",
    right=multimodal_places,
    what="The table of positions",
    problem="A token is not where the model expects it.",
    mistakes=_MISTAKES,
    held=["text alone", "a picture", "a film", "text after it"],
    example=_show,
    axes="(3, tokens)",
)
def multimodal_positions(rng: Any) -> Any:
    """Positions on three axes of text, a picture or a film, and text."""
    drawn = [tuple(map(int, row)) for row in rng.integers(1, 6, size=(3, 5))]
    return [
        (2, 1, 1, 1, 1),
        (1, 1, 2, 3, 2),
        (3, 1, 4, 2, 1),
        (2, 5, 2, 3, 2),
        (0, 1, 3, 3, 0),
        (70, 1, 3, 50, 90),
        (1, 1, 1, 600, 1),
        (1, 1, 600, 1, 1),
        (1, 600, 1, 1, 1),
        (200, 1, 1, 1, 200),
        *drawn,
    ]


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
