"""Run the cells of pages whose inputs have changed, and keep the results.

jupyter-cache hashes only the code of a page's cells. Here a page's key is a hash of its
cells and of all they may read: `core`, `kit`, the folders of `posenc` that the page
imports, directly or not, and the measured data. When the key changes, the page leaves
the cache, and its cells run before Sphinx starts, as many pages at once as there are
cores. Sphinx finds every result in the cache, and runs no cell itself.

``python scripts/page_cells.py [SLUG ...]`` does so for these pages and for those that
have never run, or for all pages.
"""

import asyncio
import hashlib
import os
import re
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
#: A file for each page whose cells have run, with its key. Sphinx reads a page again
#: when the page's file is newer.
KEYS = "_build/keys"
#: Files and folders that the cells of any page may read.
SHARED = (
    "src/posenc/*.py",
    "src/posenc/core",
    "src/posenc/kit",
    "src/posenc/*/chapter.toml",
    "book/data",
    "_toc.yml",
    "requirements.txt",
)
#: Seconds that a cell may take.
TIMEOUT = 120
#: Files that `posenc.nn` imports: the functions and modules of every chapter.
MODULES = "src/posenc/*/*.py"

CELL = re.compile(r"^(`{3,})\{code-cell\}.*?^\1 *$", re.DOTALL | re.MULTILINE)
IMPORT = re.compile(
    r"(?:posenc\.|\bfrom \.\.+|check\([\"'])(\w+)"
    r"|from (?:posenc|\.\.+) import (\([^)]*\)|[\w, ]+)"
)


def fingerprint(root: Path, patterns: Iterable[str]) -> str:
    """Hash names and contents of files, and of all files in folders."""
    digest = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file() and "__pycache__" not in file.parts:
                    digest.update(f"{file.relative_to(root).as_posix()}\n".encode())
                    digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def cells(root: Path, slug: str) -> str:
    """Return the source of a page's code cells, with their tags."""
    text = (root / f"book/{slug}.md").read_text("utf-8")
    return "\n".join(match[0] for match in CELL.finditer(text))


def imports(code: str) -> set[str]:
    """Return the names below ``posenc`` that code mentions."""
    names = " ".join(" ".join(match) for match in IMPORT.findall(code))
    return set(re.findall(r"\w+", names))


@cache
def folder_imports(folder: Path) -> set[str]:
    """Return the names below ``posenc`` that the modules of a folder mention."""
    files = folder.rglob("*.py")
    return set().union(*(imports(file.read_text("utf-8")) for file in files))


def sources(root: Path, slug: str) -> set[str]:
    """Return patterns of all files that a page's cells may read."""
    package = root / "src/posenc"
    known = {path.name for path in package.iterdir() if path.is_dir()} | {"nn"}
    if slug not in known:  # lists of all chapters import each by its name
        return {*SHARED, "src/posenc"}
    queue = {slug, *imports(cells(root, slug))}
    folders: set[str] = set()
    # By a tested rule `core` and `kit` import no other folder.
    while queue := queue & known - folders - {"core", "kit"}:
        folders |= queue
        queue = set().union(*(folder_imports(package / name) for name in queue))
    names = {f"src/posenc/{name}" for name in folders - {"nn"}}
    return {*SHARED, *names, *([MODULES] if "nn" in folders else [])}


def key(root: Path, slug: str) -> str:
    """Hash a page's cells and all that they may read."""
    inputs = fingerprint(root, sorted(sources(root, slug)))
    parts = (inputs, cells(root, slug), sys.version)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def stale(root: Path, slugs: Iterable[str] = ()) -> dict[str, str]:
    """Return the new keys of the pages whose cells must run.

    Parameters
    ----------
    root : Path
        The project's root.
    slugs : iterable of str
        Look at these pages and those that have never run; at all, if it is empty.
    """
    slugs, keys = set(slugs), {}
    for path in sorted((root / "book").glob("*.md")):
        file = root / KEYS / path.stem
        if slugs and path.stem not in slugs and file.exists():
            continue
        if cells(root, path.stem):
            new = key(root, path.stem)
            if not file.exists() or file.read_text() != new:
                keys[path.stem] = new
    return keys


def run(root: Path, slugs: Iterable[str] = ()) -> bool:
    """Run the cells of stale pages; return True if all of them succeeded."""
    keys = stale(root, slugs)
    return not keys or asyncio.run(_run_pages(root, keys))


async def _run_pages(root: Path, keys: dict[str, str]) -> bool:
    # Imported here, since most edits change no cell, and these take seconds.
    from jupyter_cache import get_cache  # type: ignore[import-untyped]

    results = get_cache(root / "_build/.jupyter_cache")
    limit = asyncio.Semaphore(os.cpu_count() or 1)
    longest_first = sorted(keys, key=lambda slug: -len(cells(root, slug)))
    pages = [_run_page(root, slug, results, limit) for slug in longest_first]
    succeeded = True
    for page in asyncio.as_completed(pages):
        slug, error = await page
        if error:
            succeeded = False
            print(f"book/{slug}.md: a cell failed\n{error}", file=sys.stderr)
        else:
            (root / KEYS).mkdir(parents=True, exist_ok=True)
            (root / KEYS / slug).write_text(keys[slug])
    return succeeded


async def _run_page(
    root: Path, slug: str, results: Any, limit: asyncio.Semaphore
) -> tuple[str, Exception | None]:
    """Run a page's cells and put them into the cache; return an error, if any."""
    from jupyter_cache.base import CacheBundleIn  # type: ignore[import-untyped]
    from jupyter_cache.readers import get_reader  # type: ignore[import-untyped]
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError
    from traitlets.config import Config

    path = root / f"book/{slug}.md"
    notebook = get_reader({"type": "plugin", "name": "myst_nb_md"})(str(path))
    with suppress(KeyError):
        results.remove_cache(results.match_cache_notebook(notebook).pk)
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        startup_timeout=600,  # a busy machine takes long to start a kernel
        resources={"metadata": {"path": str(path.parent)}},
        # Widgets carry their own state; the notebook's copy would add 100 KB to a page.
        store_widget_state=False,
        # A slow machine would cut printed lines into pieces.
        coalesce_streams=True,
        # Times in the cells' metadata would change the page's key in the cache.
        record_timing=False,
        # Kernels warn about unencrypted connections.
        config=Config(KernelManager={"transport_encryption": "required"}),
    )
    async with limit:
        started = time.monotonic()
        try:
            await client.async_execute()
        except (CellExecutionError, CellTimeoutError, RuntimeError) as error:
            return slug, error
        seconds = time.monotonic() - started
    print(f"  {slug}: {seconds:.0f} s", flush=True)
    bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
    results.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    return slug, None


def prepare_environment() -> None:
    """Set variables that kernels and Sphinx inherit."""
    # Checks on the pages must not count as a reader's progress.
    os.environ["POSENC_PROGRESS"] = os.devnull
    # One thread for each kernel, since as many kernels run as there are cores.
    os.environ["OMP_NUM_THREADS"] = "1"
    # Pages show this checkout even if another one is installed.
    paths = (str(ROOT / "src"), os.environ.get("PYTHONPATH"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


if __name__ == "__main__":
    prepare_environment()
    sys.exit(not run(ROOT, sys.argv[1:]))
