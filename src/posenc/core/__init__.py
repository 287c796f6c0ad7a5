"""Foundations of all code: arrays, angles, checks, the list of chapters, data."""
