"""Plans for teaching with the book: which pages, in which order, how long they take.

All of it stands in the chapters' ``chapter.toml``: minutes, weeks, what a page needs,
its part of the lecture. Points are those of the exercises. So a plan cannot promise
other numbers than the chapters do.
"""

from collections.abc import Sequence

from posenc.core import data
from posenc.core.chapters import chapters, insert_after, metadata, pages, with_key
from posenc.core.markdown import Markdown, stacked
from posenc.kit.exercises.registry import names

from .points import on_paper, points

__all__ = [
    "assignments",
    "graded",
    "homework",
    "lecture",
    "minutes_of_weeks",
    "weeks",
    "widgets",
]

#: Chapters that a chapter needs: it uses them without explaining them again.
NEEDS: dict[str, list[str]] = with_key("needs")
#: Chapters that make a chapter easier, or that it continues; they are optional.
HELPS: dict[str, list[str]] = with_key("helped_by")


#: Plans of the teacher's guide that come with assignments.
PLANS = ("lecture", "four weeks", "term")


def plans() -> dict[str, list[list[str]]]:
    """Return the pages of each week of each plan, in the order of teaching."""
    stated = [
        (plan, week, page)
        for page in insert_after(pages(), with_key("taught_after"))
        for plan, week in metadata(page).get("weeks", {}).items()
    ]
    last: dict[str, int] = {}
    for plan, week, _ in stated:
        if week != "last":
            last[plan] = max(week, last.get(plan, 0))
    by_plan: dict[str, dict[int, list[str]]] = {}
    for plan, week, page in stated:
        number = last[plan] if week == "last" else week
        by_plan.setdefault(plan, {}).setdefault(number, []).append(page)
    return {
        plan: [some for _, some in sorted(by_plan[plan].items())]
        for plan in sorted(by_plan)
    }


def minutes(page: str) -> str:
    """Return the sentence of a page's opening box on how long it takes.

    Examples
    --------
    >>> minutes("t5")
    'Reading: 75 minutes. Exercises: 150 minutes.'

    Raises
    ------
    ValueError
        If ``chapter.toml`` does not say it.
    """
    stated = metadata(page)
    if "reading" not in stated or ("doing" not in stated and names(page)):
        msg = (
            f"src/posenc/{page}/chapter.toml must say how many minutes the page takes: "
            "reading = 30 and, for its exercises, doing = 60"
        )
        raise ValueError(msg)
    kinds = [("Reading", stated["reading"]), ("Exercises", stated.get("doing"))]
    return " ".join(
        f"{kind}: {count} minute{'s' * (count != 1)}." for kind, count in kinds if count
    )


def assignments(plan: str) -> dict[str, list[str]]:
    """Return the exercises of each assignment of a plan, by the assignments' names.

    Parameters
    ----------
    plan : {"lecture", "four weeks", "term"}
        Which plan.

    Examples
    --------
    >>> list(assignments("four weeks"))
    ['four-weeks-1', 'four-weeks-2', 'four-weeks-3', 'four-weeks-4']
    """
    known = plans()
    if plan == "lecture":
        return {
            "lecture-homework": [
                f"{page}.{name}"
                for page, some in with_key("homework").items()
                for name in some
            ]
        }
    if plan not in PLANS:
        msg = f"plan must be one of {', '.join(PLANS)}, got {plan!r}"
        raise ValueError(msg)
    return {
        f"{plan.replace(' ', '-')}-{week}": [
            n for page in some for n in _assigned(page)
        ]
        for week, some in enumerate(known[plan], start=1)
    }


def _assigned(page: str) -> list[str]:
    """Return exercises of a page that a course assigns: those of a numbered chapter."""
    return names(page) if page in chapters() else []


