"""Find the browser that the tests drive: Chromium, Chrome or Edge.

``python scripts/find_browser.py`` prints its path. With ``--install`` a missing one is
installed where that can be done without asking (a Debian-like system, as root);
elsewhere this says what to do. Either way it ends with 0 only if a browser is there.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

#: Names on the search path, most wanted first.
COMMANDS = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "msedge",
)

#: Where the installers put the browsers on macOS and, below a folder of programs, on
#: Windows: neither is on the search path there.
MAC_APPS = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS_PROGRAMS = (
    "Chromium/Application/chrome.exe",
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)

ADVICE = """\
No Chromium, Chrome or Edge was found, and the tests of the built pages need one.
  Debian, Ubuntu as root:  apt-get install chromium
  Fedora:                  dnf install chromium
  macOS:                   brew install --cask chromium
  Windows:                 winget install Google.Chrome
If one is installed elsewhere, set POSENC_BROWSER to the path of its program."""


def find_browser() -> Path | None:
    """Return the path of a Chromium-like browser, or None if there is none.

    Raises
    ------
    FileNotFoundError
        If ``POSENC_BROWSER`` names a file that does not exist.
    """
    chosen = os.environ.get("POSENC_BROWSER")
    if chosen:
        if not Path(chosen).is_file():
            msg = f"POSENC_BROWSER must be the path of a program, got {chosen!r}"
            raise FileNotFoundError(msg)
        return Path(chosen)
    return next(candidates(), None)


def candidates() -> Iterator[Path]:
    """Yield the installed browsers, in order of preference."""
    for command in COMMANDS:
        if path := shutil.which(command):
            yield Path(path)
    places = [(Path("/Applications"), MAC_APPS)]
    places.append((Path.home() / "Applications", MAC_APPS))
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if programs := os.environ.get(variable):
            places.append((Path(programs), WINDOWS_PROGRAMS))
    for folder, names in places:
        yield from (folder / name for name in names if (folder / name).is_file())


def can_install() -> bool:
    """Return True if this is a Debian-like system on which we are root."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and shutil.which("apt-get") is not None


def install(*packages: str) -> None:
    """Install Debian's packages of these names."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-q"],
        ["apt-get", "install", "-q", "-y", "--no-install-recommends", *packages],
    ):
        print("+", " ".join(command), flush=True)
        subprocess.run(command, check=True, env=environment)


def main() -> int:
    """Run the command line: ``python scripts/find_browser.py [--install]``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="install a missing one")
    must_install = parser.parse_args().install
    if must_install and find_browser() is None and can_install():
        try:
            install("chromium")
        except subprocess.CalledProcessError as error:
            print(error, file=sys.stderr)
    browser = find_browser()
    print(browser or ADVICE, file=sys.stdout if browser else sys.stderr)
    return 0 if browser else 1


if __name__ == "__main__":
    sys.exit(main())
