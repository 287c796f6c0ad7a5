"""Fixtures shared by all tests."""

import functools
import os
import sys

import numpy as np
import pytest
from array_api_compat import array_namespace
from hypothesis import settings

settings.register_profile("book", deadline=None, print_blob=True)
settings.load_profile("book")

# No test writes to the progress of whoever runs it.
os.environ["POSENC_PROGRESS"] = os.devnull


@pytest.fixture(autouse=True)
def _close_figures():
    """Leave no figure open for the next test."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(params=["numpy", "torch"])
def xp(request):
    """Array namespace under test; run one backend with ``pytest -k numpy``."""
    module = pytest.importorskip(request.param)
    return array_namespace(module.ones(1))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def compiled():
    """`torch.compile` into one graph, run eagerly; raises if the graph breaks."""
    torch = pytest.importorskip("torch")
    torch.compiler.reset()
    return functools.partial(torch.compile, backend="aot_eager", fullgraph=True)


@pytest.fixture
def same_when_compiled(compiled):
    """Check that torch.compile traces a function whole and changes no result."""
    torch = pytest.importorskip("torch")

    def check(function, *arguments, **options):
        torch.testing.assert_close(
            compiled(function)(*arguments, **options), function(*arguments, **options)
        )

    return check
