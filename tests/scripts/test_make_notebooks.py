"""The generated notebooks: clean, and in plain Markdown.

That those in the checkout are fresh is what `make_notebooks.py --check` asks.

That they work from top to bottom, answered with the solutions too, is seen where they
are graded (tests/grading/test_chapters.py) and opened (tests/site).
"""

import re

import pytest
from make_notebooks import answered, chapters, student_notebook


@pytest.mark.parametrize("slug", chapters())
def test_notebook_holds_no_outputs_no_solutions_stable_ids_and_plain_markdown(slug):
    notebook = student_notebook(slug)
    prefix = slug.replace("_", "-")
    assert [c["id"] for c in notebook.cells] == [
        f"{prefix}-{n:03d}" for n in range(len(notebook.cells))
    ]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
    assert not any("solution" in cell.metadata["tags"] for cell in code)
    checks = [cell for cell in code if cell.source.startswith("assert ")]
    assert all(cell.metadata["jupyter"]["source_hidden"] for cell in checks)
    stubs = [c.source for c in code if "stub" in c.metadata["tags"]]
    solutions = [
        c.source for c in answered(slug).cells if "stub" in c.metadata.get("tags", [])
    ]
    assert all(
        stub != solution for stub, solution in zip(stubs, solutions, strict=True)
    )

    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    assert not re.search(r"^(```|:::)\{|\{[a-z:]+\}`|^\([\w-]+\)=$", text, re.MULTILINE)
    assert not re.search(r"\\(query|key|val|pos)\b|\{glue|discuss in class", text)
    formulas = re.findall(r"\$\$.*?\$\$|(?<!\$)\$[^$]+\$(?!\$)", text, re.DOTALL)
    assert not [formula for formula in formulas if re.search(r"\n\s*>", formula)]
