"""Build the folder in which a submission runs: a copy of posenc without oracles."""

import shutil
from pathlib import Path

from posenc.core.chapters import PACKAGE

from .client_stub import __file__ as _client_stub

#: Left out of the copy: oracles, tasks, conventions, a teacher's tools.
_LEFT_OUT = ("exercises", "conventions", "classroom", "__main__.py")
#: The submission's side of the grading.
_OWN = (
    *("__init__.py", "protocol.py", "worker.py"),
    *("api_calls.py", "audit_hook.py", "landlock.py"),
    *("api_block.py", "globals_snapshot.py", "system_calls.py"),
)


def build_sandbox(folder: Path) -> None:
    """Fill an empty folder: ``posenc`` without oracles, and a home to work in.

    `client_stub` takes the place of `posenc.exercises`.
    """
    shutil.copytree(PACKAGE, folder / "posenc", ignore=_ignored)
    shutil.copyfile(_client_stub or "", folder / "posenc" / "exercises.py")
    if not (PACKAGE / "_data").exists():  # a checkout: lay it out as in a wheel
        project, data = PACKAGE.parents[1], folder / "posenc" / "_data"
        shutil.copytree(project / "book" / "data", data)
        shutil.copyfile(project / "_toc.yml", data / "_toc.yml")
    for name in ("home", "temporary"):
        (folder / name).mkdir()


def _ignored(folder: str, names: list[str]) -> set[str]:
    inside = Path(folder).relative_to(PACKAGE).parts
    if inside[:1] == ("kit",):
        return set()  # how answers are called; no answers
    if inside == ("grading",):
        return {*names} - {*_OWN}
    return {name for name in names if name in _LEFT_OUT}
