"""The widgets of the chapter on the skew: its three steps, and what memory it saves."""

from .memory_calculator import MemoryCalculator
from .skew_steps import SkewSteps

__all__ = ["MemoryCalculator", "SkewSteps"]
