"""Make the code editor of the pages, CodeMirror 6, into one file, with its licenses.

Run by hand when a version changes: ``python scripts/vendor_editor.py``. It needs npm.
``editor/package-lock.json`` fixes every package, so the same file comes out; its
``manifest.json`` holds the sha256, which a test compares.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from vendor import ROOT, checksums

SOURCE = ROOT / "scripts/editor"
TARGET = ROOT / "book/assets/solve/codemirror"
COMMAND = "esbuild editor.mjs --bundle --minify --format=esm --legal-comments=none"


def main() -> None:
    """Run the command line."""
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "editor")
        shutil.copytree(SOURCE, folder)
        subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True)
        command = ["npx", *COMMAND.split(), f"--outfile={TARGET / 'editor.js'}"]
        subprocess.run(command, cwd=folder, check=True)
        (TARGET / "LICENSE").write_text(licenses(folder / "node_modules"), "utf-8")
    manifest = {
        "packages": versions(),
        "command": COMMAND,
        "sha256": checksums(TARGET),
    }
    (TARGET / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def versions() -> dict[str, str]:
    """Return the version of each package that the lock file names."""
    lock = json.loads((SOURCE / "package-lock.json").read_text("utf-8"))
    return {
        name.removeprefix("node_modules/"): entry["version"]
        for name, entry in lock["packages"].items()
        if name and not name.startswith("node_modules/@esbuild/")
    }


def licenses(modules: Path) -> str:
    """Return licenses of all packages in the file, which leaves out esbuild itself."""
    texts = {
        name: (modules / name / "LICENSE").read_text("utf-8")
        for name in versions()
        if name != "esbuild"
    }
    return "\n\n".join(f"{name}\n\n{text.strip()}" for name, text in texts.items())


if __name__ == "__main__":
    main()
