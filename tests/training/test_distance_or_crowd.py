"""Distance or crowd: each of the tests changes what it says, and nothing else."""

import array_api_compat.torch as xp
import numpy as np
import pytest
import torch

from posenc.core.data import load_folder
from posenc.rope import apply_rotary, rotary_angles
from posenc.training import distance_or_crowd
from posenc.training.distance_or_crowd import (
    filler_test,
    moved_index_test,
    sharper,
)
from posenc.training.encodings import Sizes
from posenc.training.model import Transformer
from posenc.training.sequences import SequencePlan
from posenc.training.tasks import IGNORED, TASKS

SIZES = Sizes(40, 16, 2, 2)
ALL = sorted({encoding for _, encoding in distance_or_crowd.TESTED})


def run_of(encoding, task="copy"):
    run = SequencePlan(task, encoding, seed=1, max_steps=1, sizes=SIZES).start()
    run.model.eval()
    return run


@pytest.mark.parametrize("kind", ["gap", "inside", "shift"])
@pytest.mark.parametrize("encoding", ALL)
def test_no_filler_is_the_test_at_the_trained_length(encoding, kind):
    run = run_of(encoding)
    with torch.inference_mode():
        expected = run.test(encoding, 40)
    found = filler_test(run, encoding, 40, kind)
    assert found == {name: expected[name] for name in found}


@pytest.mark.parametrize("encoding", ALL)
@pytest.mark.parametrize("first", [0, 4])
def test_filler_counts_as_distance_where_there_is_an_encoding(encoding, first):
    """In front of the text, where it shifts all tokens, for absolute ones alone."""
    hidden = torch.arange(12) // 4 == first // 4
    text = torch.arange(12)[None]
    model = run_of(encoding).model
    with torch.inference_mode():
        short = model(text[:, ~hidden])[0]
        model.hide(hidden)
        apart = model(text)[0, ~hidden]
    blind = encoding == "none" if first else encoding != "sinusoidal"
    assert torch.allclose(short, apart, atol=1e-5) is blind


@pytest.mark.parametrize("by_heart", [False, True])
def test_moved_texts_tell_counting_from_places_by_heart(by_heart, monkeypatch):
    """A model that knows the rule, in the place of a trained one."""
    run, columns = run_of("sinusoidal", "index"), []

    def answer(tokens):
        columns.append(tokens.shape[1])
        places = (tokens - 15).clamp(min=1, max=22)  # 16 asks for place 1
        named = torch.gather(tokens, 1, places if by_heart else places + 1)
        return torch.nn.functional.one_hot(named, 64)

    monkeypatch.setattr(run.model, "forward", answer)
    found = moved_index_test(run)
    assert set(columns) == {40}  # one column of filler, and 39 tokens
    assert found["moved"].keys() == found["by_place"].keys() == {"39"}
    answers = found["moved"]["39"]["answers"]
    rng = np.random.default_rng([1, 39, 3])
    batch = TASKS["index"].draw(rng, answers // 16, 39)
    asks = batch.targets != IGNORED
    before = np.take_along_axis(batch.tokens, np.where(asks, batch.tokens - 16, 0), 1)
    alike, first = (before == batch.targets)[asks], (batch.tokens == 16)[asks]
    shares = [found[kind]["39"]["accuracy"] for kind in ("moved", "by_place")]
    expected = (alike.mean(), 1) if by_heart else (1, alike[~first].mean())
    assert shares == pytest.approx(expected, abs=1e-5)
    assert found["by_place"]["39"]["answers"] == answers - first.sum()


def test_the_book_holds_moved_texts_of_absolute_encodings_alone():
    for run in load_folder("lab_runs").values():
        plan = run.get("plan", {})
        moved = (plan.get("task"), plan.get("encoding")) in distance_or_crowd.MOVED
        assert ("moved" in run.get("apart", {})) is (moved and plan["seed"] != 0)


@pytest.mark.parametrize("encoding", ALL)
def test_sharper_scores_are_those_of_a_warmer_softmax(encoding, monkeypatch):
    """All scores times 3: where the exponential is taken, and nowhere else."""
    model = run_of(encoding).model
    text = torch.arange(12)[None]
    with torch.inference_mode():
        plain = model(text)
        with sharper(model, 3.0):
            found = model(text)
        again = model(text)

        def fused(q, k, v, attn_mask=None, **rest):
            scores = q @ k.mT / q.shape[-1] ** 0.5
            if attn_mask is not None:
                hide = attn_mask.dtype == torch.bool
                scores = (
                    scores.masked_fill(~attn_mask, -torch.inf)
                    if hide
                    else scores + attn_mask
                )
            return (3 * scores).softmax(-1) @ v

        monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", fused)
        monkeypatch.setattr(xp, "exp", lambda x: torch.exp(3 * x))  # Shaw's
        expected = model(text)
    torch.testing.assert_close(again, plain)
    assert not torch.allclose(found, plain, atol=1e-3)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_clamped_rotation_turns_no_pair_further_than_training_did():
    """Scores one by one, against the heads' own."""
    train_len, length, size = 5, 9, 4
    torch.manual_seed(0)
    q, k = torch.randn(2, 1, length, size)
    heads = Transformer(9, "rope", SIZES._replace(train_len=train_len))
    heads.change_to("rope_clamped")
    v, mask = torch.eye(length)[None], torch.ones(length, length).tril().bool()
    found = heads.blocks[0].attention.heads(q, k, v, mask=mask)
    scores = torch.empty(1, length, length)
    for i in range(length):
        for j in range(length):
            distance = torch.tensor([min(i - j, train_len - 1)])
            angles = rotary_angles(distance, size)
            turned = apply_rotary(q[:, i : i + 1], angles)
            scores[:, i, j] = (turned @ k[:, j : j + 1].mT)[:, 0, 0]
    weights = (scores / size**0.5).masked_fill(~mask, -torch.inf).softmax(-1)
    torch.testing.assert_close(found, weights, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", ["rope", "alibi", "transformer_xl"])
def test_clamped_distances_are_all_alike_beyond_the_limit(name):
    """What stands there may change places, but for the tokens that see it near."""
    model = Transformer(40, name, SIZES._replace(num_layers=1)).eval()
    model.change_to(f"{name}_clamped")
    (block,) = model.blocks
    for one in block.modules():
        if hasattr(one, "farthest"):
            one.farthest = 3
    model.change_to(f"{name}_clamped")
    text = torch.arange(12)[None]
    moved = text.clone()
    moved[0, :6] = text[0, [3, 0, 5, 1, 2, 4]]
    with torch.inference_mode():
        before, after = model(text)[0, -1], model(moved)[0, -1]
        torch.testing.assert_close(before, after, atol=1e-5, rtol=1e-4)
        model.change_to(name)
        before, after = model(text)[0, -1], model(moved)[0, -1]
    assert not torch.allclose(before, after, atol=1e-5)
