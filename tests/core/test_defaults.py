"""An argument that is left out has the default that the docstring names."""

import ast
import inspect
import re

import numpy as np
import pytest
from public_calls import fresh, function_call, parts, public_functions

FUNCTIONS = public_functions()
#: As in "low, high : float, default 1 and 4".
DEFAULT = re.compile(r"^([\w, ]+) : .*, default ([^`\n]+)$", re.M)


def defaults(name):
    """Return defaults that the docstring names, or that of another in its chapter."""
    chapter = f"{name.partition('.')[0]}."
    named = {}
    for other in [*(one for one in FUNCTIONS if one.startswith(chapter)), name]:
        for keys, values in DEFAULT.findall(inspect.getdoc(FUNCTIONS[other])):
            values = map(ast.literal_eval, values.split(" and "))
            named |= zip(keys.split(", "), values, strict=True)
    given = inspect.signature(FUNCTIONS[name]).parameters.values()
    optional = {one.name for one in given if one.default is not one.empty}
    return {key: value for key, value in named.items() if key in optional}


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if defaults(name)])
def test_an_argument_left_out_has_its_documented_default(name):
    call, function = function_call(name), FUNCTIONS[name]
    call |= {"decay": None} if "decay" in call else {}  # it needs another `causal`
    for key, value in defaults(name).items():
        given = function(**fresh(call | {key: value}))
        left_out = function(**fresh({k: v for k, v in call.items() if k != key}))
        for one, other in zip(parts(left_out), parts(given), strict=True):
            np.testing.assert_array_equal(one, other)
