"""The widget of the chapter on rotation: clocks, block matrix, similarity."""

from .shift_clocks import ShiftClocks

__all__ = ["ShiftClocks"]
