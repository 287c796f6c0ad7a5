"""The widgets of the comparison: a sentence that moves, and matrices side by side."""

from .method_matrices import MethodMatrices
from .shifted_sentence import ShiftedSentence

__all__ = ["MethodMatrices", "ShiftedSentence"]
