"""Print the book: ``python scripts/make_pdf.py``.

The site has to be built before, for its cells have computed what is printed: none
runs a second time. XeLaTeX sets the pages, and each of its warnings is an error
here, and so is a line that sticks out of the margin.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import build_book
import page_cells
from find_tex import advice, missing

NAME = "where-am-i"

#: Points by which a line may stick out of the margin: a third of a millimeter.
MARGIN = 1.0
#: In the log: a line that is too long, and what it holds.
OVERFULL = re.compile(
    r"^Overfull \\hbox \(([\d.]+)pt too wide\) (.*)\n(.*)$", re.MULTILINE
)


def complaints(log: str) -> list[str]:
    """List errors of the pages, in the words of XeTeX's log.

    Parameters
    ----------
    log : str
        Written with ``max_print_line`` so large that no line is broken.
    """
    problems = re.findall(r"^Missing character: .*$", log, re.MULTILINE)
    unclear = r"^LaTeX Warning: .* (?:undefined|multiply[ -]defined).*$"
    problems += re.findall(unclear, log, re.MULTILINE)
    for points, where, text in OVERFULL.findall(log):
        if float(points) > MARGIN:
            place = f"{where} of {NAME}.tex"
            problems.append(f"{points} pt too wide {place}: {text.strip()}")
    return list(dict.fromkeys(problems))


def make_latex(folder: Path) -> Path:
    """Run jupyter-book to write LaTeX below `folder`; return its path.

    The results of the cells are those of the site; its other files stay as they are.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        build_book.BUILD / ".jupyter_cache", folder / "_build" / ".jupyter_cache"
    )
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    options = ["--builder", "latex", "-n", "-W", "--keep-going", "-q"]
    subprocess.run(
        [jupyter_book, "build", build_book.ROOT, "--path-output", folder, *options],
        check=True,
    )
    return folder / "_build" / "latex"


def make_pdf(latex: Path) -> Path:
    """Run XeLaTeX as often as it takes, and return the PDF."""
    environment = {**os.environ, "max_print_line": "100000", "LATEXOPTS": ""}
    environment["XINDYOPTS"] = ""
    result = subprocess.run(
        ["latexmk", "-xelatex", "-interaction=nonstopmode", f"{NAME}.tex"],
        cwd=latex,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    log = (latex / f"{NAME}.log").read_text("utf-8", errors="replace")
    problems = complaints(log)
    if result.returncode:
        problems = re.findall(r"^! .*(?:\n.*){0,3}", log, re.MULTILINE) or [
            result.stdout
        ]
    if problems:
        sys.exit("\n".join(["XeLaTeX is not content with the book:", *problems]))
    return latex / f"{NAME}.pdf"


def main() -> None:
    """Run the command line."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    if lacking := missing():
        print(advice(lacking), file=sys.stderr)
        sys.exit(2)
    if not build_book.is_current():
        sys.exit(
            f"{build_book.SITE} is missing, or was built from other sources than are "
            "here now: run `python scripts/build_book.py` first"
        )
    page_cells.prepare_environment()
    folder = build_book.BUILD / "print"
    target = build_book.BUILD / f"{NAME}.pdf"
    make_pdf(make_latex(folder)).replace(target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
