"""Runs the cells of pages: a page's again when something that they have read changes.

jupyter-cache knows a page's code cells alone. Here each kernel lists what it reads of
this project (`kernel_reads`), and results are used again only while all of that is the
same. While Sphinx reads one page, the cells of the next ones run already.
"""

import os
import sys
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from freshness import Moment, Record, Stamp, write_json
from jupyter_cache import get_cache  # type: ignore[import-untyped]
from jupyter_client.manager import KernelManager
from myst_nb.core import execute
from myst_nb.core.execute.cache import NotebookClientCache
from myst_nb.core.read import create_nb_reader
from nbclient import NotebookClient

READS = Path(__file__).with_name("kernel_reads.py")

#: File in which the next kernel lists what it reads, and the project's root.
_listing: ContextVar[tuple[str, str] | None] = ContextVar("_listing", default=None)


class PageClient(NotebookClientCache):
    """Takes the results of a page's cells from the cache, or runs them.

    Attributes
    ----------
    root : Path
        The project's root.
    ahead : dict
        Runs that have begun before their page is read.
    """

    root: Path
    ahead: dict[Path, Future[None]]

    def start_client(self) -> None:
        """Run the cells, unless they have run and would read the same again."""
        if not any(cell.cell_type == "code" for cell in self.notebook.cells):
            return
        if started := self.ahead.get(self.path):
            started.exception()  # a page that fails does so again, and is reported
        self.run()

    def run(self) -> None:
        """Run the cells if necessary, in this thread."""
        cache = get_cache(self.nb_config.execution_cache_path)
        _, cells = cache.create_hashed_notebook(self.notebook)
        page = self.path.relative_to(self.root).with_suffix("").as_posix()
        record = Record(self.root, cache.path, page)
        if not record.holds(cells):
            with suppress(KeyError):
                cache.remove_cache(cache.match_cache_notebook(self.notebook).pk)
        with TemporaryDirectory() as folder:
            log, started = Path(folder, "reads"), Moment(self.root)
            token = _listing.set((str(self.root), str(log)))
            try:
                super().start_client()
            finally:
                _listing.reset(token)
            if log.exists() and self.exec_metadata["succeeded"]:
                record.write(cells, log.read_text("utf-8").splitlines(), started)


def prepare_kernels() -> None:
    """Give kernels that run pages settings that no option of the tools reaches.

    Connections are encrypted (CurveZMQ): without this each kernel warns that others on
    the machine could read what runs in it, and a warning is an error here. The widgets'
    state is not stored: the book's widgets carry their own, and each page would hold
    another 100 KB that nothing reads. What a slow machine prints in pieces is put
    together as it is: myst-nb would end a line after each. And what is read is listed.
    """
    create = NotebookClient.create_kernel_manager

    def create_prepared(client: NotebookClient) -> KernelManager:
        client.store_widget_state = False
        client.coalesce_streams = True
        if where := _listing.get():
            watch = f"__import__('runpy').run_path({str(READS)!r})['watch'](*{where!r})"
            client.extra_arguments = [f"--IPKernelApp.exec_lines={watch}"]
        manager = create(client)
        manager.transport_encryption = "required"
        return manager

    NotebookClient.create_kernel_manager = create_prepared  # type: ignore


def run_ahead(app: Any, env: Any, docnames: list[str]) -> None:
    """Begin with the cells of all pages that Sphinx is going to read."""
    if len(docnames) < 2:
        return
    get_cache(env.mystnb_config.execution_cache_path).db  # noqa: B018 made here, once
    pool = ThreadPoolExecutor(os.cpu_count())
    app.connect("build-finished", lambda *_: pool.shutdown(cancel_futures=True))
    for name in docnames:
        path = Path(env.doc2path(name))
        PageClient.ahead[path] = pool.submit(run_page, env, path)


def run_page(env: Any, path: Path) -> None:
    """Run the cells of one page, and keep the results in the cache."""
    text = path.read_text("utf-8")
    config = env.mystnb_config
    if reader := create_nb_reader(str(path), env.myst_config, config, text):
        quiet = SimpleNamespace(info=_nothing, warning=_nothing)
        client = PageClient(
            reader.read(text), path, config, quiet, read_fmt=reader.read_fmt
        )
        if any(cell.cell_type == "code" for cell in client.notebook.cells):
            client.run()


def _nothing(*_: Any, **__: Any) -> None:
    """Say nothing: the page itself says it."""


def stale_pages(app: Any, env: Any, *_: Any) -> list[str]:
    """Pages to read again: those whose present state has not been built well."""
    stamp = Stamp(Path(app.srcdir))
    pages = app.config.book_pages or env.found_docs
    return [page for page in pages if not stamp.is_current(page)]


def choose_pages(app: Any, env: Any, docnames: list[str]) -> None:
    """Read the wanted pages and new ones alone, if not all are wanted."""
    if wanted := app.config.book_pages:
        known = env.all_docs.keys() - wanted
        docnames[:] = [name for name in docnames if name not in known]


def inside(root: Path, files: Iterable[str | None]) -> set[str]:
    """Names of those files, seen from the root, that are the project's own."""
    names = {Path(root, file).as_posix() for file in files if file}
    start = f"{root.as_posix()}/"
    found = {name.removeprefix(start) for name in names if name.startswith(start)}
    return {name for name in found if name[0] != "."}  # .venv is none


def keep_dependencies(app: Any, env: Any) -> None:
    """Write what Sphinx has read for each page, for `freshness`."""
    root = Path(app.srcdir)
    files = {
        page: sorted(inside(root, env.dependencies.get(page, ())) | app.book_modules)
        for page in env.found_docs
    }
    write_json(Path(app.outdir).parent / "dependencies.json", files)


def note_modules(app: Any) -> None:
    """Note the modules that the book's extension uses: all pages depend on them."""
    modules = [getattr(m, "__file__", None) for m in list(sys.modules.values())]
    app.book_modules = inside(Path(app.srcdir), modules)


def setup(app: Any) -> None:
    """Register with Sphinx."""
    prepare_kernels()
    PageClient.root, PageClient.ahead = Path(app.srcdir), {}
    execute.NotebookClientCache = PageClient
    app.add_config_value("book_pages", [], "")
    app.connect("builder-inited", note_modules)
    app.connect("env-get-outdated", stale_pages)
    app.connect("env-before-read-docs", choose_pages, priority=400)
    app.connect("env-before-read-docs", run_ahead)
    app.connect("env-updated", keep_dependencies)
