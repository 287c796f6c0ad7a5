"""The widget of the first chapter: shuffle the words, compare weights and outputs."""

from .shuffled_attention import ShuffledAttention

__all__ = ["ShuffledAttention"]
