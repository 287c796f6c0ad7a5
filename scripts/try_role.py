"""The role ``{try}``: words of a page that set a widget on it.

``{try}`move both to the end <TurnedPair m=20 n=22>``` is a button where scripts run,
and words where they don't: in print, in notebooks, without JavaScript. Which widgets a
page has, and what they take, is checked when it is built.
"""

import ast
import importlib
import json
import shlex
from typing import Any

import traitlets
from docutils import nodes

#: HTML of the role: a button that `book.js` activates.
BUTTON = (
    '<button type="button" class="pe-set" disabled data-widget="{name}" '
    "data-values='{values}'>"
)


class words_that_set(nodes.inline):  # noqa: N801 - docutils names nodes like this
    """Words, the name of a widget, and the values that they give it."""


def parse(text: str) -> tuple[str, str, dict[str, Any]]:
    """Return words, widget and values of ``words <Widget trait=value …>``.

    Examples
    --------
    >>> parse("one direction <BucketTable bidirectional=False rule='T5 (2019)'>")
    ('one direction', 'BucketTable', {'bidirectional': False, 'rule': 'T5 (2019)'})
    """
    words, bracket, setting = text.removesuffix(">").rpartition("<")
    name, *pairs = shlex.split(setting) if bracket and setting else [""]
    if not words.strip() or not name.isidentifier() or not all("=" in p for p in pairs):
        msg = f"{{try}} wants 'words <Widget trait=value>', got {text!r}"
        raise ValueError(msg)
    return words.strip(), name, dict(_pair(pair) for pair in pairs)


def _pair(text: str) -> tuple[str, Any]:
    key, _, value = text.partition("=")
    try:
        return key, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return key, value  # a word


def check(slug: str, name: str, values: dict[str, Any]) -> None:
    """Raise ValueError unless the page's widget takes these values as they are."""
    widgets = importlib.import_module(f"posenc.{slug}.widgets")
    if name not in widgets.__all__:
        msg = (
            f"{{try}} wants a widget of its page, one of {widgets.__all__}, got {name}"
        )
        raise ValueError(msg)
    cls = getattr(widgets, name)
    settable = {
        k for k, trait in cls.class_traits(sync=True).items() if not trait.read_only
    }
    try:
        if unknown := values.keys() - settable:
            msg = f"it has no {', '.join(sorted(unknown))}"
            raise traitlets.TraitError(msg)
        made = cls(**values)
        if changed := [
            key for key, value in values.items() if getattr(made, key) != value
        ]:
            msg = f"it changes {', '.join(changed)}"
            raise traitlets.TraitError(msg)
    except traitlets.TraitError as error:
        msg = f"{{try}}: {name} does not take {values}: {error}"
        raise ValueError(msg) from error


def role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, **_: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Handle the Sphinx role: return a button, or a report of what is wrong with it."""
    slug = inliner.document.settings.env.docname.rpartition("/")[2]
    try:
        words, widget, values = parse(text)
        check(slug, widget, values)
    except ValueError as error:
        problem = inliner.reporter.error(str(error), line=lineno)
        return [inliner.problematic(rawtext, rawtext, problem)], [problem]
    return [words_that_set(rawtext, words, widget=widget, values=values)], []


def visit_html(self: Any, node: words_that_set) -> None:
    """Open the button."""
    values = json.dumps(node["values"], separators=(",", ":")).replace("'", "&#39;")
    self.body.append(BUTTON.format(name=node["widget"], values=values))


def depart_html(self: Any, node: words_that_set) -> None:
    """Close it."""
    self.body.append("</button>")


def as_words(self: Any, node: words_that_set) -> None:
    """Write the words alone for other builders."""


def setup(app: Any) -> None:
    """Register the role with Sphinx."""
    words = (as_words, as_words)
    app.add_node(
        words_that_set, html=(visit_html, depart_html), latex=words, text=words
    )
    app.add_role("try", role)
