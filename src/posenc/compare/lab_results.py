"""Runs of the laboratory in words: how far an encoding carries beyond its training."""

from typing import Any

#: As `posenc.core.data.load_folder("lab")` gives it: content of each file, by its name.
Results = dict[str, Any]

#: Tasks of the comparison, and the lengths shown, as multiples of the trained one.
TASKS = ("copy", "index", "recall", "language")
STRETCHES = (1, 2, 16)
#: What is said of another encoding that shares the trained model of the first.
_VARIANTS = {
    "rope_interpolation": "interpolated",
    "rope_ntk": "NTK",
    "rope_yarn": "YaRN",
}


def titled(title: str, encoding: str) -> str:
    """Name of an encoding: that of its method, and what is different in it."""
    variant = _VARIANTS.get(encoding)
    return f"{title} ({variant})" if variant else title


def words(results: Results, task: str, encoding: str) -> str:
    """Accuracies in percent, at the trained length and beyond."""
    measured = [accuracies(results, task, encoding, n) for n in STRETCHES]
    if measured[0] == []:
        return "not trained"
    return " → ".join(map(_range, measured))


def accuracies(
    results: Results, task: str, encoding: str, times: int
) -> list[float] | None:
    """Accuracy of each seed at `times` the trained length; None if undefined."""
    found: list[float] = []
    for run in results.values():
        if run["plan"].get("task") != task or encoding not in run.get("tests", {}):
            continue
        length = run["plan"]["sizes"]["train_len"] * times
        measured = run["tests"][encoding][str(length)]
        if measured is None:
            return None
        found.append(measured["accuracy"])
    return sorted(found)


def sentence(
    results: Results, titles: dict[str, str], task: str, times: int, share: float
) -> str:
    """Which encodings keep at least `share` of the answers right, and which do not."""
    groups: dict[str, list[str]] = {"kept": [], "lost": [], "never": []}
    for encoding, title in titles.items():
        first, later = (accuracies(results, task, encoding, n) for n in (1, times))
        if not first:
            continue
        name = titled(title, encoding)
        if first[0] < share:
            groups["never"].append(name)
        else:
            groups["kept" if later and later[0] >= share else "lost"].append(name)
    if not any(groups.values()):
        return f"No run of the task `{task}` lies in this checkout yet."
    listed = {key: ", ".join(names) or "none" for key, names in groups.items()}
    return (
        f"Task `{task}`, every seed, at least {share:.0%} of the answers right. At the "
        f"trained length *and* at {times} times that: **{listed['kept']}**. At the "
        f"trained length only: **{listed['lost']}**. Not even there: "
        f"**{listed['never']}**."
    ).replace("%", " %")


def _range(measured: list[float] | None) -> str:
    if measured is None:
        return "undefined"
    low, high = (f"{100 * share:.0f}" for share in (measured[0], measured[-1]))
    return low if low == high else f"{low}–{high}"
