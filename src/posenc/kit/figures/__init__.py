"""Drawings of arrays with matplotlib: each takes ``ax=None`` and returns the Axes."""
