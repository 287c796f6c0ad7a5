"""HTML and text of reports, for a notebook and for a terminal.

The look uses the page's own colors (``--pe-…``, else JupyterLab's, else whatever is
inherited), so it follows light and dark. Everything that may come from an answer is
escaped here.
"""

from html import escape

BORDER = "var(--pe-line, var(--jp-border-color1, currentColor))"
BOX = (
    "color:var(--pe-text, var(--jp-ui-font-color1, inherit));"
    "background:var(--pe-raised, transparent);"
    f"border:1px solid {BORDER};border-left-width:5px;border-radius:4px;"
    "padding:.6em .9em;margin:.4em 0;max-width:46em;line-height:1.45;"
    "overflow-wrap:anywhere;"
)
CODE = (
    "margin:.3em 0;padding:.4em .6em;overflow-x:auto;white-space:pre-wrap;"
    "color:inherit;background:var(--pe-surface, transparent);"
    f"border:1px solid {BORDER};border-radius:3px;font-size:.9em;"
)
MUTED = "color:var(--pe-muted, var(--jp-ui-font-color2, inherit));"


def indent(text: str, margin: str) -> str:
    """Return text with a margin before each line."""
    return "\n".join(margin + line for line in text.splitlines())


def html_lines(text: str) -> str:
    """Return text of several lines as HTML."""
    return escape(text).replace("\n", "<br>")


def div(text: str, style: str = "") -> str:
    """Return a paragraph, or nothing for an empty text."""
    return f'<div style="{style}">{html_lines(text)}</div>' if text else ""


def pre(text: str) -> str:
    """Return code, or printed text, as HTML."""
    return f'<pre style="{CODE}">{escape(text)}</pre>'
