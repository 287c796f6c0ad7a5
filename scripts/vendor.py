"""Fetch the third-party files that the site and its tests carry, and record them.

Run by hand when a version changes: ``python scripts/vendor.py [package …]``. It needs
npm. Every file lands beside its licence and a ``manifest.json`` with its sha256, which
a test compares with what is there.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: npm package -> (version, target, {path in the package: path in the target})
PACKAGES = {
    "mathjax": (
        "3.2.2",
        ROOT / "book/assets/mathjax",
        {
            "LICENSE": "LICENSE",
            "es5/tex-chtml.js": "tex-chtml.js",
            "es5/input/tex/extensions/html.js": "input/tex/extensions/html.js",
            "es5/output/chtml/fonts/woff-v2/": "output/chtml/fonts/woff-v2/",
        },
    ),
    "reveal.js": (
        "6.0.2",
        ROOT / "book/assets/reveal",
        {
            "LICENSE": "LICENSE",
            "dist/reveal.js": "reveal.js",
            "dist/reveal.css": "reveal.css",
        },
    ),
    "axe-core": (
        "4.11.0",
        ROOT / "tests/site/vendor/axe-core",
        {"LICENSE": "LICENSE", "axe.min.js": "axe.min.js"},
    ),
    "eslint-linter-browserify": (
        "10.11.0",
        ROOT / "tests/kit/vendor/eslint",
        {"LICENSE": "LICENSE", "linter.min.js": "linter.min.js"},
    ),
}


def vendor(name: str) -> None:
    """Unpack the needed files of one npm package into its target."""
    version, target, files = PACKAGES[name]
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["npm", "pack", f"{name}@{version}", "--silent"], cwd=folder, check=True
        )
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as package:
            package.extractall(folder, filter="data")
        for source, destination in files.items():
            path = Path(folder, "package", source)
            (target / destination).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if path.is_dir() else shutil.copy
            copy(path, target / destination)
    manifest = {"package": name, "version": version, "sha256": checksums(target)}
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def checksums(folder: Path) -> dict[str, str]:
    """Return the sha256 of every file below `folder` except the manifest."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }


if __name__ == "__main__":
    for package in sys.argv[1:] or PACKAGES:
        vendor(package)
