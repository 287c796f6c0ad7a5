"""The widget of the map: methods by year, filtered by four questions."""

from .method_map import MethodMap

__all__ = ["MethodMap"]
