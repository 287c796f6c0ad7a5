"""The picture of the map: methods by year, with a mark for each answer."""

from .method_chart import alt_text, chart

__all__ = ["alt_text", "chart"]
