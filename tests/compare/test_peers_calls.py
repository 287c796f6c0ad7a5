"""Every call that the comparison names is there, and a test runs it against ours."""

import importlib
from pathlib import Path

import pytest

from posenc.compare import CONVENTIONS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

PEERS = [peer for convention in CONVENTIONS for peer in convention.peers]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_named_call_exists(peer):
    parts = peer.path.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        break
    for name in parts[cut:]:
        found = getattr(found, name)
    assert callable(found)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_the_test_exists_and_uses_the_call(peer):
    files = Path(__file__).parents[1].glob("*/test_peers*.py")
    (text,) = (
        text
        for text in (file.read_text(encoding="utf-8") for file in files)
        if f"def {peer.test}(" in text
    )
    assert peer.name.split(".")[0] in text


def test_no_library_has_cape():
    import rotary_embedding_torch
    import transformers
    import x_transformers

    for module in (transformers, x_transformers, rotary_embedding_torch):
        names = [name.lower() for name in dir(module)]
        assert not [name for name in names if name.startswith("cape")]
        assert not [name for name in names if "continuousaugmented" in name]
