"""The browser's edition of a student notebook: the differences alone.

Cells with the tag ``torch`` say why they are skipped, and a note on top says where the
reader's work is kept. On a laptop such a notebook runs in full.
"""

import hashlib
from typing import Any

import nbformat
from nbformat.v4 import new_markdown_cell

NOTE = """\
> **In your browser.** Python runs in this page, and takes some seconds to start. **Run
> all** above runs every cell. What you write is kept in this browser, on this computer,
> a few seconds after you have written it. **Download** gives you a copy as a file,
> **Start again** the notebook as it is published. If a cell runs for ever,
> choose *Kernel → Restart Kernel*: the stop button cannot reach it here."""

#: Registers ``%%needs_torch``; see `posenc.pages.display`.
LOAD = "%load_ext posenc.pages.display"
#: First line of a notebook where Pyodide comes from its makers: posenc is on the site.
INSTALL = "%pip install -q posenc matplotlib anywidget"


def browser_notebook(notebook: Any, slug: str, *, install: bool = False) -> Any:
    """Change a student notebook into its edition for the browser, and return it."""
    for number, cell in enumerate(c for c in notebook.cells if c.cell_type == "code"):
        top = []
        if "torch" in cell.metadata.get("tags", []):
            top = ["%%needs_torch"]
        elif number == 0:
            top = [INSTALL, LOAD] if install else [LOAD]
        cell.source = "\n".join([*top, cell.source])
    note = new_markdown_cell(NOTE, id=f"{slug.replace('_', '-')}-browser")
    notebook.cells.insert(1, note)
    # run.js compares it with what is published when a saved copy is opened.
    text = nbformat.writes(notebook).encode()
    edition = hashlib.sha256(text).hexdigest()[:12]
    notebook.metadata.setdefault("posenc", {})["edition"] = edition
    return notebook
