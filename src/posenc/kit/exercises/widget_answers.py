"""Settings of a widget that a learner has found, as plain data."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from .attempt import Attempt, is_blank


def read_setting(
    attempt: Attempt, what: str, value: Any, names: Iterable[str]
) -> dict[str, Any]:
    """Read a dict with the widget's names, or the values in their order."""
    names = list(names)
    if is_blank(value):
        attempt.reject(f"{what} is still to be found.")
    if isinstance(value, list | np.ndarray) and len(value) == len(names):
        value = dict(zip(names, value, strict=True))
    if not isinstance(value, dict) or set(value) != set(names):
        fields = ", ".join(f"{name}=…" for name in names)
        attempt.reject(f"{what} must look like dict({fields}).")
    return {name: value[name] for name in names}


def read_settings(
    attempt: Attempt, names: Iterable[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the three settings of an answer, each with its name for a sentence."""
    names = list(names)
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 3:
        attempt.reject(f"The answer is a list of three settings, got {attempt.kind}.")
    for which, value in zip(("first", "second", "third"), answer, strict=True):
        what = f"The {which} setting"
        yield what, read_setting(attempt, what, value, names)


def check_ranges(
    attempt: Attempt,
    what: str,
    setting: Mapping[str, Any],
    ranges: Mapping[str, tuple[int, int]],
) -> None:
    """Reject a value that is no whole number between its bounds."""
    for name, (least, most) in ranges.items():
        if type(setting[name]) is not int or not least <= setting[name] <= most:
            attempt.reject(
                f"{name} of {what[0].lower()}{what[1:]} must be a whole number from "
                f"{least} to {most}."
            )
