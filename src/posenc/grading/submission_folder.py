"""A folder in which a submission runs: its own copy of posenc, which holds no judge."""

import shutil
from pathlib import Path

from posenc.core.chapters import PACKAGE

from .door import __file__ as _door

#: What the copy lacks: oracles, tasks and conventions of the judges, a teacher's tools.
_LEFT_OUT = ("exercises", "conventions", "classroom", "__main__.py")
#: The submission's side of the grading.
_OWN = (
    *("__init__.py", "wire.py", "submission.py"),
    *("book_calls.py", "watch.py", "landlock.py"),
    *("api_block.py", "globals_snapshot.py"),
)


def make_house(folder: Path) -> None:
    """Fill an empty folder: ``posenc`` without judges, and a home to work in.

    `posenc.exercises` becomes a door behind which the judge is asked: see `door`.
    """
    shutil.copytree(PACKAGE, folder / "posenc", ignore=_ignored)
    shutil.copyfile(_door or "", folder / "posenc" / "exercises.py")
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
