"""Torch modules: each holds parameters and calls the array function of its chapter."""

from .t5 import RelativePositionBias

__all__ = ["RelativePositionBias"]
