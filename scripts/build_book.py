"""Build the site: never stale, and no more of it than has changed.

Three traps of the tools underneath are handled here:

- The execution cache knows a page's code cells alone. Cells run again when something
  that they have read changes (`run_cells`), and Sphinx reads such a page again.
- After a failed ``-W`` build, an unchanged second build returns 0. So a site that was
  not built well is built again from nothing but the results of cells.
- What a changed page does to others shows when those are written. So all are written,
  unless single pages are wanted.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import build_lite
import link_row
import pyodide_release
import site_files
import yaml
from freshness import Moment, Stamp, write_json

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "_build"
SITE = BUILD / "html"


def is_current(page: str | None = None) -> bool:
    """Whether the site has been built, without an error, from the present sources.

    Parameters
    ----------
    page : str, optional
        Look at this page alone, such as ``"rope"``.
    """
    stamp = Stamp(ROOT)
    return bool(stamp.read()["sound"]) and stamp.is_current(page and f"book/{page}")


def write_site_files() -> None:
    """Write what lies at the site's top: see `site_files`."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    address = config.get("html", {}).get("baseurl") or ""
    site_files.write(SITE, config["title"], address)


def slugs() -> list[str]:
    """Names of all pages of the book, as ``--only`` takes them."""
    return sorted(path.stem for path in (ROOT / "book").glob("*.md"))


def run_sphinx(pages: list[str]) -> int:
    """Run Sphinx in a process of its own; return its exit status."""
    script = Path(__file__).with_name("run_sphinx.py")
    return subprocess.run(
        [sys.executable, script, ROOT, *pages], check=False
    ).returncode


def build(
    *only: str,
    clean: bool = False,
    lite: bool = True,
    run: Callable[[list[str]], int] | None = None,
) -> int:
    """Build what has changed, with warnings as errors; return the exit status.

    Parameters
    ----------
    *only : str
        Build these pages alone, such as ``"rope"``, if the site has been built before.
        They get links to Python in the browser if the others have them.
    clean : bool
        Start from nothing.
    lite : bool
        Whether pages get links to Python in the browser.
    run : callable, optional
        Runs Sphinx for some pages, or for all if the list is empty.
    """
    if clean:
        shutil.rmtree(BUILD, ignore_errors=True)
    stamp, started = Stamp(ROOT), Moment(ROOT)
    state = stamp.read()
    pages: dict[str, str] = state["pages"]
    wanted = [f"book/{slug}" for slug in only]
    if not state["sound"]:
        for leftover in (SITE, BUILD / ".doctrees"):
            shutil.rmtree(leftover, ignore_errors=True)
        wanted, pages = [], {}
    if wanted:
        lite, site = state["lite"], None
        stale = wanted = [page for page in wanted if not stamp.is_current(page)]
    else:
        site = stamp.site()
        same = (state["site"], state["lite"]) == (site, lite)
        stale = [] if same else [f"book/{slug}" for slug in slugs()]
    if not stale:
        print(f"Nothing has changed: {SITE / 'index.html'}")
        return 0
    # Read again by Sphinx is what is not in the stamp.
    pages = {page: was for page, was in pages.items() if page not in wanted}
    state = {"site": None, "lite": lite, "sound": bool(wanted), "pages": pages}
    write_json(stamp.file, state)
    os.environ[link_row.LITE_VARIABLE] = "1" if lite else ""
    status = (run or run_sphinx)(wanted)
    if status == 0:
        write_site_files()
        stamp = Stamp(ROOT)  # which knows what has been read now
        for page in stale:
            pages.pop(page, None)
            if not stamp.touched(page, started):
                pages[page] = stamp.page(page)
        state |= {"site": site, "sound": True}
        write_json(stamp.file, state)
        built = ", ".join(only) if wanted else "The book"
        print(f"{built} is built: {SITE / 'index.html'}")
    return status


def main() -> None:
    """Command line."""
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
    prepare_environment()
    if (
        not options.no_lite
        and not options.only
        and (said := pyodide_release.complete())
    ):
        print(said)
    status = build(*options.only, clean=options.clean, lite=not options.no_lite)
    if status == 0 and not options.no_lite and not options.only:
        print(build_lite.update())
    sys.exit(status)


def prepare_environment() -> None:
    """Set what kernels inherit."""
    # The checks on the pages are the book's: they are nobody's progress.
    os.environ["POSENC_PROGRESS"] = os.devnull
    # As many kernels run as there are cores: one thread each.
    os.environ["OMP_NUM_THREADS"] = "1"
    # Pages show this checkout, whichever one is installed.
    paths = (str(ROOT / "src"), os.environ.get("PYTHONPATH"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


if __name__ == "__main__":
    main()
