"""Output of a chapter besides pictures: the package's own code."""

import ast
import importlib.util
import inspect
import textwrap
from collections.abc import Callable
from typing import Any


class Source:
    """Source code of functions, without their docstrings, for a page or a notebook.

    The book never types its implementation a second time: it shows the one that is
    tested. Docstrings are left out because the text around does their work; ``help(f)``
    has them.

    Parameters
    ----------
    *functions : callable
        Shown in the order given.

    Examples
    --------
    >>> from posenc.attention import causal_mask
    >>> print(Source(causal_mask).text.splitlines()[0])
    def causal_mask(
    """

    def __init__(self, *functions: Callable[..., Any]) -> None:
        self.text = "\n\n".join(_without_docstrings(f) for f in functions)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {
            "text/markdown": f"```python\n{self.text}\n```",
            "text/plain": self.text,
        }

    __repr__ = object.__repr__


def _without_docstrings(function: Callable[..., Any]) -> str:
    lines = textwrap.dedent(inspect.getsource(function)).rstrip().split("\n")
    for node in ast.walk(ast.parse("\n".join(lines))):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if ast.get_docstring(node):
            docstring = node.body[0]
            for number in range(docstring.lineno, (docstring.end_lineno or 0) + 1):
                lines[number - 1] = "\0"
    return "\n".join(line for line in lines if line != "\0")


_NEEDS_TORCH = "%%needs_torch"


def load_ipython_extension(shell: Any) -> None:
    """Register ``%%needs_torch``: such a cell is skipped where torch is missing.

    ``%load_ext posenc.pages.display`` calls this, once however often it is run.
    """
    if skip_without_torch not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(skip_without_torch)


def skip_without_torch(lines: list[str]) -> list[str]:
    """Return the lines of a cell, or of one that reports why it is skipped."""
    if not lines or lines[0].strip() != _NEEDS_TORCH:
        return lines
    if importlib.util.find_spec("torch") is not None:
        return lines[1:]
    reason = "torch is not here (a browser cannot have it), so this cell is skipped."
    return [f"print({reason!r})\n"]
