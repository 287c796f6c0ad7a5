"""The trait of a reader's guess, made before a widget reveals the answer."""

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
