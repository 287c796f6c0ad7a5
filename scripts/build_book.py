"""Build the site: never stale, and quick when only prose has changed.

Two traps of the tools underneath are handled here:

- The execution cache knows a page's code cells alone. When the package, the measured
  data or the environment changes, every cell has to run again, so the cache is dropped.
- After a failed ``-W`` build, an unchanged second build returns 0. So a build that did
  not end well is followed by one from nothing.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

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
    "requirements.txt",
    "_config.yml",
    "_toc.yml",
)


def fingerprint(paths: Iterable[Path]) -> str:
    """Sha256 over names and contents of all files at or below `paths`."""
    digest = hashlib.sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(ROOT).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def build(*, clean: bool = False) -> int:
    """Run jupyter-book with warnings as errors; return its exit status."""
    inputs = fingerprint(ROOT / name for name in INPUTS)
    if clean or not STAMP.exists() or STAMP.read_text() != inputs:
        shutil.rmtree(BUILD, ignore_errors=True)
    STAMP.unlink(missing_ok=True)  # written again only when this build has succeeded
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    options = ["-n", "-W", "--keep-going", "-q"]
    status = subprocess.run(
        [jupyter_book, "build", ROOT, *options], check=False
    ).returncode
    if status == 0:
        STAMP.write_text(inputs)
        print(f"The book is built: {SITE / 'index.html'}")
    return status


def main() -> None:
    """Command line: ``python scripts/build_book.py [--clean]``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clean", action="store_true", help="start from nothing")
    sys.exit(build(clean=parser.parse_args().clean))


if __name__ == "__main__":
    main()
