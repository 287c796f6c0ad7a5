"""Figures of a checkpoint: how fast its planes turn, and what others took when."""

from .checkpoint_picture import draw, save, wavelengths
from .head_parts import heads
from .layers import layer_kinds
from .opening_picture import opening
from .picture_places import places, places_of
from .stretched import slowed
from .timeline import history

__all__ = [
    "draw",
    "heads",
    "history",
    "layer_kinds",
    "opening",
    "places",
    "places_of",
    "save",
    "slowed",
    "wavelengths",
]
