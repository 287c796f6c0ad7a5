"""The widget of the laboratory: encodings side by side, run by run."""

from .trained_runs import TrainedRuns

__all__ = ["TrainedRuns"]
