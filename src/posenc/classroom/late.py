"""Penalty for late work: one rule, stated in the course's ``nbgrader_config.py``."""

import math
from collections.abc import Mapping
from typing import Any

__all__ = ["late_penalty"]

#: Keys of a rule, and their values where it says nothing.
RULE = {"points_per_day": 0.0, "grace_hours": 0.0, "at_most": math.inf}


def late_penalty(seconds: float, rule: Mapping[str, Any]) -> float:
    """Return the points that work loses if it is handed in late.

    Parameters
    ----------
    seconds : float
        How late it is.
    rule : mapping
        ``points_per_day`` for each day that has begun since the due date,
        ``grace_hours`` in which nothing is lost, and ``at_most`` as many points. An
        empty rule costs nothing.

    Raises
    ------
    ValueError
        If the rule has another key, or a value that is no number of at least 0.

    Examples
    --------
    >>> rule = {"points_per_day": 2, "grace_hours": 6, "at_most": 5}
    >>> [late_penalty(3600 * hours, rule) for hours in (6, 7, 25, 100)]
    [0.0, 2.0, 4.0, 5.0]
    """
    for key, value in rule.items():
        if key not in RULE:
            msg = f"the late rule must have keys of {', '.join(RULE)}, got {key!r}"
            raise ValueError(msg)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not value >= 0
        ):
            msg = f"the late rule: {key} must be a number of at least 0, got {value!r}"
            raise ValueError(msg)
    stated = {**RULE, **rule}
    if seconds <= 3600 * stated["grace_hours"]:
        return 0.0
    days = math.ceil(seconds / 86400)
    return float(min(days * stated["points_per_day"], stated["at_most"]))
