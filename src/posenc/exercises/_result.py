"""What a learner sees: a result and a hint, as text and as HTML.

The look uses the page's own colors (``--pe-…``, else JupyterLab's, else whatever is
inherited), so it follows light and dark. The state is told by a symbol and words.
Everything that may come from an answer is escaped.
"""

from dataclasses import dataclass
from html import escape
from typing import ClassVar, Literal

Status = Literal["passed", "failed", "unanswered", "unknown", "broken"]

_BORDER = "var(--pe-line, var(--jp-border-color1, currentColor))"
_BOX = (
    "color:var(--pe-text, var(--jp-ui-font-color1, inherit));"
    "background:var(--pe-raised, transparent);"
    f"border:1px solid {_BORDER};border-left-width:5px;border-radius:4px;"
    "padding:.6em .9em;margin:.4em 0;max-width:46em;line-height:1.45;"
    "overflow-wrap:anywhere;"
)
_CODE = (
    "margin:.3em 0;padding:.4em .6em;overflow-x:auto;white-space:pre-wrap;"
    "color:inherit;background:var(--pe-surface, transparent);"
    f"border:1px solid {_BORDER};border-radius:3px;font-size:.9em;"
)
_EDGE = {"passed": "solid", "failed": "dashed"}  # others dotted: told without color
_MUTED = "color:var(--pe-muted, var(--jp-ui-font-color2, inherit));"


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
            lines.append(_indent(mark + self.problem, "    "))
        if self.example:
            lines.append(_indent(self.example, "        "))
        if self.mistakes:
            lines.append("    This looks like:")
            lines += [_indent(f"- {text}", "      ") for text in self.mistakes]
        lines += [_indent(f"Note: {text}", "    ") for text in self.notes]
        if self.printed:
            lines += ["    Your code printed:", _indent(self.printed, "      | ")]
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
        parts += [_div(text) for text in items]
        if self.example:
            parts.append(_pre(self.example))
        if self.mistakes:
            listed = "".join(f"<li>{_lines(text)}</li>" for text in self.mistakes)
            parts.append(
                f'<div>This looks like:</div><ul style="margin:0">{listed}</ul>'
            )
        parts += [_div(f"Note: {text}") for text in self.notes]
        if self.printed:
            parts.append(_div("Your code printed:") + _pre(self.printed))
        if self._repeat():
            parts.append(_div(self._repeat(), _MUTED + "font-size:.9em"))
        style = f"{_BOX}border-left-style:{_EDGE.get(self.status, 'dotted')};"
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
        return f"{self._head()}\n{_indent(self.text, '    ')}"

    def _repr_html_(self) -> str:
        head = f"<strong>{escape(self._head())}</strong>"
        return f'<div class="pe-hint" style="{_BOX}">{head}{_div(self.text)}</div>'

    def _head(self) -> str:
        if not self.number:
            return f"No hint for {self.name}"
        last = ", the last one" if self.number == self.total else ""
        return f"Hint {self.number} of {self.total} for {self.name}{last}"


def _indent(text: str, margin: str) -> str:
    return "\n".join(margin + line for line in text.splitlines())


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _div(text: str, style: str = "") -> str:
    return f'<div style="{style}">{_lines(text)}</div>' if text else ""


def _pre(text: str) -> str:
    return f'<pre style="{_CODE}">{escape(text)}</pre>'
