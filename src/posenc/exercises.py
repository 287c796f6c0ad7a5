"""Checks, hints and progress for the book's exercises; see `posenc.kit.exercises`."""

from .kit.exercises import Hint, Progress, Result, check, hint, names, progress

__path__: list[str] = []  # for old names of modules, such as posenc.exercises.t5
__all__ = ["Hint", "Progress", "Result", "check", "hint", "names", "progress"]
