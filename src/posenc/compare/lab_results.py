"""Runs of the laboratory in words: how far an encoding carries beyond its training."""

from collections.abc import Mapping

from posenc.laboratory import Tested, results

#: Tasks of the comparison: those on which every encoding was trained with three seeds.
TASKS = ("copy", "index")
#: Lengths shown, as multiples of the trained one.
STRETCHES = (1, 2, 16)
#: Words for another encoding that shares the trained model of the first.
_VARIANTS = {
    "rope_interpolation": "interpolated",
    "rope_ntk": "NTK",
    "rope_yarn": "YaRN",
}


def titled(title: str, encoding: str) -> str:
    """Return the name of an encoding, its method's and its difference from it."""
    variant = _VARIANTS.get(encoding)
    return f"{title} ({variant})" if variant else title


def words(task: str, encoding: str) -> str:
    """Return accuracies in percent, at the trained length and beyond.

    They are those of the runs that solved the task, with a star if others did not; in
    brackets those of all runs, if none did.
    """
    tested = results(task).get(encoding)
    if tested is None:
        return "not trained"
    solved = any(tested.solved)
    counted = tested.of_solved if solved else tested.of_unsolved
    shown = " → ".join(_range(counted(tested.trained_length * n)) for n in STRETCHES)
    return shown + _star(tested) if solved else f"({shown})"


def groups(task: str, titles: Mapping[str, str], times: int) -> dict[str, list[str]]:
    """Group encodings by their solved runs' answers at `times` the trained length.

    Keys are "kept" (nine of ten in every run), "between", "lost" (less than half in
    every run), "undefined", and "unsolved": no run solved the task.
    """
    by_outcome: dict[str, list[str]] = {
        key: [] for key in ("kept", "between", "lost", "undefined", "unsolved")
    }
    for encoding, title in titles.items():
        tested = results(task).get(encoding)
        if tested is None:
            continue
        name = titled(title, encoding)
        if any(tested.solved):
            name += _star(tested)
        by_outcome[_group(tested, times)].append(name)
    return by_outcome


def sentence(task: str, titles: Mapping[str, str], times: int) -> str:
    """Write the groups as a sentence."""
    by_outcome = groups(task, titles, times)
    if not any(by_outcome.values()):
        return f"No run of the task `{task}` lies in this checkout yet."
    listed = {
        words: ", ".join(by_outcome[key])
        for key, words in (
            ("kept", "nine of ten answers or more"),
            ("between", "in between"),
            ("lost", "less than half"),
            ("undefined", "no value there"),
            ("unsolved", "not solved at the trained length"),
        )
        if by_outcome[key]
    }
    parts = "; ".join(f"{key}: **{names}**" for key, names in listed.items())
    return f"Task `{task}`, at {times} times the trained length: {parts}."


def _group(tested: Tested, times: int) -> str:
    if not any(tested.solved):
        return "unsolved"
    shares = tested.of_solved(tested.trained_length * times)
    if not shares:
        return "undefined"
    if min(shares) >= 0.9:
        return "kept"
    return "lost" if max(shares) < 0.5 else "between"


def _star(tested: Tested) -> str:
    return "" if all(tested.solved) else "\\*"


def _range(measured: tuple[float, ...] | list[float]) -> str:
    if not measured:
        return "undefined"
    low, high = (f"{100 * share:.0f}" for share in (min(measured), max(measured)))
    return low if low == high else f"{low}–{high}"
