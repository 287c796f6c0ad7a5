"""The widget of the chapter on convolution: one impulse, or frames that are equal."""

from .impulse_and_borders import ImpulseAndBorders

__all__ = ["ImpulseAndBorders"]
