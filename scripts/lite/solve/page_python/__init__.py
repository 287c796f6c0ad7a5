"""Runs in Pyodide, in the worker of a page: `run` code, `show` it, know its `names`."""
