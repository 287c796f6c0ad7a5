"""Print the book: ``python scripts/make_pdf.py [--install]``.

The site has to be built before, for its cells have computed what is printed: none
runs a second time. XeLaTeX sets the pages, and what it complains about is an error
here. With ``--install`` a missing TeX is installed where that can be done without
asking (a Debian-like system, as root), and nothing else is done.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import build_book
from find_browser import can_install, install

NAME = "where-am-i"
#: Programs that have to be there, and files that stand for collections and fonts.
PROGRAMS = ("latexmk", "xelatex", "kpsewhich")
FILES = (
    "polyglossia.sty",
    "unicode-math.sty",
    "tabulary.sty",
    "fncychap.sty",
    "capt-of.sty",
    "FreeSerif.otf",
    "DejaVuSansMono.ttf",
)
#: Debian's packages with all of it; poppler-utils is for the test that reads the PDF.
PACKAGES = (
    "latexmk",
    "texlive-xetex",
    "texlive-latex-recommended",
    "texlive-latex-extra",
    "texlive-fonts-recommended",
    "lmodern",
    "fonts-freefont-otf",
    "fonts-dejavu",
    "poppler-utils",
)

#: Points by which code may stand in the margin: less than a letter is wide.
MARGIN = 3.0


def missing() -> list[str]:
    """What the printing needs and this machine lacks."""
    programs = [name for name in PROGRAMS if shutil.which(name) is None]
    return programs or [name for name in FILES if not has_file(name)]


def has_file(name: str) -> bool:
    """Whether XeTeX finds a file of TeX, or a font among those of the system."""
    command = ["kpsewhich", name]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.stdout.strip() or not name.endswith(("otf", "ttf")):
        return bool(found.stdout.strip())
    fonts = subprocess.run(
        ["fc-list", ":", "file"], capture_output=True, text=True, check=False
    )
    return name in fonts.stdout


def advice(lacking: list[str]) -> str:
    """Sentence for readers without TeX."""
    return (
        f"The PDF needs XeLaTeX with some packages and fonts, and {lacking[0]} was not "
        "found: install TeX Live; on Debian or Ubuntu, as root: apt-get install "
        f"--no-install-recommends {' '.join(PACKAGES)}"
    )


def complaints(log: str) -> list[str]:
    """What is wrong with the pages, in the words of XeTeX's log.

    Parameters
    ----------
    log : str
        Written with ``max_print_line`` so large that no line is broken.
    """
    found = re.findall(r"^Missing character: .*$", log, re.MULTILINE)
    found += re.findall(r"^LaTeX Warning: .* undefined.*$", log, re.MULTILINE)
    found += re.findall(r"^LaTeX Warning: .* multiply[ -]defined.*$", log, re.MULTILINE)
    for box in re.finditer(
        r"^Overfull \\hbox \(([\d.]+)pt too wide\).*\n(.*)$", log, re.MULTILINE
    ):
        if float(box[1]) > MARGIN and "DejaVuSansMono" in box[2]:
            found.append(f"Code in the margin, {box[1]} pt: {box[2]}")
    return list(dict.fromkeys(found))


def make_latex(folder: Path) -> Path:
    """Let jupyter-book write LaTeX below `folder`, and return where.

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
    found = complaints(log)
    if result.returncode:
        found = re.findall(r"^! .*(?:\n.*){0,3}", log, re.MULTILINE) or [result.stdout]
    if found:
        sys.exit("\n".join(["XeLaTeX is not content with the book:", *found]))
    return latex / f"{NAME}.pdf"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--install", action="store_true", help="install a missing TeX")
    wanted = parser.parse_args().install
    if wanted and missing() and can_install():
        install(*PACKAGES)
    if lacking := missing():
        print(advice(lacking), file=sys.stderr)
        sys.exit(2)
    if wanted:
        return
    if not build_book.is_current():
        sys.exit(
            f"{build_book.SITE} is missing, or was built from other sources than are "
            "here now: run `python scripts/build_book.py` first"
        )
    os.environ["POSENC_PROGRESS"] = os.devnull
    folder = build_book.BUILD / "print"
    target = build_book.BUILD / f"{NAME}.pdf"
    make_pdf(make_latex(folder)).replace(target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
