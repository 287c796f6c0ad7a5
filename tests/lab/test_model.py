"""The Transformer of the laboratory with every encoding."""

import pytest
import torch

from posenc.lab.encodings import ENCODINGS, Sizes, encoding_named
from posenc.lab.model import Transformer

SIZES = Sizes(train_len=40, d_model=16, num_heads=2, num_layers=2)


def made(name):
    torch.manual_seed(0)
    return Transformer(9, name, SIZES).eval()


def read(model, length, seed=0):
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randint(9, (3, length), generator=generator)
    with torch.no_grad():
        return tokens, model(tokens)


@pytest.mark.parametrize("name", ENCODINGS)
def test_no_place_sees_a_later_one(name):
    model = made(name)
    tokens, logits = read(model, 12)
    assert logits.shape == (3, 12, 9)
    with torch.no_grad():
        again = model(tokens[:, :7])
    torch.testing.assert_close(again, logits[:, :7], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_order_of_earlier_tokens_matters_but_without_encoding(name):
    model = made(name)
    tokens, logits = read(model, 12)
    order = torch.tensor([3, 1, 0, 2, *range(4, 12)])
    with torch.no_grad():
        moved = model(tokens[:, order])
    # one causal layer mixes a set; two can count, so only the first is looked at
    one = Transformer(9, name, SIZES._replace(num_layers=1)).eval()
    with torch.no_grad():
        first, second = one(tokens)[:, -1], one(tokens[:, order])[:, -1]
    assert torch.allclose(first, second, atol=1e-5) == (name == "none")
    assert not torch.allclose(moved[:, -1], logits[:, -1], atol=1e-4)


@pytest.mark.parametrize("name", ENCODINGS)
def test_beyond_the_trained_length_all_but_tables_have_a_value(name):
    model = made(name)
    if encoding_named(name).bounded:
        with pytest.raises(ValueError, match="40"):
            read(model, 41)
    else:
        assert read(model, 90)[1].isfinite().all()


def test_scaled_rotations_are_those_of_rope_within_the_trained_length():
    model = made("rope")
    short, long = read(model, 40)[1], read(model, 90)[1]
    seen = [long]
    for name in ("rope_interpolation", "rope_ntk", "rope_yarn"):
        model.scale_rotations(name)
        torch.testing.assert_close(read(model, 40)[1], short)
        scaled = read(model, 90)[1]
        assert all(not torch.allclose(scaled, other, atol=1e-3) for other in seen)
        seen.append(scaled)
    model.scale_rotations("rope")
    torch.testing.assert_close(read(model, 90)[1], long)


def test_t5_has_one_table_for_all_layers():
    tables = [name for name, _ in made("t5").named_parameters() if "table" in name]
    assert len(tables) == 1


def test_an_unknown_encoding_is_named():
    with pytest.raises(ValueError, match=r"encoding must be one of .*rope.*'none at"):
        Transformer(9, "none at all", SIZES)
