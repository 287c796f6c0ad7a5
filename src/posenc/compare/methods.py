"""Properties of every method, as the chapters' ``chapter.toml`` state them.

A value there is a verdict, and behind a semicolon what must be said with it. The tests
in ``tests/compare`` derive each from the code and compare.
"""

from dataclasses import dataclass, field
from typing import Any

from posenc.core.chapters import insert_after, with_key

from .formula import Formula


@dataclass(frozen=True)
class Verdict:
    """Verdict in a word or two, and remarks that belong to it, in Markdown."""

    word: str
    note: str = ""

    def __str__(self) -> str:
        return f"**{self.word}**" + (f"; {self.note}" if self.note else "")


@dataclass(frozen=True)
class CostFormula:
    """Cost of a method: a formula, and remarks that belong to it, in Markdown."""

    formula: Formula
    note: str = ""


@dataclass(frozen=True)
class Method:
    """One row of the comparison.

    Attributes
    ----------
    name, title, chapter : str
        Name in the code, name in the book, slug of the page that explains it.
    kind : Verdict
        ``"absolute"`` or ``"relative"``, or ``"neither"``, by the position that its
        numbers depend on.
    enters : Verdict
        Place where it enters attention, and manner.
    direction : Verdict
        Difference of the scores of a text read backwards, turned back.
    real : Verdict
        Encodings between two whole positions.
    grid : Verdict
        Encoding of rows and columns.
    parameters : CostFormula
        Learned numbers, of all N layers.
    multiplications : CostFormula
        Multiplications by numbers of the text, more than without position, for one
        sequence and all N layers. Sums, sines and tables that are the same for every
        text do not count.
    memory : CostFormula
        Numbers that are added (or turned by) at a time, for one sequence and layer.
    fused : Verdict
        Use in a fused kernel, without a matrix of scores.
    linear : Verdict
        Use in linear attention.
    lab : tuple of str
        Encodings of the laboratory that show it on longer texts.
    settings : dict
        Sizes of its own, by their letters, as its paper prefers them.
    """

    name: str
    title: str
    chapter: str
    kind: Verdict
    enters: Verdict
    direction: Verdict
    real: Verdict
    grid: Verdict
    parameters: CostFormula
    multiplications: CostFormula
    memory: CostFormula
    fused: Verdict
    linear: Verdict
    lab: tuple[str, ...] = ()
    settings: dict[str, int] = field(default_factory=dict)


#: Sizes of BERT-base: layers, tokens, features of a token, heads, features of a head.
BERT_BASE = {"N": 12, "L": 512, "d": 768, "H": 12, "D": 64}


def _method(chapter: str, row: dict[str, Any]) -> Method:
    known = {k: v for k, v in row.items() if k not in ("after", "conventions")}
    for key in ("parameters", "multiplications", "memory"):
        formula, _, note = row[key].partition("; ")
        known[key] = CostFormula(Formula(formula), note)
    for key in ("kind", "enters", "direction", "real", "grid", "fused", "linear"):
        word, _, note = row[key].partition("; ")
        known[key] = Verdict(word, note)
    return Method(**{**known, "chapter": chapter, "lab": tuple(row.get("lab", ()))})


#: The rows of ``chapter.toml`` by their names, each with its chapter.
ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    row["name"]: (chapter, row)
    for chapter, rows in with_key("methods").items()
    for row in rows
}
#: In the order of the book, but for rows with ``after``.
METHODS = tuple(
    _method(*ROWS[name])
    for name in insert_after(
        ROWS, {n: row["after"] for n, (_, row) in ROWS.items() if "after" in row}
    )
)
