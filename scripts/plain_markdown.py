"""Turn a chapter's MyST Markdown into the plain Markdown that every notebook shows.

Directives become headings, quotations or ``$$`` blocks; roles become words. What has no
rule here is an error, so that nothing reaches a reader half-converted.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import page_parser
from folds import LABELS
from pybtex.database import BibliographyData, parse_file
from reference_style import who

from posenc.core.chapters import chapters
from posenc.pages import course

PROVED = ("theorem", "lemma", "proposition", "corollary", "definition", "proof")
QUOTED = ("note", "tip", "warning", "important", "seealso", "hint", "admonition")


@dataclass
class Chapter:
    """State of the conversion of one chapter."""

    slug: str
    teacher: bool = False
    linked: bool = True  # to notebooks of other chapters
    glued: dict[str, str] = field(default_factory=dict)
    equations: dict[str, int] = field(default_factory=dict)
    theorems: dict[str, str] = field(default_factory=dict)  # "Theorem 2", by label
    proved: int = 0
    exercises: int = 0


def has_notebook(slug: str) -> bool:
    """Return True if a page is a chapter with something to answer."""
    cells = page_parser.cells(page_parser.page(slug)) if slug in chapters() else ()
    return any("stub" in cell.tags for cell in cells)


def plain(text: str, chapter: Chapter) -> str:
    """Convert one Markdown cell; literal code in it stays as it is."""
    out = []
    for block in page_parser.blocks(text):
        if block.kind == "directive":
            out.append(_directive(block, chapter))
        elif block.kind == "prose":
            out.append(_spans(block.source, chapter))
        elif block.kind == "code":
            out.append(block.source)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()


def _directive(block: page_parser.Block, chapter: Chapter) -> str:
    name, title, text = block.name, block.argument, block.content
    if name == "math":
        return _math(text, block.options, chapter)
    if name in ("only", "bibliography"):
        shown = name == "only" and (chapter.teacher or "teacher" not in title)
        return plain(text, chapter) if shown else ""
    if name == "exercise":
        chapter.exercises += 1
        heading = f"### Exercise {chapter.exercises}: {_spans(title, chapter)}"
        return f"{heading}\n\n{plain(text, chapter)}\n"
    if name.removeprefix("prf:") in PROVED:
        kind = name.removeprefix("prf:").capitalize()
        if kind != "Proof":
            chapter.proved += 1
            kind = f"{kind} {chapter.proved}"
            chapter.theorems[block.options.get("label", "")] = kind
            kind += f" ({title})" if title else ""
        return _quote(f"**{_spans(kind, chapter)}.**", text, chapter)
    if name in LABELS:
        words = _spans(title, chapter)
        asked = f"**{LABELS[name]}:** {words}\n\n" if LABELS[name] else ""
        summary = "Answer" if asked else words
        folded = plain(text, chapter)
        return (
            f"{asked}<details><summary>{summary}</summary>\n\n{folded}\n\n</details>\n"
        )
    if name in (*QUOTED, "dropdown"):
        words = title or name.capitalize()
        return _quote(f"**{_spans(words, chapter)}**", text, chapter)
    msg = f"book/{chapter.slug}.md: no rule for the directive {{{name}}}; add one here"
    raise ValueError(msg)


def _math(text: str, options: dict[str, str], chapter: Chapter) -> str:
    tag = ""
    if "label" in options:
        number = equation_number(options["label"], chapter)
        tag = rf" \tag{{{number}}}"
    return f"$$\n{_macros(text.strip())}{tag}\n$$"


def _quote(heading: str, text: str, chapter: Chapter) -> str:
    content = f"{heading}\n\n{plain(text, chapter)}"
    # Jupyter takes a formula out before it reads Markdown, with the > of further lines.
    content = page_parser.replaced(content, lambda span: _one_line(span, content))
    return "\n".join(f"> {line}".rstrip() for line in content.split("\n"))


def _one_line(span: page_parser.Span, text: str) -> str:
    source = text[span.start : span.end]
    return " ".join(source.split()) if span.kind == "math" else source


def equation_number(label: str, chapter: Chapter) -> int:
    """Return the number of a labelled equation, in the order of their first use."""
    return chapter.equations.setdefault(label, len(chapter.equations) + 1)


def _macros(formula: str) -> str:
    r"""Drop the book's color macros: ``\query{q}`` becomes ``{q}``."""
    return re.sub(r"\\(query|key|val|pos)(?=\s*\{)", "", formula)


