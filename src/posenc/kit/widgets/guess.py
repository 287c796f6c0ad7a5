"""The trait of what a reader guesses before a widget reveals it."""

import traitlets

__all__ = ["steps"]


def steps(handles: int, most: int) -> "traitlets.List[int]":
    """Return a trait: the steps from −most … most by which each handle was moved."""
    return traitlets.List(
        traitlets.Int(min=-most, max=most),
        default_value=[0] * handles,
        minlen=handles,
        maxlen=handles,
    )
