"""Sphinx extension of this book: repairs that no setting of the tools reaches."""

import re
from pathlib import Path
from typing import Any

import chapter_directives
import figure_files
import folds
import latex_output
import launch_buttons
import old_sections
import page_cells
import page_head
import reference_style
import report_links
import solve_page
import static_formulas
import term_boxes
import try_role

#: Texts that other extensions write into pages, and their replacements.
REPAIRS = {
    # A list owns items; DPUB-ARIA 1.1 deprecates docutils' role for them.
    ' role="doc-biblioentry"': ' role="listitem"',
    # Ids that every proof, exercise and solution on a page has; nothing leads to them.
    ' id="proof"': "",
    ' id="proof-content"': "",
    ' id="exercise-content"': "",
    ' id="solution-content"': "",
}


def note_key(app: Any, docname: str, source: list[str]) -> None:
    """Make Sphinx read a page again when its cells have run again."""
    file = Path(app.srcdir, page_cells.KEYS, Path(docname).name)
    if file.exists():
        app.env.note_dependency(str(file))


def repair_html(
    app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Apply `REPAIRS`, move figures to files, load each style once."""
    if "body" not in context:
        return
    for wrong, right in REPAIRS.items():
        context["body"] = context["body"].replace(wrong, right)
    body, top = styles_once(context["body"]), "../" * pagename.count("/")
    context["body"] = figure_files.move(body, Path(app.outdir), top)


def styles_once(html: str) -> str:
    """Drop all but the first of equal style elements: each widget brings the same."""
    seen = set()

    def first(match: re.Match[str]) -> str:
        known = match[0] in seen
        seen.add(match[0])
        return "" if known else match[0]

    return re.sub(r"<style>.*?</style>", first, html, flags=re.DOTALL)


def skip_fields(
    app: Any, what: str, name: str, obj: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out fields of a NamedTuple that its docstring describes already."""
    unsaid = re.match(r"Alias for field number \d+$", str(obj.__doc__))
    return True if unsaid else None


def setup(app: Any) -> dict[str, bool]:
    """Register the repairs, and what the other modules do, with Sphinx."""
    folds.setup(app)
    launch_buttons.setup(app)
    old_sections.setup(app)
    page_head.setup(app)
    latex_output.setup(app)
    reference_style.setup(app)
    chapter_directives.setup(app)
    report_links.setup(app)
    solve_page.setup(app)
    static_formulas.setup(app)
    term_boxes.setup(app)
    try_role.setup(app)
    app.connect("source-read", note_key)
    app.connect("html-page-context", repair_html)
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-skip-member", skip_fields)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
