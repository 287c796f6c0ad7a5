"""Feedback page of a student: the exercises alone, with the result of each."""

from collections.abc import Mapping
from html import escape

from posenc.core.chapters import metadata
from posenc.kit.exercises.report_html import html_lines

from .grades import Grade, Grades
from .notebook_cells import known

_STYLE = """
:root { color-scheme: light dark; --edge: #8888; --soft: #8882; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto;
  padding: 1rem; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--edge); padding: .5rem 0 1rem; }
h2 { font-size: 1.1rem; margin: .5rem 0; display: flex; gap: 1rem;
  justify-content: space-between; flex-wrap: wrap; }
pre { background: var(--soft); padding: .6rem; font-size: .9rem;
  white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top; }
td:nth-child(2) { overflow-wrap: normal; }
td:last-child, th:last-child { text-align: right; white-space: nowrap; }
"""
#: Symbol and words for each status, which do not need color.
_STATUS = {
    "passed": ("✓", "passed"),
    "failed": ("✗", "not right yet"),
    "unanswered": ("…", "not answered"),
    "missing": ("–", "no answer was found"),
    "on paper": ("·", "your teacher marks this"),
    "marked": ("·", "marked by your teacher"),
    "broken": ("!", "could not be checked: ask your teacher"),
}


def render(
    title: str,
    grades: Grades,
    comments: Mapping[str, str] | None = None,
    remarks: Mapping[str, float] | None = None,
) -> str:
    """Render the page as HTML, which needs no other file and no network.

    Parameters
    ----------
    title : str
        Whose work it is, or which.
    grades : Grades
        What came of it.
    comments : mapping, optional
        A teacher's words on an exercise, by its name.
    remarks : mapping, optional
        What is added to the points or taken off, by a word for it.
    """
    remarks = remarks or {}
    total = grades.points + sum(remarks.values())
    rows = [
        f'<tr><td><a href="#{grade.exercise}">{escape(_title(grade))}</a></td>'
        f"<td>{_STATUS[grade.status][0]} {_STATUS[grade.status][1]}</td>"
        f"<td>{grade.points:g} of {grade.of:g}</td></tr>"
        for grade in grades.grades
    ]
    rows += [
        f"<tr><td>{escape(word)}</td><td></td><td>{amount:+g}</td></tr>"
        for word, amount in remarks.items()
    ]
    waits = any(grade.status == "on paper" for grade in grades.grades)
    if not any(_is_on_paper(grade) for grade in grades.grades) and any(
        _is_derived(grade.exercise) for grade in grades.grades
    ):
        waits = True
        rows.append("<tr><td>Derivations: your teacher marks them</td></tr>")
    words = "In all, so far" if waits else "In all"
    rows.append(
        f"<tr><th>{words}</th><th></th><th>{total:g} of {grades.of:g}</th></tr>"
    )
    parts = [
        _section(grade, (comments or {}).get(grade.exercise, ""))
        for grade in grades.grades
    ]
    if grades.errors:
        listed = "".join(f"<li>{escape(text)}</li>" for text in grades.errors)
        parts.append(
            "<section><h2>Cells that failed</h2><p>They are counted from the top, text "
            f"included.</p><ul>{listed}</ul></section>"
        )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>{escape(title)}</h1><table>{''.join(rows)}</table>{''.join(parts)}"
        "</main></body></html>\n"
    )


def _is_derived(name: str) -> bool:
    """Return True if an exercise has a derivation, which has a rubric."""
    slug, _, own = name.partition(".")
    return "rubric" in metadata(slug).get("exercises", {}).get(own, {})


def _is_on_paper(grade: Grade) -> bool:
    """Return True if it is a derivation, by nbgrader's name of its cell."""
    return grade.exercise.endswith("-derivation")


def _title(grade: Grade) -> str:
    title = grade.title or _statement(grade) or grade.exercise
    if not _is_on_paper(grade):
        return title
    return f"{title} (on paper)"


def _statement(grade: Grade) -> str:
    name = grade.exercise
    if _is_on_paper(grade):
        name = name.removesuffix("-derivation").replace("-", ".", 1)
    exercise = known(name)
    return exercise.statement if exercise else ""


def _section(grade: Grade, comment: str) -> str:
    symbol, words = _STATUS[grade.status]
    parts = [
        f'<section id="{grade.exercise}"><h2><span>{escape(_title(grade))}</span>'
        f"<span>{grade.points:g} of {grade.of:g}</span></h2>",
        f"<p><code>{grade.exercise}</code>: {symbol} {words}</p>",
    ]
    if grade.title and not _is_on_paper(grade):
        parts.append(f"<p>{escape(_statement(grade))}</p>")
    if comment:
        parts.append(f"<p><strong>Your teacher:</strong> {html_lines(comment)}</p>")
    if grade.status != "passed" and not _is_on_paper(grade):
        if grade.held:
            listed = "".join(f"<li>✓ {escape(text)}</li>" for text in grade.held)
            parts.append(f"<ul>{listed}</ul>")
        if grade.problem and grade.status != "unanswered":
            parts.append(f"<p>{html_lines(grade.problem)}</p>")
        if grade.example:
            parts.append(f"<pre>{escape(grade.example)}</pre>")
        if grade.mistakes:
            listed = "".join(f"<li>{escape(text)}</li>" for text in grade.mistakes)
            parts.append(f"<p>This looks like:</p><ul>{listed}</ul>")
        parts.append(_next_hint(grade))
    if grade.answer and not (grade.status == "unanswered" and _is_on_paper(grade)):
        parts.append(
            f"<details><summary>Your answer</summary><pre>{escape(grade.answer)}</pre>"
            "</details>"
        )
    return "".join([*parts, "</section>"])


def _next_hint(grade: Grade) -> str:
    exercise = known(grade.exercise)
    if exercise is None or not exercise.hints:
        return ""
    # Who has a wrong answer has read the statement: a nudge helps whoever has none.
    number = 1 if grade.status == "failed" and len(exercise.hints) > 1 else 0
    return f"<p><strong>A hint:</strong> {escape(exercise.hints[number])}</p>"
