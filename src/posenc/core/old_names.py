"""Modules by their old names, for code that still has them.

``import posenc.comparison`` still works: it warns, and gives ``posenc.compare``. The
first edition sorted by kind what is now in the folder of a chapter: so
``posenc.figures.<slug>``, ``posenc.nn.<slug>`` and the like lead to the chapter's own.
``posenc.lab.<module>`` leads to ``posenc.training.<module>``, also on the command line.
"""

import importlib
import sys
import warnings
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from . import chapters

TOP = __package__.partition(".")[0]
#: Old names and new ones, both without ``posenc.``
RENAMED = {
    "_arrays": "core.arrays",
    "_labels": "shaw.labels",
    "comparison": "compare",
    "course": "pages.course",
    "data": "core.data",
    "display": "pages.display",
    "errata": "pages.errata",
    "running_example": "core.running_example",
    "figures": "kit.figures",
    "figures.basics": "prerequisites.figures",
    "figures.cost": "kit.figures.cost",
    "figures.course": "pages.dependencies",
    "figures.cover": "compare.figures",
    "figures.matrix": "kit.figures.matrix",
    "figures.palette": "kit.figures.palette",
    "figures.themes": "kit.figures.themes",
    "lab": "training",
    "lab.training": "training.loop",
    "widgets": "kit.widgets",
}


def today(name: str) -> str | None:
    """Return today's name of a module that was renamed, or None if it was not.

    Examples
    --------
    >>> today("posenc.comparison")
    'posenc.compare'
    >>> today("posenc.widgets.t5")
    'posenc.t5.widgets'
    """
    top, _, old = name.partition(".")
    if top != TOP:
        return None
    if old in RENAMED:
        return f"{TOP}.{RENAMED[old]}"
    kind, _, rest = old.partition(".")
    if kind == "lab" and (chapters.PACKAGE / "training" / f"{rest}.py").is_file():
        return f"{TOP}.training.{rest}"
    slug = rest.removesuffix("_data")
    if kind in ("figures", "widgets", "nn", "exercises") and slug in chapters.with_part(
        kind
    ):
        return f"{TOP}.{slug}.{kind}"
    return None


class OldNames:
    """Finder and loader of old names, after all other finders."""

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> ModuleSpec | None:
        """Return the spec of an old name; None for all other names."""
        new = today(name)
        if new is None:
            return None
        is_folder = name.endswith((".figures", ".widgets", ".lab"))
        # The modules of a folder and the code of a program have their own warnings.
        if not is_folder and not name.endswith(".__main__"):
            warnings.warn(_message(name), DeprecationWarning, stacklevel=2)
        return ModuleSpec(name, self, is_package=is_folder)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make a module that holds what the new one does."""
        module = ModuleType(spec.name)
        new = importlib.import_module(str(today(spec.name)))
        for name, value in vars(new).items():
            if name[:2] != "__" or name == "__getattr__":  # for names in the module
                setattr(module, name, value)
        module.__doc__ = new.__doc__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the new module has run already."""

    def get_code(self, name: str) -> CodeType:
        """Return the code that ``python -m`` runs for an old name."""
        program = f"""
import warnings
from {today(name)} import main
warnings.warn({_message(name)!r}, DeprecationWarning)
main()
"""
        return compile(program, name, "exec")


def _message(name: str) -> str:
    old, new = name.removesuffix(".__main__"), str(today(name))
    return (
        f"{old} is now {new.removesuffix('.__main__')}: "
        "the old name will go with version 1.0"
    )


def renamed(module: str, names: Mapping[str, Any], name: str) -> Any:
    """Return what had the old name `name` in `module`, with a warning.

    Parameters
    ----------
    module : str
        The module's full name.
    names : mapping from str to object
        Today's functions and classes by their old names.
    name : str
        The name that the module lacks.

    Raises
    ------
    AttributeError
        If `name` is no old name either.
    """
    if name not in names:
        msg = f"module {module!r} has no attribute {name!r}"
        raise AttributeError(msg)
    new = names[name]
    msg = (
        f"{module}.{name} is now {new.__name__}: the old name will go with version 1.0"
    )
    warnings.warn(msg, DeprecationWarning, stacklevel=3)
    return new


def install() -> None:
    """Install the importer of old names, once."""
    if not any(isinstance(finder, OldNames) for finder in sys.meta_path):
        sys.meta_path.append(OldNames())
