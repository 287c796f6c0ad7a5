"""Runs inside Pyodide: import what a notebook imports, and give the bytecode of it."""

import base64
import importlib._bootstrap_external as bootstrap
import json
import pathlib
import sys
import zipimport

import anywidget
import ipykernel
import IPython
import jedi
import matplotlib.pyplot
import micropip
import numpy
import piplite.piplite
import pyodide_kernel

import posenc.kit.figures.themes
import posenc.t5.widgets

# What IPython and Pyodide load only once a cell runs and a figure is drawn.
matplotlib.pyplot.figure().savefig("figure.svg")
matplotlib.pyplot.figure().savefig("figure.png")


library = zipimport.zipimporter("/lib/python314.zip")


def bytecode(path: str) -> str:
    """Bytecode that is valid whatever the date of its source, in base64."""
    _, found, _ = path.partition(".zip/")
    source = library.get_data(path) if found else pathlib.Path(path).read_bytes()
    code = compile(source, path, "exec", dont_inherit=True)
    pyc = bootstrap._code_to_hash_pyc(code, b"\0" * 8, checked=False)
    return base64.b64encode(bytes(pyc)).decode()


places = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
# All of posenc: every chapter begins with other modules of it.
places |= {str(p) for p in pathlib.Path(posenc.__file__).parent.rglob("*.py")}
json.dumps({path: bytecode(path) for path in sorted(places) if path.endswith(".py")})
