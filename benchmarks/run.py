"""Measure again what the chapters say about cost: ``python benchmarks/run.py``.

Runs ``benchmarks/<slug>.py`` of every chapter that has one, in the order of the book.
Six more are left out: ``classroom.py`` takes very long, ``gpu.py`` needs a GPU,
``lite.py``, ``solve.py`` and ``widgets.py`` need a built site, and ``targets.py``
measures what no page shows.
"""

import subprocess
import sys
from pathlib import Path

from posenc.core.chapters import chapters


def scripts() -> list[Path]:
    """Return the benchmarks of the chapters."""
    files = (Path(__file__).parent / f"{slug}.py" for slug in chapters())
    return [file for file in files if file.is_file()]


if __name__ == "__main__":
    for script in scripts():
        print(script.stem, flush=True)
        subprocess.run([sys.executable, str(script)], check=True)
