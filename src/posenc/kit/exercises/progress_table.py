"""The progress as a learner sees it: a table of the exercises, as text and as HTML."""

from dataclasses import dataclass
from html import escape

from . import progress_file as _progress
from .registry import RETIRED, chapters, find, names
from .report_html import BOX, MUTED, div

_SYMBOLS = {"passed": "✓", "tried": "✗", "not begun": "…"}
_CELL = "padding:.15em 1em .15em 0;text-align:left;vertical-align:top;"


@dataclass(frozen=True)
class Row:
    """One exercise, and the progress in it."""

    name: str
    statement: str
    state: str  # a key of _SYMBOLS
    tries: int = 0
    last: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """Exercise, state, tries and time, in words."""
        tries = {0: "", 1: "1 try"}.get(self.tries, f"{self.tries} tries")
        state = f"{_SYMBOLS[self.state]} {self.state}"
        return self.name.partition(".")[2], state, tries, self.last


@dataclass(frozen=True, repr=False)
class Progress:
    """Exercises that were passed and tried; shows itself as text and as HTML.

    Attributes
    ----------
    rows : tuple of Row
        Every exercise in the order of the book, with `name`, `state` (``"passed"``,
        ``"tried"`` or ``"not begun"``), `tries` and the time of the `last` try. At the
        end stand those that were passed and have left the book since.
    kept_in : str
        The file.
    notes : tuple of str
        What of the file could not be used.
    """

    rows: tuple[Row, ...]
    kept_in: str
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        lines = [self._headline()]
        chapters_shown = self._chapters()
        for slug, rows in chapters_shown.items():
            begun = any(row.tries for row in rows) or len(chapters_shown) == 1
            lines.append(f"  {slug}: {_count(rows)}")
            if begun:
                width = max(len(row.cells[0]) for row in rows)
                for row in rows:
                    name, state, tries, last = row.cells
                    line = f"    {name:{width}}  {state:11}  {tries:>8}  {last}"
                    lines.append(line.rstrip())
        return "\n".join([*lines, *(f"  {note}" for note in self._foot())])

    def _repr_html_(self) -> str:
        parts = [f"<strong>{escape(self._headline())}</strong>"]
        chapters_shown = self._chapters()
        for slug, rows in chapters_shown.items():
            begun = any(row.tries for row in rows) or len(chapters_shown) == 1
            opened = " open" if begun else ""
            parts.append(
                f"<details{opened}><summary>{escape(f'{slug}: {_count(rows)}')}"
                f"</summary>{_table(slug, rows)}</details>"
            )
        parts += [div(note, MUTED + "font-size:.9em") for note in self._foot()]
        return f'<div class="pe-progress" style="{BOX}">{"".join(parts)}</div>'

    def _headline(self) -> str:
        return f"Your progress: {_count(self.rows)}"

    def _chapters(self) -> dict[str, list[Row]]:
        by_chapter: dict[str, list[Row]] = {}
        for row in self.rows:
            by_chapter.setdefault(row.name.partition(".")[0], []).append(row)
        return by_chapter

    def _foot(self) -> list[str]:
        return [*(f"Note: {note}" for note in self.notes), f"Kept in {self.kept_in}"]


def gather(slug: str | None = None) -> Progress:
    """Return the progress in every exercise, or in those of one chapter."""
    log = _progress.read()
    notes = log.notes
    if slug is not None and slug not in chapters():
        known = ", ".join(chapters())
        notes = (f"There is no chapter named {slug!r}. There are {known}.", *notes)
    rows = []
    for name in names(slug):
        statement = find(name).statement
        record = log.records.get(name)
        if record is None:
            rows.append(Row(name, statement, "not begun"))
        else:
            state = "passed" if record.passed else "tried"
            rows.append(Row(name, statement, state, record.tries, record.last))
    for name, statement in RETIRED.items():
        record = log.records.get(name)
        if record and record.passed and slug in (None, name.partition(".")[0]):
            rows.append(Row(name, statement, "passed", record.tries, record.last))
    return Progress(tuple(rows), str(log.path), notes)


def _count(rows: tuple[Row, ...] | list[Row]) -> str:
    passed = sum(row.state == "passed" for row in rows)
    tried = sum(row.state == "tried" for row in rows)
    more = f", {tried} tried" if tried else ""
    return f"{passed} of {len(rows)} exercises passed{more}"


def _table(slug: str, rows: list[Row]) -> str:
    heads = "".join(
        f'<th scope="col" style="{_CELL}">{head}</th>'
        for head in ("Exercise", "State", "Tries", "Last try")
    )
    lines = []
    for row in rows:
        name, *others = row.cells
        first = (
            f'<th scope="row" style="{_CELL}font-weight:normal"><code>{escape(name)}'
            f'</code><br><span style="{MUTED}">{escape(row.statement)}</span></th>'
        )
        cells = "".join(f'<td style="{_CELL}">{escape(cell)}</td>' for cell in others)
        lines.append(f'<tr style="background:none">{first}{cells}</tr>')
    return (
        f'<table aria-label="Exercises of {escape(slug)}" '
        'style="border-collapse:collapse;color:inherit;margin:.3em 0 .6em">'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
