"""All methods of the book side by side, as tables that pages display.

The entries are in the chapters' ``chapter.toml``, and nowhere else. Results of the
laboratory are read when a page is built.

Tag a cell with a table ``stacked``. On a narrow screen the style sheet makes a card of
each row, and shows the labels that every cell has.
"""

from collections.abc import Callable
from typing import Any

from posenc.core import old_names
from posenc.core.markdown import Markdown, page_link, stacked

from . import lab_results as lab
from .method_conventions import CONVENTIONS, Convention, Peer
from .methods import BERT_BASE, METHODS, CostFormula, Method, Verdict

__all__ = [
    "BERT_BASE",
    "CONVENTIONS",
    "METHODS",
    "PARTS",
    "Convention",
    "CostFormula",
    "Method",
    "Peer",
    "Verdict",
    "conventions",
    "extrapolating",
    "in_words",
    "libraries",
    "longer_texts",
    "table",
    "value",
]


def value(method: Method, count: CostFormula) -> int:
    """Return one of the counts of `method` at the sizes of BERT-base."""
    return count.formula.at(**BERT_BASE, **method.settings)


#: Columns, each a name and the text of its cell for a method.
Column = tuple[str, Callable[[Method], str]]

PARTS: dict[str, tuple[Column, ...]] = {
    "nature": (
        ("absolute or relative", lambda m: str(m.kind)),
        ("enters where", lambda m: str(m.enters)),
        ("tells left from right", lambda m: str(m.direction)),
        ("positions between", lambda m: str(m.real)),
        ("two dimensions", lambda m: str(m.grid)),
    ),
    "cost": (
        ("learned numbers", lambda m: _counted(m, m.parameters)),
        ("more multiplications", lambda m: _counted(m, m.multiplications)),
        ("more memory, in numbers", lambda m: _counted(m, m.memory)),
    ),
    "fit": (
        ("fused attention", lambda m: str(m.fused)),
        ("linear attention", lambda m: str(m.linear)),
    ),
}


def table(part: str) -> Markdown:
    """Return one part of the comparison of all methods.

    Parameters
    ----------
    part : {"nature", "cost", "fit"}
        Name of its columns.

    Examples
    --------
    >>> print(table("fit"))  # doctest: +ELLIPSIS
    | method | fused attention | linear attention |
    |:--|:--|:--|
    | [no encoding](attention.md) | [fused attention]{.pe-label} **yes** ...
    """
    if part not in PARTS:
        msg = f"part must be one of {sorted(PARTS)}, got {part!r}"
        raise ValueError(msg)
    heads = [name for name, _ in PARTS[part]]
    rows = [
        (page_link(m.title, m.chapter), [cell(m) for _, cell in PARTS[part]])
        for m in METHODS
    ]
    return Markdown(stacked("method", heads, rows))


def longer_texts() -> Markdown:
    """Return the measured part of the comparison, a row for each trained encoding."""
    rows = [
        (
            page_link(lab.titled(method.title, encoding), method.chapter),
            [lab.words(task, encoding) for task in lab.TASKS],
        )
        for method in METHODS
        for encoding in method.lab
    ]
    return Markdown(stacked("encoding", [f"`{task}`" for task in lab.TASKS], rows))


def conventions() -> Markdown:
    """Return sign, pairs, base, scale and alignment of every method."""
    heads = ["counts", "pairs", "base $b$", "divided by $\\sqrt d$", "queries and keys"]
    rows = [
        (_titled(c), [c.counts, c.pairs, c.base, c.scale, c.alignment])
        for c in CONVENTIONS
    ]
    return Markdown(stacked("method", heads, rows))


def libraries() -> Markdown:
    """List calls of well-known libraries that equal ours, and what differs."""
    rows = [
        (_titled(c), [f"{p.package}: `{p.name}`", f"`{p.ours}`", p.differs])
        for c in CONVENTIONS
        for p in c.peers
    ]
    return Markdown(stacked("method", ["library", "ours", "mind"], rows))


def extrapolating(*, task: str, times: int = 2) -> Markdown:
    """Return a sentence that lists the encodings that keep a task on longer texts."""
    titles = {name: m.title for m in METHODS for name in m.lab}
    return Markdown(lab.sentence(task, titles, times))


def _titled(convention: Convention) -> str:
    method = next(m for m in METHODS if m.name == convention.method)
    return page_link(method.title, method.chapter)


def _counted(method: Method, count: CostFormula) -> str:
    number = f"**{in_words(value(method, count))}**"
    if count.formula.text == "0":
        return number
    note = f"; {count.note}" if count.note else ""
    return f"{number} $= {count.formula.tex}${note}"


def in_words(n: int) -> str:
    """Write a number with commas; from ten million on, in rounded millions or billions.

    Examples
    --------
    >>> [in_words(n) for n in (393_216, 19_283_968, 2_415_919_104)]
    ['393,216', '19.3 million', '2.42 billion']
    """
    if n < 10**7:
        return f"{n:,}"
    return f"{n / 1e6:,.1f} million" if n < 10**9 else f"{n / 1e9:,.2f} billion"


def __getattr__(name: str) -> Any:
    names = {"Answer": Verdict, "Count": CostFormula}
    return old_names.renamed(__name__, names, name)
