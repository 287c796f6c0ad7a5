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


def complaints(log: str) -> list[str]:
    """List errors of the pages, in the words of XeTeX's log.

    Parameters
    ----------
    log : str
        Written with ``max_print_line`` so large that no line is broken.
    """
    problems = re.findall(r"^Missing character: .*$", log, re.MULTILINE)
    problems += re.findall(r"^LaTeX Warning: .* undefined.*$", log, re.MULTILINE)
    problems += re.findall(
        r"^LaTeX Warning: .* multiply[ -]defined.*$", log, re.MULTILINE
    )
    return list(dict.fromkeys(problems + too_wide(log)))


#: In the log: a line that is too long or too short, with what it holds; or the number
#: of a page, written when the page is complete.
LOGGED = re.compile(
    r"^(?P<kind>Over|Under)full \\hbox \((?P<much>[^)]*)\) (?P<where>.*)\n(?P<text>.*)$"
    r"|\[(?P<page>\d+)(?=[]\s<{])",
    re.MULTILINE,
)


def too_wide(log: str) -> list[str]:
    """Return lines that exceed the margin by more than `MARGIN`, and their places."""
    lines: list[str] = []
    open_lines: list[str] = []
    page = 0
    for entry in LOGGED.finditer(log):
        if entry["page"]:
            page = int(entry["page"])
            lines += [f"Page {page}: {line}" for line in open_lines]
            open_lines = []
        elif entry["kind"] == "Over":
            points = float(entry["much"].split("pt")[0])
            if points > MARGIN:
                open_lines.append(
                    f"{points:.1f} pt too wide {entry['where']} of {NAME}.tex: "
                    + entry["text"].strip()
                )
    return lines + [f"Page {page + 1}: {line}" for line in open_lines]


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
