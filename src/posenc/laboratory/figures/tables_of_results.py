"""Results of the laboratory as tables."""

from collections.abc import Mapping, Sequence

from posenc.core.markdown import Markdown, page_link, stacked
from posenc.laboratory import TASKS, first_solved, lengths, results, tuning

from .looks import LOOKS, own_model, shown


def accuracy_table(task: str) -> Markdown:
    """Return accuracy in percent at every length, the seeds' lowest and highest.

    Runs that solved the task come first; those that did not have rows of their own.

    Parameters
    ----------
    task : str
        A task with results.
    """
    tested = shown(task)
    columns = lengths(tested.values())
    rows, unsolved = [], []
    for name, model in tested.items():
        title, all_runs = _title(name), len(model.runs)
        if solved := sum(model.solved):
            cells = [spread(model.of_solved(n)) for n in columns]
            rows.append((title, [f"{solved}/{all_runs}", *cells]))
        if own_model(name, model) and solved < all_runs:
            cells = [spread(model.of_unsolved(n)) for n in columns]
            unsolved.append((title, [f"*{all_runs - solved}/{all_runs}*", *cells]))
    heads = ["runs", *(f"{n:,}" for n in columns)]
    if unsolved:
        rows.append(("*not solved:*", ["" for _ in heads]))
    return Markdown(_table("encoding", heads, [*rows, *unsolved]))


def tuning_table() -> Markdown:
    """Tabulate each learning rate's result on the tasks that choose it; bold is best.

    Its two numbers are answers in percent at the trained length, and at twice that.
    """
    tasks = [task for task in TASKS if tuning(task)]
    rates = sorted(
        {
            rate
            for task in tasks
            for by_rate in tuning(task).values()
            for rate in by_rate
        }
    )
    rows = []
    for name, look in LOOKS.items():
        mine = [tuning(task).get(name, {}) for task in tasks]
        if not all(mine) or any(
            not own_model(name, x) for by_rate in mine for x in by_rate.values()
        ):
            continue
        cells = []
        for rate in rates:
            words = "; ".join(
                f"{spread(by_rate[rate].accuracy.get(64))} → "
                f"{spread(by_rate[rate].accuracy.get(128))}"
                for by_rate in mine
            )
            chosen = results(tasks[0])[name].learning_rate == rate
            cells.append(f"**{words}**" if chosen else words)
        rows.append((page_link(look.title, look.chapter), cells))
    return Markdown(stacked("encoding", [f"{rate:g}" for rate in rates], rows))


def learning_table() -> Markdown:
    """Return when each learning curve shows a solution, and each model's parameters."""
    tasks = [task for task in TASKS if tuning(task)]
    rows = []
    for name, look in LOOKS.items():
        mine = [shown(task)[name] for task in tasks]
        if not own_model(name, mine[0]):
            continue
        cells = []
        for model in mine:
            steps = [first_solved(run) for run in model.runs]
            cells.append(", ".join("–" if s is None else f"{s:,}" for s in steps))
        cells.append(f"{mine[0].runs[0]['parameters']:,}")
        rows.append((page_link(look.title, look.chapter), cells))
    heads = [*(f"`{task}`" for task in tasks), f"parameters (`{tasks[0]}`)"]
    return Markdown(_table("encoding", heads, rows))


def rules_table(rules: Mapping[str, Mapping[str, Mapping[int, float]]]) -> Markdown:
    """Tabulate what simple rules answer, in percent.

    Parameters
    ----------
    rules : mapping
        By task and name of the rule: share of right answers by length.
    """
    columns = sorted(
        {n for by_rule in rules.values() for row in by_rule.values() for n in row}
    )
    rows = [
        (f"`{task}`", [rule, *(f"{100 * shares[n]:.0f}" for n in columns)])
        for task, by_rule in rules.items()
        for rule, shares in by_rule.items()
    ]
    return Markdown(_table("task", ["rule", *(f"{n:,}" for n in columns)], rows))


def spread(values: Sequence[float] | None) -> str:
    """Return the lowest and highest share in percent."""
    if not values:
        return "–"
    low, high = (f"{100 * f(values):.0f}" for f in (min, max))
    return low if low == high else f"{low}–{high}"


def _title(name: str) -> str:
    return page_link(LOOKS[name].title, LOOKS[name].chapter)


def _table(first: str, heads: list[str], rows: list[tuple[str, list[str]]]) -> str:
    lines = [[first, *heads], [":--", *["--:"] * len(heads)]]
    lines += [[title, *cells] for title, cells in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
