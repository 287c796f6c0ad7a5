"""The map of methods since 2017: the year of each, and its change."""

from .entries import ENTRIES, QUESTIONS, Entry, matching, table

__all__ = ["ENTRIES", "QUESTIONS", "Entry", "matching", "table"]
