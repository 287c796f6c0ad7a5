"""Build the site: cells first, then pages, slides and Python in the browser.

Two traps of the tools underneath are handled here:

- After a failed ``-W`` build, an unchanged second build returns 0. So Sphinx reads
  every page again that has not been built well from its present sources.
- A change of one page can break links of others. So a build of the whole book reads
  and writes all pages; with ``--only`` Sphinx reads the changed ones alone.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import build_lite
import figure_files
import launch_buttons
import make_slides
import page_cells
import pyodide_release
import site_files
import yaml
from page_cells import fingerprint

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "_build"
SITE = BUILD / "html"
#: Sources of every page, besides its text and those of its cells.
SHARED = (
    "scripts",
    "book/_static",
    "book/assets",
    "book/references.bib",
    "requirements.txt",
    "_config.yml",
    "_toc.yml",
)
#: Sources of the whole site.
SOURCES = (*SHARED, "book", "src", "notebooks")


def slugs() -> list[str]:
    """Return the names of all pages of the book, as ``--only`` takes them."""
    return sorted(path.stem for path in (ROOT / "book").glob("*.md"))


def sources(slug: str | None = None) -> str:
    """Hash the sources of a page such as ``"rope"``, or of the whole site."""
    if slug is None:
        return fingerprint(ROOT, SOURCES)
    names = (*SHARED, f"book/{slug}.md", f"notebooks/{slug}.ipynb")
    parts = fingerprint(ROOT, names) + page_cells.key(ROOT, slug)
    return hashlib.sha256(parts.encode()).hexdigest()


def manifest_file() -> Path:
    """Return the file that lists what was built well, and from which sources."""
    return BUILD / "manifest.json"


#: The manifest before the first build: hashes of the shared sources, of the site's and
#: of each page's; and whether pages have links to Python in the browser.
NOTHING: dict[str, Any] = {"shared": None, "site": None, "lite": None, "pages": {}}


def read_manifest() -> dict[str, Any]:
    """Return what was built well."""
    path = manifest_file()
    content: dict[str, Any] = json.loads(path.read_text()) if path.exists() else NOTHING
    return content


def is_well_built(slug: str) -> bool:
    """Return True if a page's file is that of a build without a warning."""
    page = SITE / f"book/{slug}.html"
    return (
        slug in read_manifest()["pages"]
        and page.exists()
        # `make live` writes pages too, whatever warnings they give.
        and page.stat().st_mtime <= manifest_file().stat().st_mtime
    )


def is_current(slug: str | None = None) -> bool:
    """Return True if the site, or a page, was built well from its present sources."""
    manifest = read_manifest()
    if slug is None:
        return manifest["site"] == sources() and all(map(is_well_built, slugs()))
    return manifest["pages"].get(slug) == sources(slug) and is_well_built(slug)


#: Seconds that each step of this run has taken.
seconds: dict[str, float] = {}


@contextmanager
def step(name: str) -> Iterator[None]:
    """Print a step's name when it begins, and note how long it takes."""
    print(f"{name} …", flush=True)
    started = time.monotonic()
    try:
        yield
    finally:
        seconds[name] = time.monotonic() - started


def run_jupyter_book() -> int:
    """Run jupyter-book with warnings as errors; return its exit status."""
    program = Path(sys.executable).with_name("jupyter-book")
    options = ["-n", "-W", "--keep-going", "-q"]
    return subprocess.run([program, "build", ROOT, *options], check=False).returncode


def remove_pages(*, lite: bool) -> None:
    """Remove the site, but Python in the browser if it stays, and what Sphinx read."""
    write_manifest(NOTHING | {"lite": lite})
    shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
    for path in SITE.glob("*"):
        if path.is_file():
            path.unlink()
        elif path.name != "lite" or not lite:
            shutil.rmtree(path)


def forget_pages(manifest: dict[str, Any], only: Iterable[str]) -> None:
    """Make Sphinx read some pages again, and those that are not well built."""
    for slug in slugs():
        if slug in only or not is_well_built(slug):
            (BUILD / f".doctrees/book/{slug}.doctree").unlink(missing_ok=True)
    # Sphinx reads changed pages, too: if it fails, they count as not built.
    unchanged = {
        slug: was
        for slug, was in manifest["pages"].items()
        if slug not in only and was == sources(slug)
    }
    write_manifest(manifest | {"site": None, "pages": unchanged})


def build(*only: str, clean: bool = False, lite: bool = True) -> int:
    """Build what has changed, with warnings as errors; return the exit status.

    Parameters
    ----------
    *only : str
        Build these pages alone, such as ``"rope"``, if the site has been built before.
        They get links to Python in the browser if the others have them.
    clean : bool
        Start from nothing.
    lite : bool
        Give pages links to Python in the browser.
    """
    if clean:
        shutil.rmtree(BUILD, ignore_errors=True)
    manifest, shared = read_manifest(), fingerprint(ROOT, SHARED)
    whole = not only or manifest["shared"] != shared
    if only and manifest["lite"] is not None:
        lite = manifest["lite"]
    if whole:
        same = lite == manifest["lite"] and is_current()
    else:
        same = all(map(is_current, only))
    if same:
        print(f"Nothing has changed: {SITE / 'index.html'}")
        return 0
    # Hashed before the build: sources that change meanwhile are not current.
    site = sources() if whole else None
    hashes = {slug: sources(slug) for slug in (slugs() if whole else only)}
    os.environ[launch_buttons.LITE_VARIABLE] = "1" if lite else ""
    with step("Cells of pages"):
        if not page_cells.run(ROOT, () if whole else only):
            return 1
    if whole:
        remove_pages(lite=lite)
        manifest = NOTHING | {"lite": lite}
    else:
        forget_pages(manifest, only)
    with step("Pages"):
        if status := run_jupyter_book():
            return status
    with step("Slides"):
        write_site_files()
        make_slides.write_slides(hashes, SITE)
        figure_files.remove_unused(SITE)
    pages = dict.fromkeys(slugs(), "") | manifest["pages"] | hashes
    write_manifest(manifest | {"shared": shared, "site": site, "pages": pages})
    return 0


def write_manifest(content: dict[str, Any]) -> None:
    """Write the manifest as a whole, or not at all."""
    path = manifest_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    unfinished.replace(path)


def write_site_files() -> None:
    """Write the files at the site's top: see `site_files`."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    address = config.get("html", {}).get("baseurl") or ""
    site_files.write(SITE, config["title"], address)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clean", action="store_true", help="start from nothing")
    parser.add_argument(
        "--no-lite", action="store_true", help="leave out Python in the browser"
    )
    parser.add_argument(
        "--only",
        metavar="SLUG",
        action="append",
        choices=slugs(),
        default=[],
        help="build this page alone, such as rope, if the site has been built",
    )
    options = parser.parse_args()
    lite = not options.no_lite
    page_cells.prepare_environment()
    if lite and not options.only and (message := pyodide_release.complete()):
        print(message)  # pages have places for answers if Pyodide's files are here
    status = build(*options.only, clean=options.clean, lite=lite)
    if status == 0 and lite and not options.only:
        with step("Python in the browser"):
            print(build_lite.update())
    times = (f"{name} {spent:.0f} s" for name, spent in seconds.items())
    print("; ".join(times))
    if status == 0:
        print(f"Open {SITE / 'index.html'}")
    sys.exit(status)


if __name__ == "__main__":
    main()
