"""Parts of pages from the registry: part of the book's Sphinx extension.

A line ``{chapters} cards`` in a fence of its own becomes the cards of all chapters,
``{chapters} functions`` and its like their sections of the API reference: a new
chapter appears there by itself. ``{chapters} reader-questions`` links to the headings
of every section that is labeled ``(<slug>-questions)=``. The role ``{minutes}`` says
how long a page takes.
"""

from itertools import takewhile
from typing import Any

import page_parser
from docutils import nodes

from posenc.core.chapters import PACKAGE, chapters, metadata, packages, pages, with_part
from posenc.pages import course


def cards() -> str:
    """Return cards of the chapters: a link, the opening picture, a text."""
    return "\n\n".join(
        f":::{{grid-item-card}} {card['title']}\n:link: {slug}\n:link-type: doc\n\n"
        f"```{{glue}} map_{slug}\n```\n\n{card['text'].strip()}\n:::"
        for slug, card in ((slug, metadata(slug)["card"]) for slug in chapters())
    )


def functions() -> str:
    """Return a section of each chapter's functions."""
    return "\n\n".join(_section(slug, f"posenc.{slug}") for slug in chapters())


def modules() -> str:
    """Return a section of each chapter's torch modules."""
    return "\n\n".join(_section(slug, f"posenc.{slug}.nn") for slug in with_part("nn"))


def widgets() -> str:
    """Return the widgets of each page."""
    hidden = "\n   :exclude-members: scripts, picture"
    return "\n\n".join(
        _automodule(f"posenc.{slug}.widgets", hidden) for slug in with_part("widgets")
    )


def questions() -> str:
    """Return the questions to ask about each chapter, and the typical mistake."""
    asked = ((slug, metadata(slug)["question"]) for slug in chapters())
    return "\n\n".join(
        f"{{doc}}`{slug}`\n: **Ask:** {question['ask'].strip()}\n"
        f": **A mistake to expect:** {question['expect'].strip()}"
        for slug, question in asked
    )


def reader_questions() -> str:
    """Return links to the questions that readers ask, page by page."""
    parts = (
        (page_parser.title(page_parser.page(slug)), asked(slug)) for slug in pages()
    )
    return "\n\n".join(f"## {title}\n\n{links}" for title, links in parts if links)


def asked(slug: str) -> str:
    """Return links to the questions of one page; nothing if it has none."""
    headings = iter(page_parser.headings(page_parser.page(slug)))
    for heading in headings:
        if heading.label == f"{slug}-questions":
            break
    section = takewhile(lambda heading: heading.level > 2, headings)
    questions = [heading for heading in section if heading.level == 3]
    return "\n".join(f"- [{q.source}]({slug}.md#{q.anchor})" for q in questions)


def _section(slug: str, module: str) -> str:
    return f"## {metadata(slug)['module']}\n\n{_automodule(module)}"


def _automodule(module: str, options: str = "") -> str:
    directive = f".. automodule:: {module}\n   :members:{options}"
    return f"```{{eval-rst}}\n{directive}\n```"


#: Functions that write what replaces ``{chapters} <name>``.
LISTS = {
    "cards": cards,
    "functions": functions,
    "modules": modules,
    "widgets": widgets,
    "questions": questions,
    "reader-questions": reader_questions,
}


def expanded(text: str) -> str:
    """Return `text` with the lists in place of the lines that ask for them."""
    for name, make in LISTS.items():
        line = f"```{{chapters}} {name}\n```"
        if line in text:
            text = text.replace(line, make())
    return text


def expand(app: Any, docname: str, source: list[str]) -> None:
    """Put the lists into a page, which is read again when their sources change."""
    text = expanded(source[0])
    if text != source[0]:
        for slug in packages():
            app.env.note_dependency(str(PACKAGE / slug / "chapter.toml"))
        if "{chapters} reader-questions" in source[0]:
            for slug in pages():
                app.env.note_dependency(str(page_parser.BOOK / f"{slug}.md"))
        source[0] = text


def minutes(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, **_: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return the sentence on how long a page takes, as a Sphinx role."""
    inliner.document.settings.env.note_dependency(str(PACKAGE / text / "chapter.toml"))
    return [nodes.Text(course.minutes(text))], []


def setup(app: Any) -> None:
    """Register both with Sphinx."""
    app.connect("source-read", expand)
    app.add_role("minutes", minutes)
