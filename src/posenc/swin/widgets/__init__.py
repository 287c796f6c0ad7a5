"""The widget of the chapter on Swin: two cells, their offset, a row of the table."""

from .window_index import WindowIndex

__all__ = ["WindowIndex"]
