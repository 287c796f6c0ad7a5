"""Build the site: never stale, and quick when only prose has changed.

Two traps of the tools underneath are handled here:

- The execution cache knows a page's code cells alone. When the package, the measured
  data or the environment changes, every cell has to run again, so the cache is dropped.
- After a failed ``-W`` build, an unchanged second build returns 0. So a build that did
  not end well is followed by one from nothing.
"""

import argparse
import os
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path

import build_lite
import link_row
import yaml
from fingerprint import fingerprint

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "_build"
SITE = BUILD / "html"
STAMP = BUILD / "stamp"

#: What code cells and page templates depend on besides their own text.
INPUTS = (
    "src",
    "book/data",
    "book/_static",
    "book/assets",
    "book/references.bib",
    "scripts/book_extension.py",
    "scripts/link_row.py",
    "requirements.txt",
    "_config.yml",
    "_toc.yml",
)

#: All that the site is made of.
SOURCES = ("book", *(name for name in INPUTS if not name.startswith("book/")))


def fingerprints() -> tuple[str, str]:
    """Fingerprint of what cells depend on, and of all that the site is made of."""
    return fingerprint(ROOT, INPUTS), fingerprint(ROOT, SOURCES)


def is_current() -> bool:
    """Whether the site has been built, without an error, from the present sources."""
    return STAMP.exists() and STAMP.read_text().split() == list(fingerprints())


#: Replaces jupyter-book's root page, which has no title, language, icon or link.
ROOT_PAGE = """<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="refresh" content="0; url=book/index.html">
    <link rel="icon" href="_static/favicon.svg">
    <title>{title}</title>
  </head>
  <body><main><h1><a href="book/index.html">{title}</a></h1></main></body>
</html>
"""


def write_root_page() -> None:
    """Let the site's root lead to the title page."""
    title = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"]
    (SITE / "index.html").write_text(ROOT_PAGE.format(title=escape(title)), "utf-8")


def build(*, clean: bool = False) -> int:
    """Run jupyter-book with warnings as errors; return its exit status."""
    inputs, sources = fingerprints()
    if clean or not STAMP.exists() or STAMP.read_text().split()[0] != inputs:
        shutil.rmtree(BUILD, ignore_errors=True)
    STAMP.unlink(missing_ok=True)  # written again only when this build has succeeded
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    options = ["-n", "-W", "--keep-going", "-q"]
    status = subprocess.run(
        [jupyter_book, "build", ROOT, *options], check=False
    ).returncode
    if status == 0:
        write_root_page()
        STAMP.write_text(f"{inputs}\n{sources}\n")
        print(f"The book is built: {SITE / 'index.html'}")
    return status


def main() -> None:
    """Command line: ``python scripts/build_book.py [--clean] [--no-lite]``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clean", action="store_true", help="start from nothing")
    parser.add_argument(
        "--no-lite", action="store_true", help="leave out Python in the browser"
    )
    options = parser.parse_args()
    # The checks on the pages are the book's: they are nobody's progress.
    os.environ["POSENC_PROGRESS"] = os.devnull
    os.environ[link_row.LITE_VARIABLE] = "" if options.no_lite else "1"
    status = build(clean=options.clean)
    if status == 0 and not options.no_lite:
        print(build_lite.update())
    sys.exit(status)


if __name__ == "__main__":
    main()