def _spans(text: str, chapter: Chapter) -> str:
    """Replace the roles of `text` by words; keep code, and formulas without colors."""

    def words(span: page_parser.Span) -> str:
        if span.kind == "code":
            return text[span.start : span.end]
        if span.kind == "math":
            return _macros(text[span.start : span.end])
        if span.name not in RULES:
            where = f"book/{chapter.slug}.md"
            msg = f"{where}: no rule for the role {{{span.name}}}; add one here"
            raise ValueError(msg)
        return RULES[span.name](span.content, chapter)

    return page_parser.replaced(text, words)


def _titled(text: str) -> tuple[str, str]:
    """Return words and target of ``words <target>``."""
    words, bracket, target = text.removesuffix(">").rpartition("<")
    return (words.strip(), target) if bracket else (text, text)


def _document(text: str, chapter: Chapter) -> str:
    words, target = _titled(text)
    source = page_parser.page(target)
    if words == target:
        words = page_parser.title(source)
    linked = chapter.linked and has_notebook(target)
    return f"[{words}]({target}.ipynb)" if linked else f"*{words}*"


def _section(text: str, chapter: Chapter) -> str:
    """Return a reference's words, and the section's name if on another page."""
    words, label = _titled(text)
    pattern = rf"^\({re.escape(label)}\)=\n#+ (.+?)(?: \([^()]*\))?$"
    match = re.search(pattern, page_parser.page(chapter.slug), re.M)
    if chapter.linked or match is None or match[1] == words:
        return f"*{words}*"
    return f"*{words}* (“{match[1]}”)"


def _theorem(text: str, chapter: Chapter) -> str:
    """Return the words of a reference to a theorem, or its number if there are none."""
    words, label = _titled(text)
    return words if words != label else chapter.theorems.get(label, words)


def _cite(text: str, *, parentheses: bool) -> str:
    entries = []
    for key in text.split(","):
        entry = _bibliography().entries[key.strip()]
        year = entry.fields["year"]
        name = who(entry)
        entries.append(f"{name}, {year}" if parentheses else f"{name} ({year})")
    return f"({'; '.join(entries)})" if parentheses else ", ".join(entries)


@cache
def _bibliography() -> BibliographyData:
    return parse_file(page_parser.BOOK / "references.bib")


def _glued(text: str, chapter: Chapter) -> str:
    name = text.split(":")[0]
    return chapter.glued[name]


RULES: dict[str, Callable[[str, Chapter], str]] = {
    "cite:t": lambda text, _: _cite(text, parentheses=False),
    "cite:p": lambda text, _: _cite(text, parentheses=True),
    "doc": _document,
    "ref": lambda text, chapter: _section(text, chapter),
    "numref": lambda text, _: f"*{_titled(text)[0]}*",
    "prf:ref": lambda text, chapter: f"*{_theorem(text, chapter)}*",
    "eq": lambda text, chapter: f"({equation_number(text, chapter)})",
    "glue:text": _glued,
    "minutes": lambda text, _: course.minutes(text),
    "math": lambda text, _: f"${text}$",
    "term": lambda text, _: _titled(text)[0],
    "kbd": lambda text, _: f"**{text}**",
    "try": lambda text, _: _titled(text)[0],
    "query": lambda text, _: f"**{text}**",
    "key": lambda text, _: f"**{text}**",
    "value": lambda text, _: f"**{text}**",
    "position": lambda text, _: f"**{text}**",
}
