"""Parts of a page's MyST Markdown, as the parser of the pages sees it.

`blocks` gives directives, labels and prose from top to bottom, `cells` the cells of a
notebook, `spans` the roles, formulas and code within prose. All places are known, so
that a piece can be replaced without touching what stands around it.
"""

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import default_slugify
from myst_parser.parsers.mdit import create_md_parser

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "book"


@dataclass(frozen=True)
class Block:
    """A directive, a label, or the prose between two of them.

    Attributes
    ----------
    kind : str
        ``"directive"``, ``"code"`` (a fence without a name in braces), ``"label"``,
        ``"head"`` (the front matter) or ``"prose"``.
    source : str
        The lines as they stand in the page.
    line : int
        Number of the first of them, from 1.
    name, argument : str
        Of a directive, what stands in the braces and behind them; of a label, its name.
    options : dict
        The ``:option: value`` lines of a directive.
    content : str
        What a directive holds below its options, or the code of a fence.
    """

    kind: str
    source: str
    line: int
    name: str = ""
    argument: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    content: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell of a page's notebook: code with its tags, or the blocks between."""

    blocks: tuple[Block, ...]

    @property
    def is_code(self) -> bool:
        """Return True if it holds code."""
        return _is_cell(self.blocks[0])

    @property
    def source(self) -> str:
        """Its code, or its text."""
        if self.is_code:
            return self.blocks[0].content.strip("\n")
        return "\n".join(block.source for block in self.blocks).strip()

    @property
    def tags(self) -> list[str]:
        """Tags of a cell of code."""
        return list(self.blocks[0].options.get("tags", [])) if self.is_code else []


@dataclass(frozen=True)
class Span:
    """A role, a formula or code within prose, and where it stands there."""

    kind: str  # "role", "math" or "code"
    content: str
    start: int
    end: int
    name: str = ""  # of a role


@dataclass(frozen=True)
class Heading:
    """A heading: its level and text, the label above it, and its anchor.

    Links such as ``rope.md#anchor`` lead there if ``myst_heading_anchors`` in
    ``_config.yml`` is at least `level`.
    """

    level: int
    source: str
    label: str
    anchor: str


def page(slug: str) -> str:
    """Return the source of a page of the book."""
    return (BOOK / f"{slug}.md").read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[Block]:
    """Yield directives, labels and prose of `text`, which they cover without a gap."""
    yield from _blocks(text)


@cache
def _blocks(text: str) -> tuple[Block, ...]:
    return tuple(_parsed(text))


def _parsed(text: str) -> Iterator[Block]:
    lines, done = text.split("\n"), 0
    for token in _parser().parse(text):
        kind = _KINDS.get(token.type) if token.level == 0 else None
        if kind is None or token.map is None:
            continue
        start, end = token.map
        if start > done:
            yield Block("prose", "\n".join(lines[done:start]), done + 1)
        yield _block(kind, token, "\n".join(lines[start:end]))
        done = end
    if done < len(lines):
        yield Block("prose", "\n".join(lines[done:]), done + 1)


def every_block(text: str) -> Iterator[Block]:
    """Yield all `blocks`, and those inside of directives, too."""
    for block in blocks(text):
        yield block
        if block.kind == "directive" and not _is_cell(block):
            yield from every_block(block.content)


def directives(text: str, name: str) -> list[Block]:
    """Return the directives of that name, wherever they stand."""
    return [block for block in every_block(text) if block.name == name]


def labels(text: str) -> set[str]:
    """Return the targets of links: labels of sections and of directives."""
    names = {block.name for block in every_block(text) if block.kind == "label"}
    return names | {
        block.options[key]
        for block in every_block(text)
        for key in ("label", "name")
        if key in block.options
    }


def roles(text: str, *names: str) -> list[str]:
    """Return the contents of all roles of these names, in the order of the page."""
    prose = (
        block.source if block.kind == "prose" else block.argument
        for block in every_block(text)
    )
    return [
        span.content
        for piece in prose
        for span in spans(piece)
        if span.kind == "role" and span.name in names
    ]


def links(text: str) -> list[str]:
    """Return the targets of Markdown links, in the order of the page."""
    return [
        str(token.attrs["href"])
        for block in every_block(text)
        if block.kind == "prose"
        for outer in _parser().parse(block.source)
        for token in outer.children or []
        if token.type == "link_open"
    ]


