"""The map of methods since 2017: when each came, and what it changed."""

from .entries import ENTRIES, QUESTIONS, Entry, matching, table

__all__ = ["ENTRIES", "QUESTIONS", "Entry", "matching", "table"]
