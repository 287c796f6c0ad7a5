"""Figures and exercises of the page before the first chapter."""
