"""Result and hint for a learner, as text and as HTML.

The state is shown by a symbol, by words and by the kind of the box's edge, so that no
color is needed.
"""

from dataclasses import dataclass
from html import escape
from typing import ClassVar, Literal

from .report_html import BOX, MUTED, div, html_lines, indent, pre

Status = Literal["passed", "failed", "unanswered", "unknown", "retired", "broken"]

_EDGE = {"passed": "solid", "failed": "dashed"}  # others: dotted


@dataclass(frozen=True, repr=False)
class Result:
    """Outcome of a check. True if passed; shows itself as text and as HTML."""

    name: str
    status: Status
    problem: str = ""
    example: str = ""
    mistakes: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    printed: str = ""
    seed: int | None = None

    _HEADLINES: ClassVar[dict[str, tuple[str, str]]] = {
        "passed": ("✓", "passed"),
        "failed": ("✗", "not right yet"),
        "unanswered": ("…", "not answered yet"),
        "unknown": ("?", "no such exercise"),
        "retired": ("–", "no longer in the book"),
        "broken": ("!", "could not be checked"),
    }

    def __bool__(self) -> bool:
        return self.status == "passed"

    def __repr__(self) -> str:
        symbol, words = self._HEADLINES[self.status]
        lines = [f"{symbol} {self.name}: {words}"]
        lines += [f"    ✓ {text}" for text in self.held]
        mark = "✗ " if self.status == "failed" else ""
        if self.problem:
            lines.append(indent(mark + self.problem, "    "))
        if self.example:
            lines.append(indent(self.example, "        "))
        if self.mistakes:
            lines.append("    This looks like:")
            lines += [indent(f"- {text}", "      ") for text in self.mistakes]
        lines += [indent(f"Note: {text}", "    ") for text in self.notes]
        if self.printed:
            lines += ["    Your code printed:", indent(self.printed, "      | ")]
        if self._repeat():
            lines.append(f"    {self._repeat()}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        symbol, words = self._HEADLINES[self.status]
        head = f"{symbol} {self.name}: {words}"
        parts = [f"<strong>{escape(head)}</strong>"]
        items = [f"✓ {text}" for text in self.held]
        if self.problem:
            items.append(("✗ " if self.status == "failed" else "") + self.problem)
        parts += [div(text) for text in items]
        if self.example:
            parts.append(pre(self.example))
        if self.mistakes:
            listed = "".join(f"<li>{html_lines(text)}</li>" for text in self.mistakes)
            parts.append(
                f'<div>This looks like:</div><ul style="margin:0">{listed}</ul>'
            )
        parts += [div(f"Note: {text}") for text in self.notes]
        if self.printed:
            parts.append(div("Your code printed:") + pre(self.printed))
        if self._repeat():
            parts.append(div(self._repeat(), MUTED + "font-size:.9em"))
        style = f"{BOX}border-left-style:{_EDGE.get(self.status, 'dotted')};"
        return f'<div class="pe-check" style="{style}">{"".join(parts)}</div>'

    def _repeat(self) -> str:
        if self.seed is None:
            return ""
        repeat = f'check("{self.name}", …, seed={self.seed})'
        return f"Random inputs of seed {self.seed}; {repeat} repeats them."


@dataclass(frozen=True, repr=False)
class Hint:
    """One hint of an exercise."""

    name: str
    number: int
    total: int
    text: str

    def __repr__(self) -> str:
        return f"{self._head()}\n{indent(self.text, '    ')}"

    def _repr_html_(self) -> str:
        head = f"<strong>{escape(self._head())}</strong>"
        return f'<div class="pe-hint" style="{BOX}">{head}{div(self.text)}</div>'

    def _head(self) -> str:
        if not self.number:
            return f"No hint for {self.name}"
        last = ", the last one" if self.number == self.total else ""
        return f"Hint {self.number} of {self.total} for {self.name}{last}"
