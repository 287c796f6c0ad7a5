"""Runs inside Pyodide: import what a page's Python imports, and return its bytecode."""

import base64
import importlib._bootstrap_external as bootstrap
import json
import linecache  # the worker's own
import pathlib
import symtable  # the worker's own
import sys
import zipimport

import _ast_unparse  # the worker's own, as all that `ast.unparse` needs
import matplotlib.pyplot
import numpy.random

import posenc.exercises
import posenc.kit.figures.themes

# Import what matplotlib loads only when a figure is drawn.
matplotlib.pyplot.figure().savefig("figure.svg")
matplotlib.pyplot.figure().savefig("figure.png")


library = zipimport.zipimporter("/lib/python314.zip")


def bytecode(path: str) -> str:
    """Return bytecode that is valid whatever its source's date, in base64."""
    _, inside, _ = path.partition(".zip/")
    source = library.get_data(path) if inside else pathlib.Path(path).read_bytes()
    code = compile(source, path, "exec", dont_inherit=True)
    pyc = bootstrap._code_to_hash_pyc(code, b"\0" * 8, checked=False)
    return base64.b64encode(bytes(pyc)).decode()


places = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
# All of posenc: every chapter begins with other modules of it.
for package in ("posenc", "page_python"):
    folder = pathlib.Path(posenc.__file__).parents[1] / package
    places |= {str(path) for path in folder.rglob("*.py")}
json.dumps({path: bytecode(path) for path in sorted(places) if path.endswith(".py")})
