"""The directives ``{guess}`` and ``{fold}``: a line that opens.

``:::{guess} A question?`` hides its answer until the reader has made a guess, and
``:::{fold} A title`` what some readers skip. Both are ``<details>``: they
work without a script and from the keyboard, and print open.
"""

from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

#: Label before the title of each.
LABELS = {"guess": "Guess", "fold": ""}


class fold(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes like this
    """Title with the content that it hides."""


class fold_title(nodes.General, nodes.TextElement):  # noqa: N801
    """The line that is always seen."""


class Fold(SphinxDirective):
    """Directive: its argument is the title, its content is folded."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Make the node, or complain that there is nothing to open."""
        self.assert_has_content()
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        title = fold_title(self.arguments[0], "", *words, label=LABELS[self.name])
        node = fold("", title, classes=[f"pe-{self.name}"])
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node, *messages]


def open_fold(self: Any, node: fold) -> None:
    """Open the element."""
    self.body.append(self.starttag(node, "details"))


def close_fold(self: Any, node: fold) -> None:
    """Close it."""
    self.body.append("</details>\n")


def open_title(self: Any, node: fold_title) -> None:
    """Open the line, with its label."""
    label = f'<span class="pe-ask">{node["label"]}:</span> '
    self.body.append(f"<summary>{label if node['label'] else ''}")


def close_title(self: Any, node: fold_title) -> None:
    """Close it."""
    self.body.append("</summary>\n")


def print_title(self: Any, node: fold_title) -> None:
    """Start a paragraph in print: it needs no title of a fold."""
    if not node["label"]:
        raise nodes.SkipNode
    self.body.append(f"\n\n\\noindent\\textbf{{{node['label']}:}} ")


def end_printed_title(self: Any, node: fold_title) -> None:
    """Start a new paragraph for the answer."""
    self.body.append("\n\n")


def nothing(self: Any, node: nodes.Node) -> None:
    """Write nothing: other builders treat it as text."""


def setup(app: Any) -> None:
    """Register the directives with Sphinx."""
    plain = (nothing, nothing)
    app.add_node(fold, html=(open_fold, close_fold), latex=plain, text=plain)
    title = (open_title, close_title)
    printed = (print_title, end_printed_title)
    app.add_node(fold_title, html=title, latex=printed, text=plain)
    for name in LABELS:
        app.add_directive(name, Fold)
