"""Parts of an exercise: its text, its cells, and what these need of the page.

An exercise stands on a page of the book, or in ``graded/<slug>.md`` if its solution is
not for readers. What it needs is found by following names: from the code of the stub,
the check and the solution, and from code in the text, back to the statements that bind
these names, and on to what those need.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import page_parser
from code_names import alias_name, all_bound, bound_by, read_by
from make_notebooks import DROPPED, cells_in

from posenc.core.chapters import metadata
from posenc.kit.exercises.registry import Exercise, find
from posenc.pages import points as worths

#: Texts and solutions of exercises that are not for readers.
GRADED = page_parser.ROOT / "graded"
#: Names that every notebook with exercises has.
ALWAYS = frozenset({"np", "check", "hint"})
_WIDGET = re.compile(r"\bwidgets?\b|\bheat map\b")


@dataclass(frozen=True)
class Part:
    """An exercise as it stands on its page.

    Attributes
    ----------
    name : str
        ``"<chapter>.<exercise>"``.
    text : Block
        Its directive.
    stub, check : cell
        Cells of the notebook.
    solution : list of cells
        Text and code between its two gates.
    before : list of cells
        Code of the page above it, without other exercises.
    page : str
        Source of the page.
    """

    name: str
    text: page_parser.Block
    stub: Any
    check: Any
    solution: list[Any]
    before: list[Any]
    page: str

    @property
    def slug(self) -> str:
        """The chapter."""
        return self.name.partition(".")[0]

    @property
    def code(self) -> str:
        """Code of its solution, with the checks in it."""
        return "\n\n".join(c.source for c in self.solution if c.cell_type == "code")

    def statements(self) -> list[str]:
        """Return the statements of the page that it needs, in their order."""
        code = [self.stub.source, self.check.source, self.code]
        asked = [n for source in code for n in read_by(ast.parse(source))]
        own = {name for source in code for name in all_bound(ast.parse(source))}
        named = {*_names_in_text(self.text.content, self.before)} - own
        return _followed({*asked, *named, *ALWAYS}, self.before)

    def widgets(self) -> list[Any]:
        """Return the cells that show the widgets that its text names."""
        if not _WIDGET.search(f"{self.text.argument} {self.text.content}"):
            return []
        names = worths.widgets(self.name) or metadata(self.slug).get("widgets", [])
        return [
            cell
            for cell in self.before
            if any(re.search(rf"^{name}\(", cell.source, re.M) for name in names)
        ]

    def cited(self, *, solution: bool = False) -> list[page_parser.Block]:
        """Return formulas and theorems that its text cites, and those that these cite.

        With `solution`, those of its solution as well.
        """
        labeled = _labeled(self.page)
        texts, cited_labels = [self.text.content], set[str]()
        if solution:
            texts += [c.source for c in self.solution if c.cell_type == "markdown"]
        while texts:
            roles = page_parser.roles(texts.pop(), "eq", "prf:ref")
            labels = {role.rpartition("<")[2].removesuffix(">") for role in roles}
            new = (labels & labeled.keys()) - cited_labels
            cited_labels |= new
            texts += [labeled[label].content for label in new]
            texts += [f"{{eq}}`{o}`" for label in new for o in self._with(label)]
        return [block for label, block in labeled.items() if label in cited_labels]

    def _with(self, label: str) -> list[str]:
        """Return labels that a quoted formula uses and does not refer to."""
        used: list[str] = self.quoted(label).get("with", [])
        return used

    def quoted(self, label: str) -> dict[str, Any]:
        """Return what a page must say beside a formula of it that is quoted alone."""
        entry: dict[str, Any] = metadata(self.slug).get("quoted", {}).get(label, {})
        return entry


@cache
def _labeled(page: str) -> dict[str, page_parser.Block]:
    """Return formulas and theorems of a page by their labels, in their order."""
    return {
        block.options["label"]: block
        for block in page_parser.every_block(page)
        if block.kind == "directive"
        and block.name != "exercise"
        and "label" in block.options
    }


def asked(code: str) -> Exercise:
    """Return the exercise that a check cell checks."""
    match = re.match(r'check\("([\w.]+)", ', code)
    if not match:
        msg = f'a check cell must read check("name", answer), got {code!r}'
        raise ValueError(msg)
    return find(match[1])


def part(name: str) -> Part:
    """Return the exercise of that name, from the page or from ``graded/``.

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    find(name)
    return parts(name.partition(".")[0])[name]


@cache
def parts(slug: str) -> dict[str, Part]:
    """Return a chapter's exercises by name: those of its page, then graded ones."""
    of_page = {part.name: part for part in _parts(page_parser.page(slug))}
    path = GRADED / f"{slug}.md"
    if path.exists():
        of_page |= {
            part.name: part for part in _parts(path.read_text(encoding="utf-8"))
        }
    return of_page


@cache
def opening(slug: str) -> str:
    """Return what holds for all exercises of a chapter, such as what letters mean.

    It is what stands between the first exercise and the paragraph above, which tells
    how many there are and how the checks work.
    """
    for cell in cells_in(page_parser.page(slug)):
        before, fence, _ = cell.source.partition("```{exercise}")
        if fence:
            section = before.rpartition("\n## ")[2].strip()
            return "\n\n".join(section.split("\n\n")[2:])
    return ""


def _parts(page: str) -> Iterator[Part]:
    cells, before = cells_in(page), list[Any]()
    texts, stubs, checks = (
        dict[str, page_parser.Block](),
        dict[str, Any](),
        dict[str, Any](),
    )
    above: dict[str, list[Any]] = {}
    for cell in cells:
        tags, label = set(cell.metadata.get("tags", [])), cell.metadata["region"]
        if cell.cell_type == "markdown":
            for block in page_parser.blocks(cell.source):
                if block.name == "exercise":
                    texts[block.options["label"]] = block
        elif "stub" in tags:
            stubs[label], above[label] = cell, before.copy()
        elif "check" in tags:
            checks[label] = cell
        elif not tags & DROPPED:
            before.append(cell)
    for label, text in texts.items():
        inside = [c for c in cells if c.metadata["region"] == f"solution of {label}"]
        yield Part(
            asked(checks[label].source).name,
            text,
            stubs[label],
            checks[label],
            inside,
            above[label],
            page,
        )


def _names_in_text(text: str, cells: list[Any]) -> list[str]:
    """Return functions and modules of the page that the prose names as code."""
    known = {
        name
        for cell in cells
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef)
        for name in bound_by(node)
    }
    named = list[str]()
    for block in page_parser.every_block(text):
        for span in page_parser.spans(block.source) if block.kind == "prose" else ():
            name = re.match(r"[^\W\d]\w*", span.content)
            if span.kind == "code" and name and name[0] in known:
                named.append(name[0])
    return named


def _followed(names: Iterable[str], cells: list[Any]) -> list[str]:
    """Return statements of `cells` that bind these names, and what those need."""
    needed, followed = set(names), list[str]()
    statements = [
        (node, cell.source) for cell in cells for node in ast.parse(cell.source).body
    ]
    for node, source in reversed(statements):
        bound = needed & {*bound_by(node)}
        if not bound:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [alias for alias in node.names if alias_name(alias) in bound]
            followed.append(ast.unparse(node))
        else:
            followed.append(ast.get_source_segment(source, node) or "")
        if not isinstance(
            node, ast.For | ast.While | ast.With | ast.If | ast.AugAssign
        ):
            needed -= {*bound_by(node, whole=True)}
        # What is assigned may be made of what had the same name before.
        needed |= {*read_by(node.value if isinstance(node, ast.Assign) else node)}
    return followed[::-1]
