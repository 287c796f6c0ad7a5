"""One script from a widget's front end and all that it imports.

A module inside a page cannot import a neighbor, and Jupyter takes one text. So the
files are put one after another, each in a function of its own: no name of one can meet
that of another. Files import from one another as ECMAScript modules do, and so the
tools for JavaScript understand them as they are; of the syntax these forms are allowed,
each at the beginning of a line::

    import { a, b as c } from "./neighbor.js";
    export function f() { … }      (also async function, class, const: one name each)
    export default { render };
"""

import re
from pathlib import Path

_IMPORT = re.compile(
    r'^import \{([^}]*)\} from "(\.{1,2}/[\w./]+\.js)";\n', re.MULTILINE
)
_EXPORT = re.compile(
    r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
#: Comments on lines of their own: every widget of a page would carry them.
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*[\s\S]*?\*/)\n", re.MULTILINE)
_FORBIDDEN = re.compile(
    r"^\s*import\b|\bimport\(|^export\b|</script|<!--", re.MULTILINE | re.IGNORECASE
)


def bundle(entry: Path) -> str:
    """Return the module `entry` with all that it imports, and its default export.

    Raises
    ------
    ValueError
        If a file imports what its neighbor does not export, imports in a circle or from
        elsewhere, or cannot stand inside a page's script.
    """
    bundled: dict[Path, str] = {}
    _add(entry.resolve(), bundled, {}, ())
    name = _name(entry)
    return "\n".join([*bundled.values(), f"export default {name}.default;\n"])


def _add(
    path: Path,
    bundled: dict[Path, str],
    exported: dict[Path, set[str]],
    above: tuple[Path, ...],
) -> None:
    """Put what `path` imports into `bundled`, and then itself."""
    if path in bundled:
        return
    if path in above:
        circle = " imports ".join(p.name for p in (*above[above.index(path) :], path))
        msg = f"{path.name} must not import in a circle: {circle}"
        raise ValueError(msg)
    text = path.read_text(encoding="utf-8")
    needed = ""
    for names, where in _IMPORT.findall(text):
        neighbor = (path.parent / where).resolve()
        _add(neighbor, bundled, exported, (*above, path))
        imported = [name.split() for name in names.split(",") if name.strip()]
        missing = {name for name, *_ in imported} - exported[neighbor]
        if missing:
            msg = (
                f"{path.name} imports {sorted(missing)} from {neighbor.name}, which "
                f"exports {sorted(exported[neighbor])}"
            )
            raise ValueError(msg)
        bound = ", ".join(": ".join((name[0], name[-1])) for name in imported)
        needed += f"const {{ {bound} }} = {_name(neighbor)};\n"
    body = _COMMENT.sub("", _IMPORT.sub("", text))
    names = set(_EXPORT.findall(body))
    body = _EXPORT.sub("", body)
    exports = ", ".join(sorted(names))
    if _DEFAULT.search(body):
        body = _DEFAULT.sub("const $default = ", body)
        exports += ", default: $default"
    _check(path, body)
    exported[path] = names
    bundled[path] = (
        f"const {_name(path)} = (() => {{\n{needed}{body}"
        f"return {{ {exports.removeprefix(', ')} }};\n}})();"
    )


def _name(path: Path) -> str:
    """Return the name of a file's exports in the script, from its path."""
    parts = (*path.resolve().parts[-3:-1], path.stem)
    return "$" + re.sub(r"\W", "_", "_".join(parts))


def _check(path: Path, body: str) -> None:
    match = _FORBIDDEN.search(body)
    if match:
        msg = (
            f"{path.name} must hold no import other than of a neighbor's names, only "
            f"the exports that bundle.py lists, and nothing that ends a script, got "
            f"{match[0]!r}: write it otherwise"
        )
        raise ValueError(msg)
