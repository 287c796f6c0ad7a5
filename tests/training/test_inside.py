"""A trained model, opened: kept weights, attention maps, and what is looked for."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from posenc.alibi import alibi_bias
from posenc.attention import attention_weights
from posenc.core import data
from posenc.training import sequences
from posenc.training.encodings import Sizes
from posenc.training.inside import (
    after_the_same,
    attention_maps,
    comes_first,
    previous,
    trained,
    weight_on,
)
from posenc.training.loop import train
from posenc.training.model import Transformer
from posenc.training.sequences import SequencePlan

SIZES = Sizes(train_len=40, d_model=16, num_heads=2, num_layers=2)
TOKENS = np.array([3, 1, 4, 1, 5, 3, 1])


def made(name):
    torch.manual_seed(0)
    return Transformer(9, name, SIZES).eval()


def test_maps_are_the_weights_that_the_formula_gives():
    model = made("alibi")
    (first, _) = model.blocks
    with torch.no_grad():
        x = first.norms[0](model.embed(torch.from_numpy(TOKENS)[None]))
        q, k, _ = (t[0].numpy() for t in first.attention.project(x))
    mask = np.tri(7, dtype=bool)
    wanted = attention_weights(q, k, bias=alibi_bias(2, 7, 7), mask=mask)
    np.testing.assert_allclose(
        attention_maps(model, TOKENS)[0], wanted, rtol=1e-4, atol=1e-6
    )


def test_places_that_are_looked_for_and_the_weight_there():
    assert previous(TOKENS).tolist() == [-1, 0, 1, 2, 3, 4, 5]
    assert after_the_same(TOKENS).tolist() == [-1, -1, -1, 2, -1, 1, 4]
    maps = np.zeros((1, 2, 3, 3))
    maps[0, 0] = [[1, 0, 0], [0.25, 0.75, 0], [0.5, 0, 0.5]]
    maps[0, 1] = np.eye(3)
    assert weight_on(maps, [-1, 0, 0]).tolist() == [[0.375, 0.0]]
    assert weight_on(maps, [0, 1, 2]).tolist() == [[pytest.approx(0.75), 1.0]]
    maps[0, 0] = [[1, 0, 0], [0.6, 0.4, 0], [0.1, 0.7, 0.2]]
    maps[0, 1] = [[1, 0, 0], [0.4, 0.6, 0], [0.7, 0.2, 0.1]]
    np.testing.assert_array_equal(comes_first(maps, [-1, 0, 1]), [[1.0, 0.0]])
    np.testing.assert_array_equal(comes_first(maps, [-1, -1, 0]), [[0.0, 1.0]])


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A run of ten steps whose weights are kept."""
    monkeypatch.setattr(data, "_FOLDERS", (tmp_path,))
    monkeypatch.setattr(sequences, "OPENED", {("copy", "alibi")})
    plan = SequencePlan("copy", "alibi", 1, max_steps=10, batch=2, sizes=SIZES)
    folder = tmp_path / "lab_runs"
    return plan, folder, train(plan, folder, tmp_path / "unfinished")


def test_weights_of_opened_runs_are_kept_and_answer_as_the_run_did(kept):
    plan, folder, results = kept
    assert sorted(path.suffix for path in folder.iterdir()) == [".jsonl", ".npz"]
    assert data.load_folder("lab_runs") == {plan.name: results}
    run = plan.start()
    while not run.finished:
        run.advance()
    tokens = torch.from_numpy(run.task.draw(np.random.default_rng(0), 2, 16).tokens)
    with torch.no_grad():
        found, wanted = trained(plan.name)(tokens), run.model.eval()(tokens)
    assert not torch.equal(found, wanted)  # half precision
    torch.testing.assert_close(found, wanted, atol=2e-2, rtol=0)
    other = replace(plan, seed=2)
    train(other, folder, folder.parent)
    assert not (folder / f"{other.name}.npz").exists()
    with pytest.raises(ValueError, match=plan.name):
        trained(other.name)
