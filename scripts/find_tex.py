"""Find the TeX that prints the book.

``python scripts/find_tex.py`` says nothing if all of it is there, and what to install
if something is missing. With ``--install`` it is installed where that can be done
without asking (a Debian-like system, as root). Either way this ends with 0 only if TeX
is there. It needs Python's own library alone: it runs before anything is built.
"""

import argparse
import shutil
import subprocess
import sys

from find_browser import can_install, install

#: Programs that have to be there, and files that stand for collections and fonts.
PROGRAMS = ("latexmk", "xelatex", "kpsewhich")
FILES = (
    "polyglossia.sty",
    "unicode-math.sty",
    "tabulary.sty",
    "titlesec.sty",
    "float.sty",
    "capt-of.sty",
    "FreeSerif.otf",
    "DejaVuSansMono.ttf",
    "wqy-zenhei.ttc",
)
#: Debian's packages with all of it; poppler-utils is for the tests that read the PDF.
PACKAGES = (
    "latexmk",
    "texlive-xetex",
    "texlive-latex-recommended",
    "texlive-latex-extra",
    "texlive-fonts-recommended",
    "lmodern",
    "fonts-freefont-otf",
    "fonts-dejavu",
    "fonts-wqy-zenhei",
    "poppler-utils",
)


def missing() -> list[str]:
    """Return what printing needs and this machine lacks."""
    programs = [name for name in PROGRAMS if shutil.which(name) is None]
    return programs or [name for name in FILES if not has_file(name)]


def has_file(name: str) -> bool:
    """Return True if XeTeX finds a file of TeX, or a font of the system."""
    command = ["kpsewhich", name]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.stdout.strip() or not name.endswith(("otf", "ttf", "ttc")):
        return bool(result.stdout.strip())
    fonts = subprocess.run(
        ["fc-list", ":", "file"], capture_output=True, text=True, check=False
    )
    return name in fonts.stdout


def advice(lacking: list[str]) -> str:
    """Return a sentence for readers without TeX."""
    return (
        f"The PDF needs XeLaTeX with some packages and fonts, and {lacking[0]} was not "
        "found: install TeX Live; on Debian or Ubuntu, as root: apt-get install "
        f"--no-install-recommends {' '.join(PACKAGES)}"
    )


def main() -> int:
    """Run the command line: ``python scripts/find_tex.py [--install]``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="install a missing TeX")
    must_install = parser.parse_args().install
    if must_install and missing() and can_install():
        install(*PACKAGES)
    if lacking := missing():
        print(advice(lacking), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
