"""Findings of `posenc.conventions.identify`, as text and as HTML."""

from dataclasses import dataclass
from html import escape
from typing import ClassVar, Literal

from posenc.kit.exercises.report_html import BOX, MUTED, div, indent, pre

Status = Literal["same", "other", "unclear", "failed", "unknown"]


@dataclass(frozen=True)
class Finding:
    """One choice that a convention makes, such as the direction of the turn."""

    trait: str
    words: str
    is_ours: bool = True

    def __str__(self) -> str:
        return f"{self.trait}: {self.words}" + ("" if self.is_ours else "  ← not ours")


@dataclass(frozen=True, repr=False)
class Identification:
    """The convention that a function follows. True if one fits exactly.

    Attributes
    ----------
    name : str
        Name of the function that it was compared with.
    status : {"same", "other", "unclear", "failed", "unknown"}
        The book's convention, another one, none that is known, or no comparison.
    findings : tuple of Finding
        The choices it makes. If the status is "unclear", those of the nearest known
        convention.
    problem, example : str
        Reason why nothing fits, and the smallest input that shows it.
    use : str
        Call of `posenc` that gives the same results.
    notes : tuple of str
        Further remarks.
    """

    name: str
    status: Status
    findings: tuple[Finding, ...] = ()
    problem: str = ""
    example: str = ""
    use: str = ""
    notes: tuple[str, ...] = ()
    seed: int | None = None

    _HEADLINES: ClassVar[dict[str, str]] = {
        "same": "✓ {}: the book's convention",
        "other": "≠ {}: another convention than the book's",
        "unclear": "? {}: no convention known here",
        "failed": "! {}: could not be compared",
        "unknown": "? {}: no conventions are known for this",
    }

    def __bool__(self) -> bool:
        return self.status in ("same", "other")

    def __getitem__(self, trait: str) -> str:
        """Return the words of one finding."""
        return {finding.trait: finding.words for finding in self.findings}[trait]

    def __repr__(self) -> str:
        lines = [self._headline()]
        if self.problem:
            lines.append(indent(self.problem, "    "))
        if self.example:
            lines.append(indent(self.example, "        "))
        if self.status == "unclear" and self.findings:
            lines.append(f"    {_NEAREST}")
        lines += [f"    {finding}" for finding in self.findings]
        if self.use:
            lines += ["    The same in posenc:", indent(self.use, "        ")]
        lines += [indent(f"Note: {note}", "    ") for note in self.notes]
        if self._seeded():
            lines.append(f"    {self._seeded()}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<strong>{escape(self._headline())}</strong>", div(self.problem)]
        if self.example:
            parts.append(pre(self.example))
        if self.status == "unclear" and self.findings:
            parts.append(div(_NEAREST))
        items = "".join(f"<li>{escape(str(finding))}</li>" for finding in self.findings)
        parts.append(f'<ul style="margin:0">{items}</ul>' if items else "")
        if self.use:
            parts.append(div("The same in posenc:") + pre(self.use))
        parts += [div(f"Note: {note}") for note in self.notes]
        parts.append(div(self._seeded(), MUTED + "font-size:.9em"))
        return f'<div class="pe-convention" style="{BOX}">{"".join(parts)}</div>'

    def _headline(self) -> str:
        return self._HEADLINES[self.status].format(self.name)

    def _seeded(self) -> str:
        return f"Random inputs of seed {self.seed}." if self.seed is not None else ""


_NEAREST = "The nearest one that is known here:"