def weeks(plan: str) -> Markdown:
    """Return a plan as a table: pages, widgets, minutes and points by week, and sums.

    Parameters
    ----------
    plan : {"four weeks", "term"}
        Which plan.
    """
    pages_of = _weeks_of(plan)
    rows, sums = [], [0] * 5
    for number, some in enumerate(pages_of, start=1):
        counts = _of_week(some)
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        linked = ", ".join(f"{{doc}}`{page}`" for page in some)
        shown = ", ".join(f"`{name}`" for page in some for name in widgets(page))
        rows.append((str(number), [linked, shown, *_beside(counts)]))
    every = [page for some in pages_of for page in some]
    shown = str(sum(len(widgets(page)) for page in every))
    totals = [str(len(every)), shown, *_beside(sums)]
    rows.append(("**all**", [f"**{total}**" for total in totals]))
    heads = ["pages", "widgets", "exercises", "minutes", "points"]
    return Markdown(stacked("week", heads, rows))


def minutes_of_weeks(plan: str) -> list[tuple[int, int]]:
    """Return minutes of reading, and of exercises, in each week of a plan.

    Parameters
    ----------
    plan : {"four weeks", "term"}
        Which plan.

    Examples
    --------
    >>> len(minutes_of_weeks("four weeks"))
    4
    """
    counted = map(_of_week, _weeks_of(plan))
    return [(reading, doing) for reading, _, doing, _, _ in counted]


def _weeks_of(plan: str) -> list[list[str]]:
    """Return the pages of each week of a plan."""
    known = plans()
    if plan not in known:
        msg = f"plan must be one of {sorted(known)}, got {plan!r}"
        raise ValueError(msg)
    return known[plan]


def _of_week(some: Sequence[str]) -> list[int]:
    """Sum `_counts` over all pages of a week."""
    return [sum(column) for column in zip(*map(_counts, some), strict=True)]


def _beside(counts: Sequence[int]) -> tuple[str, str, str]:
    """Return exercises, minutes of reading and doing, points of code and on paper."""
    reading, exercises, doing, earned, written = counts
    return str(exercises), f"{reading} + {doing}", f"{earned} + {written}"


def lecture() -> Markdown:
    """Return the table of the single lecture: from minute to minute."""
    rows, start = [], 0
    for page, part in with_key("lecture").items():
        shown = ", ".join(f"`{name}`" for name in widgets(page)[:1])
        end = start + part["minutes"]
        rows.append(
            (f"{start}–{end}", [f"{{doc}}`{page}`", shown, part["words"]]),
        )
        start = end
    return Markdown(stacked("minute", ["page", "widget", "what happens"], rows))


def homework() -> Markdown:
    """Return a sentence: the exercises after the lecture, and their points."""
    ((name, some),) = assignments("lecture").items()
    named = ", ".join(f"`{exercise}` ({_said(exercise)})" for exercise in some)
    total = sum(points(exercise) + on_paper(exercise) for exercise in some)
    return Markdown(f"{named}: {total} points in all. As an assignment: `{name}`.")


def graded() -> Markdown:
    """Return a table of submissions that nbgrader has graded, by kind, with points."""
    results = data.load("bench_classroom")["results"]
    lines = [
        f"| Handed in | How many | Points of {results['highest']:g} |",
        "|:--|--:|--:|",
    ]
    for kind, scores in results["kinds"].items():
        points_given = ", ".join(f"{score:g}" for score in sorted(set(scores)))
        lines.append(f"| {kind} | {len(scores)} | {points_given} |")
    return Markdown("\n".join(lines))


def widgets(page: str) -> list[str]:
    """Return the names of the widgets on a page, in their order."""
    names: list[str] = metadata(page).get("widgets", [])
    return names


def _counts(page: str) -> tuple[int, int, int, int, int]:
    """Return minutes of reading, exercises, their minutes, points, those on paper."""
    stated, every = metadata(page), _assigned(page)
    earned = sum(map(points, every)), sum(map(on_paper, every))
    return stated.get("reading", 0), len(every), stated.get("doing", 0), *earned


def _said(name: str) -> str:
    """Return the points of an exercise in words."""
    paper = on_paper(name)
    return f"{points(name)} and {paper} on paper" if paper else str(points(name))
