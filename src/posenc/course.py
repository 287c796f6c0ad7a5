"""Plans for teaching with the book: which pages, in which order, how long they take.

Minutes, widgets and points come from ``book/data/workload.json``, which
``scripts/make_notebooks.py`` writes from the chapters; so a plan cannot promise other
numbers than they do.
"""

from typing import Any

from . import comparison, data, errata

__all__ = ["graded", "homework", "lecture", "weeks", "widgets"]

#: What a chapter cannot do without: it uses that without saying it again.
NEEDS: dict[str, tuple[str, ...]] = {
    "sinusoidal": ("attention",),
    "rotation": ("sinusoidal",),
    "shaw": ("attention",),
    "transformer_xl": ("rotation",),
    "swin": ("t5",),
    "linear_attention": ("rope",),
    "alibi": ("t5",),
    "cape": ("attention", "sinusoidal"),
}
#: What makes a chapter easier, or what it goes on with; it can be read without.
HELPS: dict[str, tuple[str, ...]] = {
    "music_transformer": ("shaw",),
    "transformer_xl": ("music_transformer",),
    "swin": ("shaw",),
    "rope": ("rotation",),
    "convolutional": ("shaw",),
    "cape": ("convolutional",),
}

#: One lecture of 90 minutes: minutes, page, what happens.
LECTURE: tuple[tuple[int, str, str], ...] = (
    (15, "attention", "Shuffle the words. Which outputs change? Nobody should guess."),
    (20, "sinusoidal", "Count in binary on the board, then smooth the digits."),
    (10, "rotation", "One step turns every clock by its own angle. No proof today."),
    (15, "t5", "One number for each range of distances. Find the last bucket."),
    (20, "rope", "Move query and key together: what stays? Then the two layouts."),
    (
        10,
        "compare",
        "All methods on the same words. Which one would you take, and why?",
    ),
)
#: What a student can do alone after that lecture.
HOMEWORK = (
    "attention.symmetries",
    "sinusoidal.by_hand",
    "t5.relative_position_bucket",
    "rope.turn_by_hand",
    "rope.repair_layout",
)

#: Pages of each week. Exercises of a page are all of its exercises.
WEEKS: dict[str, tuple[tuple[str, ...], ...]] = {
    "four weeks": (
        ("attention", "sinusoidal"),
        ("shaw", "t5"),
        ("rotation", "rope"),
        ("alibi", "laboratory", "compare"),
    ),
    "term": (
        ("attention",),
        ("sinusoidal",),
        ("rotation",),
        ("shaw",),
        ("music_transformer",),
        ("transformer_xl",),
        ("t5",),
        ("swin",),
        ("rope",),
        ("linear_attention",),
        ("convolutional",),
        ("alibi",),
        ("cape", "laboratory", "compare"),
    ),
}


def weeks(plan: str) -> errata.Shown:
    """Table of a plan: pages, widgets, minutes and points of each week, and sums.

    Parameters
    ----------
    plan : {"four weeks", "term"}
        Which plan.
    """
    if plan not in WEEKS:
        msg = f"plan must be one of {sorted(WEEKS)}, got {plan!r}"
        raise ValueError(msg)
    rows, sums = [], [0] * 4
    for number, some in enumerate(WEEKS[plan], start=1):
        counts = [sum(column) for column in zip(*map(_counts, some), strict=True)]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        linked = ", ".join(f"{{doc}}`{page}`" for page in some)
        shown = ", ".join(f"`{name}`" for page in some for name in widgets(page))
        rows.append((str(number), [linked, shown, *map(str, counts)]))
    pages = [page for some in WEEKS[plan] for page in some]
    totals = [len(pages), sum(len(widgets(page)) for page in pages), *sums]
    rows.append(("**all**", [f"**{total}**" for total in totals]))
    heads = ["pages", "widgets", "reading, min", "exercises", "doing, min", "points"]
    return errata.Shown(comparison.stacked("week", heads, rows))


def lecture() -> errata.Shown:
    """Table of the single lecture: from minute to minute."""
    rows, start = [], 0
    for minutes, page, words in LECTURE:
        shown = ", ".join(f"`{name}`" for name in widgets(page)[:1])
        rows.append((f"{start}–{start + minutes}", [f"{{doc}}`{page}`", shown, words]))
        start += minutes
    return errata.Shown(
        comparison.stacked("minute", ["page", "widget", "what happens"], rows)
    )


def homework() -> errata.Shown:
    """Sentence: the exercises after the lecture, and their points."""
    points = {name: _points(name) for name in HOMEWORK}
    named = ", ".join(f"`{name}` ({count})" for name, count in points.items())
    return errata.Shown(f"{named}: {sum(points.values())} points in all.")


def graded() -> errata.Shown:
    """Table of the submissions that nbgrader has graded, by kind, with their points."""
    results = data.load("bench_classroom")["results"]
    lines = [
        f"| Handed in | How many | Points of {results['highest']:g} |",
        "|:--|--:|--:|",
    ]
    for kind, scores in results["kinds"].items():
        found = ", ".join(f"{score:g}" for score in sorted(set(scores)))
        lines.append(f"| {kind} | {len(scores)} | {found} |")
    return errata.Shown("\n".join(lines))


def widgets(page: str) -> list[str]:
    """Names of the widgets on a page, in their order."""
    found: list[str] = _workload(page)["widgets"]
    return found


def _counts(page: str) -> tuple[int, int, int, int]:
    """Minutes of reading, number of exercises, minutes for them, points."""
    load = _workload(page)
    points = load["points"].values()
    return load["reading"], len(points), load["doing"], sum(points)


def _points(exercise: str) -> int:
    slug, _, name = exercise.partition(".")
    points: int = _workload(slug)["points"][name]
    return points


def _workload(page: str) -> Any:
    return data.load("workload")[page]
