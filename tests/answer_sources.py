"""Answers to exercises: where they are, and how wrong ones are made of right ones."""

import cmath
import functools
import importlib.util
import math
from pathlib import Path

import numpy as np
import torch

import posenc

KNOWN = {"cmath": cmath, "math": math, "np": np, "posenc": posenc, "torch": torch}


def made(source, *replacements):
    """Last function that `source` defines, with old pieces replaced by new ones."""
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    namespace = dict(KNOWN)
    exec(source, namespace)
    return [f for f in namespace.values() if hasattr(f, "__code__")][-1]


@functools.cache
def answers_of(slug):
    """Module ``tests/<slug>/answers.py``: ``RIGHT`` and ``WRONG`` of each exercise."""
    path = Path(__file__).parent / slug / "answers.py"
    spec = importlib.util.spec_from_file_location(f"answers_of_{slug}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
