"""Serve the book on this machine, and build again what is edited meanwhile.

``python scripts/serve.py`` watches all pages, ``python scripts/serve.py rope`` runs the
cells of one page alone. sphinx-autobuild watches, builds, serves and reloads the
browser; warnings are shown, but stop nothing. `page_cells` runs before each build.
"""

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

import build_book
import launch_buttons
import page_cells
from build_book import BUILD, ROOT, SITE

#: Folders and files whose changes start no build.
IGNORED = ("_build", "tests", "benchmarks", "notebooks", "graded", "dist", "class")
IGNORED_NAMES = r"/(__pycache__|\.[^/]*)(/|$)|~$|/conf\.py$"


def command(port: int, slug: str | None) -> list[str | Path]:
    """Return the command that runs sphinx-autobuild."""
    cells = [sys.executable, str(ROOT / "scripts/page_cells.py")]
    if slug:
        cells.append(slug)
    return [
        *(sys.executable, "-m", "sphinx_autobuild", ROOT, SITE),
        # As `jupyter-book build` sets it: otherwise Sphinx would read all pages again.
        *("-D", f"external_toc_path={ROOT / '_toc.yml'}"),
        *("-d", BUILD / ".doctrees", "--port", str(port), "--quiet"),
        *("--pre-build", shlex.join(cells), "--re-ignore", IGNORED_NAMES),
        *(part for name in IGNORED for part in ("--ignore", ROOT / name)),
    ]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument(
        "slug",
        nargs="?",
        choices=build_book.slugs(),
        metavar="SLUG",
        help="the only page whose cells run again, such as rope",
    )
    options = parser.parse_args()
    page_cells.prepare_environment()
    os.environ[launch_buttons.LITE_VARIABLE] = (
        "1" if build_book.read_manifest()["lite"] else ""
    )
    program = Path(sys.executable).with_name("jupyter-book")
    subprocess.run([program, "config", "sphinx", ROOT], check=True)
    with (ROOT / "conf.py").open("a", encoding="utf-8") as settings:
        # jupyter-book leaves out where the book's own extension is.
        settings.write(f"import sys\nsys.path.append({str(ROOT / 'scripts')!r})\n")
    page = f"book/{options.slug or 'index'}.html"
    print(f"The book is at http://127.0.0.1:{options.port}/{page} (Ctrl-C ends it)")
    sys.exit(
        subprocess.run(command(options.port, options.slug), check=False).returncode
    )


if __name__ == "__main__":
    main()
