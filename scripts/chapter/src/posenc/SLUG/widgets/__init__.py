"""The widget of the chapter TITLE: a line whose slope readers change."""

from .FRONT import CLASSLine

__all__ = ["CLASSLine"]
