"""What is right, written a second time, in plain loops; imports nothing of ours."""

import numpy as np


def scaled(positions: np.ndarray, scale: float) -> np.ndarray:
    """Each position times `scale`."""
    found = np.zeros(len(positions))
    for i, position in enumerate(positions):
        found[i] = scale * position
    return found
