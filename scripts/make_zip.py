"""Pack the site for readers without a network: ``python scripts/make_zip.py``.

The same site always gives the same bytes: names are sorted, and dates left out.
"""

import re
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import build_book

#: Folder inside the archive, and the archive's own name.
NAME = "where-am-i"

#: Folder of the book's own package for Python in the browser.
PACKAGE = re.compile(r"lite/.*posenc-[^/]*\.whl")

README = """\
Where Am I? Positional Encoding in Transformers

Unpack all files first. Then open index.html in a browser: double-click it. Text,
formulas, pictures, widgets and the search need no network and no server.

One thing needs a server, because browsers allow it only there: running Python in the
browser. If you have Python, open a terminal in this folder and type

    python -m http.server

(on some systems: python3 -m http.server), then open http://localhost:8000/ and stop the
server with Ctrl-C when you have finished.
"""

#: For a site that carries the package.
INSTALL = """
The book's Python package, posenc, is in this folder, too. To install it, with Python
3.11 or newer, type in a terminal in this folder

    python -m pip install "{wheel}[book]"

pip downloads the libraries that it needs, if you have not got them: NumPy, Matplotlib
and a few small ones. Write [book,torch] for PyTorch as well. Without a network, type

    python -m pip install --no-deps "{wheel}"

This installs the package alone, which runs if you have its libraries already: at least
numpy, array-api-compat and jaxtyping.
"""


def welcome(files: Iterable[str]) -> str:
    """Return the text of ``README.txt``, for a site of these files."""
    wheels = [name for name in sorted(files) if PACKAGE.fullmatch(name)]
    return README + (INSTALL.format(wheel=wheels[0]) if wheels else "")


def write_zip(site: Path, target: Path) -> None:
    """Write all files of `site`, and a `welcome`, into a folder in the zip `target`."""
    files = {p.relative_to(site).as_posix(): p for p in site.rglob("*") if p.is_file()}
    contents = {name: path.read_bytes for name, path in files.items()}
    contents["README.txt"] = welcome(files).encode
    unfinished = target.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w") as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(f"{NAME}/{name}")  # of 1 January 1980
            entry.create_system = 3  # Unix, wherever this runs: its bits are these
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, contents[name]())
    unfinished.replace(target)


def main() -> None:
    """Run the command line."""
    if not build_book.is_current():
        sys.exit(
            f"{build_book.SITE} is missing, or was built from other sources than are "
            "here now: run `python scripts/build_book.py` first"
        )
    target = build_book.BUILD / f"{NAME}.zip"
    write_zip(build_book.SITE, target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
