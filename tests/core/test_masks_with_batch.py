"""Every public call that takes a mask for scores says how one for padding goes in.

A mask (batch, keys) with as many texts as queries cannot be told from one of (queries,
keys): there the docstrings and the chapter on attention say it.
"""

import numpy as np
import pytest
from public_calls import (
    LENGTH,
    function_call,
    module_call,
    public_functions,
    public_modules,
)

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.bad_input
SCORES = (LENGTH, LENGTH)
FUNCTIONS, MODULES = public_functions(), public_modules()
WITH_MASK = [n for n in FUNCTIONS if np.shape(function_call(n).get("mask")) == SCORES]
MODULES_WITH_MASK = [
    name for name in MODULES if np.shape(module_call(name)[1].get("mask")) == SCORES
]
REMEDY = r"\(3, 6\).* goes in as mask\[:, (None, )+:\]"


@pytest.mark.parametrize("name", WITH_MASK)
def test_a_function(name):
    mask = np.ones((3, LENGTH), bool)
    with pytest.raises(ValueError, match=REMEDY):
        FUNCTIONS[name](**function_call(name) | {"mask": mask})


@pytest.mark.parametrize("name", MODULES_WITH_MASK)
def test_a_module(name):
    made, called = module_call(name)
    mask = torch.ones(3, LENGTH, dtype=torch.bool)
    with pytest.raises(ValueError, match=REMEDY):
        MODULES[name](**made)(**called | {"mask": mask})


def test_its_axes_are_as_many_as_the_scores_have():
    from posenc.attention import scaled_dot_product_attention

    q, padding = np.ones((3, 2, 4, 8)), np.arange(4) < np.asarray([[4], [2], [3]])
    with pytest.raises(ValueError, match=r"mask\[:, None, None, :\]$"):
        scaled_dot_product_attention(q, q, q, mask=padding)
    scaled_dot_product_attention(q, q, q, mask=padding[:, None, None, :])
