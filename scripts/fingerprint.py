"""Whether something has to be built again: a fingerprint of what it is made of."""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def fingerprint(root: Path, names: Iterable[str]) -> str:
    """Sha256 over names and contents of files, and of all files in folders."""
    digest = hashlib.sha256()
    for path in (root / name for name in names):
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(root).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
