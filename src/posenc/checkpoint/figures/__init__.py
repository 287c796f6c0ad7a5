"""Figures of a checkpoint: how fast its planes turn, and what others took when."""

from .speeds import draw, heads, opening, save, slowed, wavelengths
from .survey import history, layer_kinds, places, places_of

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
