"""The widget of the chapter on CAPE: tokens on a time line, moved by chance."""

from .augmented_timeline import AugmentedTimeline

__all__ = ["AugmentedTimeline"]