@cache
def title(text: str) -> str:
    """Return the first heading of a page."""
    tokens = iter(_parser().parse(text))
    next(token for token in tokens if token.type == "heading_open")
    return next(tokens).content


def headings(text: str) -> list[Heading]:
    """Return the headings of a page, those in directives left out."""
    listed: list[Heading] = []
    tokens = _parser().parse(text)
    for before, token, inline in zip([None, *tokens], tokens, tokens[1:], strict=False):
        if token.type == "heading_open":
            labeled = before is not None and before.type == "myst_target"
            label = before.content if before is not None and labeled else ""
            anchor = _anchor(inline, {heading.anchor for heading in listed})
            listed.append(Heading(int(token.tag[1:]), inline.content, label, anchor))
    return listed


def _anchor(inline: Token, taken: Container[str]) -> str:
    """Return the anchor that MyST makes of a heading's text: one that is not taken."""
    texts = [c for c in inline.children or [] if c.type in ("text", "code_inline")]
    anchor = default_slugify("".join(child.content for child in texts))
    number = 1
    while anchor in taken:
        anchor, number = f"{anchor}-{number}", number + 1
    return anchor


@cache
def cells(text: str) -> tuple[Cell, ...]:
    """Return the cells of the notebook that `text` is."""
    notebook: list[Cell] = []
    between: list[Block] = []
    for block in blocks(text):
        if _is_cell(block):
            if between:
                notebook.append(Cell(tuple(between)))
            notebook.append(Cell((block,)))
            between = []
        elif block.kind != "head":
            between.append(block)
    return (*notebook, Cell(tuple(between))) if between else tuple(notebook)


def spans(text: str) -> list[Span]:
    """Return roles, formulas and code within prose, from left to right."""
    parts: list[Span] = []
    for token in _leaves(_parser().parse(text)):
        kind = _SPANS[token.type]
        name = token.meta["name"] if kind == "role" else ""
        opening = rf"\{{{name}\}}(?P<mark>`+)" if kind == "role" else _MARKS[kind]
        words = r"\s+".join(map(re.escape, token.content.split()))
        pattern = rf"{opening}\s*{words}\s*(?P=mark)"
        place = re.compile(pattern).search(text, parts[-1].end if parts else 0)
        if place is None:
            msg = f"{token.content!r} must stand in the text as it is, got {text!r}"
            raise ValueError(msg)
        parts.append(Span(kind, token.content, *place.span(), name))
    return parts


def replaced(text: str, by: Callable[[Span], str]) -> str:
    """Return `text` with another text for each of its spans."""
    for span in reversed(spans(text)):
        text = text[: span.start] + by(span) + text[span.end :]
    return text


_KINDS = {
    "fence": "directive",
    "colon_fence": "directive",
    "myst_target": "label",
    "front_matter": "head",
}
_SPANS = {
    "myst_role": "role",
    "math_inline": "math",
    "math_inline_double": "math",
    "math_block": "math",
    "code_inline": "code",
}
_MARKS = {"math": r"(?P<mark>\$\$?)", "code": "(?P<mark>`+)"}


@cache
def _parser() -> MarkdownIt:
    """Return the pages' own parser, with the extensions that ``_config.yml`` names."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    extensions = set(settings["parse"]["myst_enable_extensions"])
    return create_md_parser(MdParserConfig(enable_extensions=extensions), RendererHTML)


def _block(kind: str, token: Token, source: str) -> Block:
    line = (token.map or [0])[0] + 1
    if kind == "label":
        return Block(kind, source, line, name=token.content)
    if kind == "head":
        return Block(kind, source, line)
    name, brace, argument = token.info.removeprefix("{").partition("}")
    if not brace:
        return Block("code", source, line, content=token.content)
    lines = token.content.removesuffix("\n").split("\n")
    head = list(takewhile(lambda text: text.startswith(":"), lines))
    options: dict[str, Any] = {}
    if not lines[0].startswith("::"):  # that would be a fence
        options = yaml.safe_load("\n".join(line[1:] for line in head)) or {}
        lines = lines[len(head) :]
    content = "\n".join(lines)
    return Block("directive", source, line, name, argument.strip(), options, content)


def _is_cell(block: Block) -> bool:
    return block.kind == "directive" and block.name == "code-cell"


def _leaves(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type in _SPANS:
            yield token
        yield from _leaves(token.children or [])
