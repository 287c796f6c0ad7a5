"""Figures of the chapter TITLE."""

from .opening_picture import opening

__all__ = ["opening"]
