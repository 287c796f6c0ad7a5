"""Pack the Python with which a page checks answers: NumPy, posenc, and their bytecode.

It lies beside Pyodide, whose core the page shares with the notebooks. IPython is not in
it: it weighs a third of what a notebook needs. A second archive holds matplotlib and
the book's figures, for cells that draw: it is fetched when the first of them runs.
"""

import gzip
import io
import re
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from bytecode import add_to_library, beside_sources, compiled

PARTS = Path(__file__).parent / "lite/solve"
#: Packages that are packed, in part.
PACKAGES = ("numpy", "array_api_compat", "posenc")
#: Packages for drawing, with all that they import; fontTools is for PDF alone.
DRAWING = (
    *("matplotlib", "contourpy", "cycler", "kiwisolver", "packaging"),
    *("pillow", "pyparsing", "python_dateutil", "six"),
)
#: Parts of posenc for it.
FIGURES = re.compile(r"^posenc/(\w+/figures|pages)[./]")
#: Files that no figure of a page needs: tests, windows, samples, and fonts with serifs.
NOT_DRAWN = re.compile(
    r"/tests/|^matplotlib/testing/|/web_backend/|/qt_editor/|_tkagg|/sphinxext/|\.pyi$"
    r"|/mpl-data/(images|sample_data|fonts/(afm|pdfcorefonts))/|_webp\.|_avif\."
    r"|/ttf/(DejaVuSerif|DejaVuSansMono-|cm)|^mpl_toolkits/axi?s_?"
)
#: Files that no check imports. NumPy's own C tests and headers are a fifth of it.
LEFT_OUT = re.compile(
    r"/tests/|_tests\.|/_simd\.|^numpy/(f2py|distutils|_pyinstaller)/"
    r"|^numpy/_core/(include|lib)/|^array_api_compat/(torch|dask|cupy)/"
    r"|^posenc/(nn|training|conventions|grading|classroom|pages)[./]"
    r"|^posenc/\w+/(nn|figures|widgets)[./]"
)
KEPT = (".py", ".so", ".toml", ".yml", "/METADATA")
#: The largest table of the book that a cell may look at, in bytes.
LARGEST_TABLE = 80_000


def pack_solve(folder: Path) -> None:
    """Write both archives and the worker's scripts into the folder with Pyodide.

    Parameters
    ----------
    folder : Path
        Pyodide with all wheels and a lock file that names them. Its library gets
        bytecode, too.
    """
    bytecode = compiled(folder)
    for name, files in (("solve", content(folder)), ("drawing", drawing(folder))):
        archive = packed(beside_sources(files, bytecode))
        (folder / f"{name}.tar.gz").write_bytes(archive)
    add_to_library(folder, bytecode)
    (folder / "solve").mkdir()
    for name in ("worker.mjs", "python.mjs"):
        shutil.copy(PARTS / name, folder / "solve")


def content(folder: Path) -> dict[str, bytes]:
    """Return files by their place in the folder of packages."""
    files = read(folder, PACKAGES, is_needed)
    # array_api_compat looks at all names of NumPy, among which is this module.
    files["numpy/f2py/__init__.py"] = b""
    for path in (PARTS / "jaxtyping.py", *PARTS.glob("page_python/*.py")):
        files[path.relative_to(PARTS).as_posix()] = path.read_bytes()
    return files


def drawing(folder: Path) -> dict[str, bytes]:
    """Return files of the second archive, none of which is in the first."""
    files = read(folder, DRAWING, lambda name, _: not NOT_DRAWN.search(name))
    return files | read(folder, ("posenc",), lambda name, _: is_figure(name))


def is_figure(name: str) -> bool:
    """Return True if a file of posenc's wheel belongs to the drawing code."""
    return bool(FIGURES.search(name)) and name.endswith(KEPT)


def read(
    folder: Path, packages: tuple[str, ...], is_needed: Callable[[str, int], bool]
) -> dict[str, bytes]:
    """Return the needed files of wheels, by their names and sizes."""
    files = {}
    for package in packages:
        (wheel,) = folder.glob(f"{package}-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for entry in archive.infolist():
                if not entry.is_dir() and is_needed(entry.filename, entry.file_size):
                    files[entry.filename] = archive.read(entry)
    return files


def is_needed(name: str, size: int) -> bool:
    """Return True if a check or a cell may import or read a file of a wheel."""
    if name.startswith("posenc/_data/") and name.endswith((".json", ".jsonl")):
        # A cell reads all tables of runs at once, so they are packed at any size.
        return name.endswith(".jsonl") or size <= LARGEST_TABLE
    return name.endswith(KEPT) and not LEFT_OUT.search(name)


def packed(files: dict[str, bytes]) -> bytes:
    """Return a compressed tar archive: the same files give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as target:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            target.addfile(entry, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), mtime=0)
