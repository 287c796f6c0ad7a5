"""Runs in the kernel of a page: lists the project's files and folders that it reads."""

from typing import Any


def watch(root: str, log: str) -> None:
    """From now on write into `log` what is read below `root`, a line for each.

    Folders whose content is listed end with a slash. A file that is looked for and not
    there counts, too. All names are local: this leaves nothing in the kernel.
    """
    import os
    import sys
    from importlib.util import source_from_cache

    root = os.path.realpath(root) + os.sep
    seen: set[str] = set()
    lines = open(log, "w", buffering=1, encoding="utf-8")  # noqa: PTH123, SIM115

    def note(path: Any, end: str = "") -> None:
        path = os.path.realpath(os.fsdecode(path))
        if path.endswith(".pyc") and "__pycache__" in path:
            path = source_from_cache(path)  # the source itself is only looked at
        name = path.removeprefix(root).replace(os.sep, "/") + end
        if path.startswith(root) and name not in seen:
            seen.add(name)
            if not name.startswith((".", "_build/")):
                lines.write(f"{name}\n")

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], str | bytes):
            if not (args[2] or 0) & os.O_WRONLY:
                note(args[0])
        elif event in ("os.listdir", "os.scandir") and not isinstance(args[0], int):
            note(args[0] or ".", "/")
        elif event == "subprocess.Popen" and "python" in str(args[0]):
            note(root + "src", "/**")  # of another Python nothing is known

    sys.addaudithook(hook)
