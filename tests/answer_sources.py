"""Wrong answers, made from right ones by replacing pieces of their code."""

import cmath
import math

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
