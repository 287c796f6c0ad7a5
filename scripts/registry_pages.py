"""What pages show of the registry: part of the book's Sphinx extension.

A line ``{chapters} cards`` in a fence of its own becomes the cards of all chapters,
``{chapters} functions`` and its like their sections of the API reference: a new
chapter appears there by itself. The role ``{minutes}`` says how long a page takes.
"""

from typing import Any

from docutils import nodes

from posenc.core.chapters import PACKAGE, chapters, facts, having, rooms
from posenc.pages import course


def cards() -> str:
    """Cards of the chapters on the first page: a link, the opening picture, a text."""
    return "\n\n".join(
        f":::{{grid-item-card}} {card['title']}\n:link: {slug}\n:link-type: doc\n\n"
        f"```{{glue}} map_{slug}\n```\n\n{card['text'].strip()}\n:::"
        for slug, card in ((slug, facts(slug)["card"]) for slug in chapters())
    )


def functions() -> str:
    """Section of each chapter's functions."""
    return "\n\n".join(_section(slug, f"posenc.{slug}") for slug in chapters())


def modules() -> str:
    """Section of each chapter's torch modules."""
    return "\n\n".join(_section(slug, f"posenc.{slug}.nn") for slug in having("nn"))


def widgets() -> str:
    """Widgets of each page."""
    hidden = "\n   :exclude-members: scripts, picture"
    return "\n\n".join(
        _automodule(f"posenc.{slug}.widgets", hidden) for slug in having("widgets")
    )


def questions() -> str:
    """What to ask about each chapter, and the typical mistake."""
    asked = ((slug, facts(slug)["question"]) for slug in chapters())
    return "\n\n".join(
        f"{{doc}}`{slug}`\n: **Ask:** {question['ask'].strip()}\n"
        f": **A mistake to expect:** {question['expect'].strip()}"
        for slug, question in asked
    )


def _section(slug: str, module: str) -> str:
    return f"## {facts(slug)['module']}\n\n{_automodule(module)}"


def _automodule(module: str, options: str = "") -> str:
    directive = f".. automodule:: {module}\n   :members:{options}"
    return f"```{{eval-rst}}\n{directive}\n```"


#: What ``{chapters} <name>`` stands for.
LISTS = {
    "cards": cards,
    "functions": functions,
    "modules": modules,
    "widgets": widgets,
    "questions": questions,
}


def expanded(text: str) -> str:
    """`text` with the lists in place of the lines that ask for them."""
    for name, make in LISTS.items():
        line = f"```{{chapters}} {name}\n```"
        if line in text:
            text = text.replace(line, make())
    return text


def expand(app: Any, docname: str, source: list[str]) -> None:
    """Put the lists into a page; it is read again when a chapter's facts change."""
    text = expanded(source[0])
    if text != source[0]:
        source[0] = text
        for slug in rooms():
            app.env.note_dependency(str(PACKAGE / slug / "chapter.toml"))


def minutes(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, **_: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Sphinx role: the sentence that says how long a page takes."""
    inliner.document.settings.env.note_dependency(str(PACKAGE / text / "chapter.toml"))
    return [nodes.Text(course.minutes(text))], []


def setup(app: Any) -> None:
    """Register both with Sphinx."""
    app.connect("source-read", expand)
    app.add_role("minutes", minutes)
