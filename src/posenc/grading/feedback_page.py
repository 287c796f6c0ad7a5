"""The page that a student gets back: the exercises alone, and what came of each."""

from collections.abc import Mapping
from html import escape

from posenc.core.chapters import facts
from posenc.kit.exercises.boxes import html_lines

from .marks import Mark, Marks
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
#: Symbol and words for each status: told without color.
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
    marks: Marks,
    comments: Mapping[str, str] | None = None,
    remarks: Mapping[str, float] | None = None,
) -> str:
    """The page as HTML, which needs no other file and no network.

    Parameters
    ----------
    title : str
        Whose work it is, or which.
    marks : Marks
        What came of it.
    comments : mapping, optional
        A teacher's words on an exercise, by its name.
    remarks : mapping, optional
        What is added to the points or taken off, by a word for it.
    """
    remarks = remarks or {}
    total = marks.points + sum(remarks.values())
    rows = [
        f'<tr><td><a href="#{mark.exercise}">{escape(_title(mark))}</a></td>'
        f"<td>{_STATUS[mark.status][0]} {_STATUS[mark.status][1]}</td>"
        f"<td>{mark.points:g} of {mark.of:g}</td></tr>"
        for mark in marks.marks
    ]
    rows += [
        f"<tr><td>{escape(word)}</td><td></td><td>{amount:+g}</td></tr>"
        for word, amount in remarks.items()
    ]
    waits = any(mark.status == "on paper" for mark in marks.marks)
    if not any(_is_on_paper(mark) for mark in marks.marks) and any(
        _is_derived(mark.exercise) for mark in marks.marks
    ):
        waits = True
        rows.append("<tr><td>Derivations: your teacher marks them</td></tr>")
    words = "In all, so far" if waits else "In all"
    rows.append(f"<tr><th>{words}</th><th></th><th>{total:g} of {marks.of:g}</th></tr>")
    parts = [
        _section(mark, (comments or {}).get(mark.exercise, "")) for mark in marks.marks
    ]
    if marks.errors:
        listed = "".join(f"<li>{escape(text)}</li>" for text in marks.errors)
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
    """Whether an exercise has a derivation, which has a rubric."""
    slug, _, own = name.partition(".")
    return "rubric" in facts(slug).get("exercises", {}).get(own, {})


def _is_on_paper(mark: Mark) -> bool:
    """Whether it is a derivation, by nbgrader's name of its cell."""
    return mark.exercise.endswith("-derivation")


def _title(mark: Mark) -> str:
    title = mark.title or _statement(mark) or mark.exercise
    if not _is_on_paper(mark):
        return title
    return f"{title} (on paper)"


def _statement(mark: Mark) -> str:
    name = mark.exercise
    if _is_on_paper(mark):
        name = name.removesuffix("-derivation").replace("-", ".", 1)
    exercise = known(name)
    return exercise.statement if exercise else ""


def _section(mark: Mark, comment: str) -> str:
    symbol, words = _STATUS[mark.status]
    parts = [
        f'<section id="{mark.exercise}"><h2><span>{escape(_title(mark))}</span>'
        f"<span>{mark.points:g} of {mark.of:g}</span></h2>",
        f"<p><code>{mark.exercise}</code>: {symbol} {words}</p>",
    ]
    if mark.title and not _is_on_paper(mark):
        parts.append(f"<p>{escape(_statement(mark))}</p>")
    if comment:
        parts.append(f"<p><strong>Your teacher:</strong> {html_lines(comment)}</p>")
    if mark.status != "passed" and not _is_on_paper(mark):
        if mark.held:
            listed = "".join(f"<li>✓ {escape(text)}</li>" for text in mark.held)
            parts.append(f"<ul>{listed}</ul>")
        if mark.problem and mark.status != "unanswered":
            parts.append(f"<p>{html_lines(mark.problem)}</p>")
        if mark.example:
            parts.append(f"<pre>{escape(mark.example)}</pre>")
        if mark.mistakes:
            listed = "".join(f"<li>{escape(text)}</li>" for text in mark.mistakes)
            parts.append(f"<p>This looks like:</p><ul>{listed}</ul>")
        parts.append(_next_hint(mark))
    if mark.answer and not (mark.status == "unanswered" and _is_on_paper(mark)):
        parts.append(
            f"<details><summary>Your answer</summary><pre>{escape(mark.answer)}</pre>"
            "</details>"
        )
    return "".join([*parts, "</section>"])


def _next_hint(mark: Mark) -> str:
    exercise = known(mark.exercise)
    if exercise is None or not exercise.hints:
        return ""
    # Who has a wrong answer has read the statement: a nudge helps whoever has none.
    number = 1 if mark.status == "failed" and len(exercise.hints) > 1 else 0
    return f"<p><strong>A hint:</strong> {escape(exercise.hints[number])}</p>"
