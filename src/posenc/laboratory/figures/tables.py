"""Results of the laboratory as tables."""

from posenc.core.markdown import Markdown

from .trained_results import LOOKS, Tested, lengths, results


def accuracy_table(task: str) -> Markdown:
    """Accuracy in percent at every length: lowest to highest of the seeds.

    A dash alone stands where an encoding is not defined.

    Parameters
    ----------
    task : str
        A task with results.
    """
    tested = results(task)
    columns = lengths(tested.values())
    rows = [
        [_name(name, one), *(_spread(one.accuracy.get(n)) for n in columns)]
        for name, one in tested.items()
    ]
    return _markdown(["Encoding", *(f"{n:,}" for n in columns)], rows)


def training_table(task: str) -> Markdown:
    """Steps, time and parameters of every encoding that was trained on a task.

    Parameters
    ----------
    task : str
        A task with results.
    """
    rows = []
    for name, one in results(task).items():
        if one.runs[0]["plan"]["encoding"] != name:
            continue
        steps = [run["steps"] for run in one.runs if run["solved"]]
        low, high = (f"{f(steps):,}" if steps else "–" for f in (min, max))
        rows.append(
            [
                _name(name, one),
                f"{one.solved} of {len(one.runs)}",
                low if low == high else f"{low}–{high}",
                f"{one.milliseconds:.0f}",
                f"{one.runs[0]['parameters']:,}",
            ]
        )
    head = ["Encoding", "Solved", "after steps", "ms per step", "Parameters"]
    return _markdown(head, rows)


def _name(name: str, one: Tested) -> str:
    """Title with a link; a star where a run did not solve its task."""
    look = LOOKS[name]
    star = "" if one.solved == len(one.runs) else "\\*"
    return f"[{look.title}]({look.chapter}.md){star}"


def _spread(values: tuple[float, ...] | None) -> str:
    if values is None:
        return "–"
    low, high = (f"{100 * f(values):.0f}" for f in (min, max))
    return low if low == high else f"{low}–{high}"


def _markdown(head: list[str], rows: list[list[str]]) -> Markdown:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return Markdown("\n".join(f"| {' | '.join(cells)} |" for cells in lines))
