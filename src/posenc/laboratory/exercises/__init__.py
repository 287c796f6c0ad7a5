"""Exercises of the laboratory: a prediction, controls, and a learning curve."""

# In the order of the page.
from . import experiments

__all__ = ["experiments"]
