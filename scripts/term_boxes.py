"""First sentences of definitions, for the words of a page that lead to the glossary.

A page ends with a hidden box for each such word. `book.js` shows it beside the word.
"""

import re
from typing import Any

from docutils import nodes

GLOSSARY = "book/glossary"
#: A link to a word of the glossary.
_LINK = re.compile(r'href="glossary\.html#(term-[^"]+)"')
_SENTENCE = re.compile(r"[^.!?]*([.!?](?!\s)[^.!?]*)*[.!?](?=\s|$)")


def first_sentence(paragraph: nodes.Node) -> nodes.inline:
    """Copy the first sentence of a paragraph; its links become words."""
    sentence = nodes.inline()
    for child in paragraph.children:
        end = _SENTENCE.match(child) if isinstance(child, nodes.Text) else None
        sentence += nodes.Text(end[0]) if end else child.deepcopy()
        if end:
            break
    for link in [*sentence.findall(nodes.reference)]:
        link.replace_self(link.children)
    return sentence


def boxes(app: Any, terms: set[str]) -> str:
    """Return the HTML of the boxes for some ids of words of the glossary."""
    glossary = app.env.get_and_resolve_doctree(GLOSSARY, app.builder)
    html = ""
    for item in glossary.findall(nodes.definition_list_item):
        ids = [name for term in item.findall(nodes.term) for name in term["ids"]]
        sentence = first_sentence(item[-1][0])
        text = app.builder.render_partial(sentence)["fragment"]
        for name in (name for name in ids if name in terms):
            html += (
                f'<div class="pe-term" id="about-{name}" popover="hint">{text}</div>'
            )
    return html


def add_boxes(
    app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Put the boxes after the text of a page."""
    if terms := {*_LINK.findall(context.get("body", ""))}:
        context["body"] += boxes(app, terms)


def setup(app: Any) -> None:
    """Register the boxes with Sphinx."""
    app.connect("html-page-context", add_boxes)
