"""Comparison with independent public implementations: `make test-full` alone.

Each test says beside the comparison how the other implementation counts, pairs and
aligns. Where it computes in float32 and we do not, the tolerance says so.
"""

import os
import socket

import numpy as np
import pytest

# Before transformers is imported: all models here are tiny and made on the spot.
os.environ["HF_HUB_OFFLINE"] = "1"


def pytest_ignore_collect(collection_path, config):
    """Without the slow tests, do not even import this folder: 12 s, and extra packages.

    (In every other case a package that is missing is an error, not a skip.)
    """
    return "not slow" in config.getoption("markexpr") or None


@pytest.fixture(scope="module", autouse=True)
def _no_network():
    """Raise if a peer opens a connection: nothing may be downloaded."""

    def refuse(*_):
        msg = "the peers' tests must not use the network"
        raise AssertionError(msg)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        yield


@pytest.fixture(scope="session")
def draw():
    """Tensors of the given shapes, normally distributed, float64, always the same."""
    torch = pytest.importorskip("torch")

    def tensors(*shapes):
        rng = np.random.default_rng(0)
        drawn = [torch.from_numpy(rng.normal(size=shape)) for shape in shapes]
        return drawn if len(drawn) > 1 else drawn[0]

    return tensors
