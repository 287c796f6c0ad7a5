"""Exercise 1: how many features turn, from the keys."""

from typing import Any

from posenc.kit.exercises.tasks import ask_for_value

RIGHT = [20, 32, 32, 128, 128, 96]
_NAMES = ("a", "b", "c", "d", "e", "f")


def _line(index: Any, value: Any) -> str:
    return f"Config {_NAMES[index]}: not {value}."


@ask_for_value(
    "Start with the size of a head: head_dim if it is there and not null, else "
    "hidden_size / num_attention_heads. In c the head has two parts.",
    "Then the share: rotary_pct and partial_rotary_factor are shares of a head, "
    "rotary_dim and qk_rope_head_dim are features. Does the family read the key?",
    "a: 2560 / 32 = 80, a quarter of it. d: null counts as absent. e: Mistral reads "
    "head_dim, but no rotary_pct. f: 3072 / 24 = 128, three quarters of it.",
    what="The list of features",
    entry="a whole number",
    line=_line,
    mistakes=[
        ("These are planes. A plane has two features.", [n // 2 for n in RIGHT]),
        (
            "These are the features that do not turn.",
            [60, 96, 64, 0, 0, 32],
        ),
        (
            "These are whole heads. Some models turn a part of each alone.",
            [80, 128, 96, 128, 128, 128],
        ),
    ],
    slips=[
        (2, 64, "In c, qk_nope_head_dim counts features that do not turn."),
        (2, 96, "In c, qk_nope_head_dim counts features that do not turn."),
        (
            4,
            64,
            "In e the share is there, but Mistral does not read it: whole heads turn.",
        ),
        (3, 4096, "In d, 4096 is for all 32 heads."),
        (4, 160, "In e, head_dim is there: 5120 / 32 is not asked for."),
        (4, 80, "In e, head_dim is there, and Mistral does not read the share."),
        (0, 80, "In a, 80 is the whole head. rotary_pct says which share of it turns."),
        (5, 128, "In f, 128 is the whole head. Phi-3 reads the share that turns."),
        (0, 640, "In a, rotary_pct is a share of a head, not of all heads."),
    ],
    held=["all six configs"],
)
def turned_by_hand() -> list[int]:
    """Features of a query that turn, from the keys of six configs."""
    return RIGHT
