"""The widgets of the chapter on Transformer-XL: reach, the shift, the four terms."""

from .four_terms import FourTerms
from .segment_reach import SegmentReach
from .shift_steps import ShiftSteps

__all__ = ["FourTerms", "SegmentReach", "ShiftSteps"]
