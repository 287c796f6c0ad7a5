"""What is right, written a second time, in plain loops; imports nothing of ours."""


def scaled(positions: list[float], factor: float) -> list[float]:
    """Each position times `factor`."""
    found = []
    for position in positions:
        found.append(factor * position)
    return found
