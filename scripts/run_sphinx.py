"""Sphinx with the settings of jupyter-book, in a process of its own.

``python scripts/run_sphinx.py ROOT [PAGE ...]`` builds ``ROOT/_build/html`` and takes
warnings for errors: what has changed is read, and all pages are written. If pages are
named, such as ``book/rope``, only these are read and written.
"""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jupyter_book.sphinx  # type: ignore[import-untyped]
from sphinx.application import Sphinx


def run(
    root: Path, pages: list[str], wait: Callable[[Sphinx], list[str]] | None = None
) -> int:
    """Build the site, or some pages of it; return the exit status.

    Parameters
    ----------
    root : Path
        Of the project.
    pages : list of str
        Such as ``book/rope``; all, if there is none.
    wait : callable, optional
        Is called when all is ready for the build, and returns the pages.
    """
    jupyter_book.sphinx.Sphinx = _waiting(root, wait) if wait else Sphinx
    result = jupyter_book.sphinx.build_sphinx(
        root,
        root / "_build" / "html",
        noconfig=True,
        path_config=root / "_config.yml",
        confoverrides={
            "external_toc_path": str(root / "_toc.yml"),
            "latex_individualpages": False,
            **({"book_pages": pages} if pages else {}),
        },
        filenames=[str(root / f"{page}.md") for page in pages],
        # What a page says about another one is checked when it is written.
        force_all=not pages,
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    if isinstance(result, Exception):
        traceback.print_exception(result)
    return result if isinstance(result, int) else 1


def _waiting(root: Path, wait: Callable[[Sphinx], list[str]]) -> type[Sphinx]:
    """Sphinx that has loaded what was built, and waits before it builds more."""

    class Waiting(Sphinx):
        def build(self, force_all: bool = False, filenames: Any = None) -> None:
            keep_doctrees(self.env)
            self.config.book_pages = pages = wait(self)
            super().build(not pages, [str(root / f"{page}.md") for page in pages])

    return Waiting


def keep_doctrees(env: Any) -> None:
    """Load all pages now: Sphinx counts their figures again in each build."""
    doctrees = {name: env.get_doctree(name) for name in env.all_docs}
    check, read = env.check_dependents, env.get_doctree

    def check_dependents(app: Any, changed: set[str]) -> Any:
        del env.check_dependents  # it is about to be pickled
        env.get_doctree = lambda name: (
            doctrees[name] if name in doctrees.keys() - changed else read(name)
        )
        try:
            return list(check(app, changed))
        finally:
            del env.get_doctree

    env.check_dependents = check_dependents


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[2:]))
