"""The Transformer of the laboratory with every encoding."""

import pytest
import torch

from posenc.alibi import alibi_bias
from posenc.attention import attend
from posenc.nn import AlibiAttention
from posenc.rope import apply_rotary, rotary_angles
from posenc.training.encodings import ENCODINGS, Sizes, TrainableAlibi, encoding_named
from posenc.training.model import Transformer

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
def test_the_order_of_far_tokens_matters_but_to_some(name):
    model = made(name)
    tokens, logits = read(model, 12)
    order = torch.tensor([3, 1, 0, 2, *range(4, 12)])
    with torch.no_grad():
        moved = model(tokens[:, order])
    # one causal layer mixes a set; two can count, so only the first is looked at
    one = Transformer(9, name, SIZES._replace(num_layers=1)).eval()
    with torch.no_grad():
        first, second = one(tokens)[:, -1], one(tokens[:, order])[:, -1]
    blind = name in {"none", "shaw_clip_0", "shaw_clip_1", "shaw_clip_2"}
    assert torch.allclose(first, second, atol=1e-5) == blind
    assert not torch.allclose(moved[:, -1], logits[:, -1], atol=1e-4)


@pytest.mark.parametrize("name", ENCODINGS)
def test_beyond_the_trained_length_all_but_tables_have_a_value(name):
    model = made(name)
    if encoding_named(name).bounded:
        with pytest.raises(ValueError, match="40"):
            read(model, 41)
    else:
        assert read(model, 90)[1].isfinite().all()


@pytest.mark.parametrize("name", [n for n, e in ENCODINGS.items() if e.variant])
def test_a_change_changes_nothing_within_the_trained_length(name):
    trained = encoding_named(name).trained_as
    model = made(trained)
    short, long = read(model, 40)[1], read(model, 90)[1]
    model.change_to(name)
    torch.testing.assert_close(read(model, 40)[1], short)
    changed = read(model, 90)[1]
    assert not torch.allclose(changed, long, atol=1e-3)
    for other in (n for n, e in ENCODINGS.items() if e.trained_as == trained):
        model.change_to(other)
        same = torch.allclose(read(model, 90)[1], changed, atol=1e-3)
        assert same == (other == name)
    model.change_to(trained)
    torch.testing.assert_close(read(model, 90)[1], long)


def test_slopes_are_stretched_in_the_last_layer_alone():
    model = made("alibi")
    model.change_to("alibi_stretched")
    first, last = (block.attention.heads for block in model.blocks)
    q, k, v = torch.randn(3, 1, 2, 80, 8)
    mask = torch.ones(80, 80, dtype=torch.bool).tril()
    for heads, factor in ((first, 1.0), (last, 0.5)):  # twice 40 tokens
        bias = factor * alibi_bias(2, 80, 80, xp=torch)
        wanted = attend(q, k, v, bias=bias, mask=mask)
        torch.testing.assert_close(heads(q, k, v, mask=mask), wanted)


def test_trained_slopes_begin_as_the_published_ones():
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 2, 20, 8)
    mask = torch.ones(20, 20, dtype=torch.bool).tril()
    heads = TrainableAlibi(2)
    wanted = AlibiAttention(2)(q, k, v)
    torch.testing.assert_close(heads(q, k, v, mask=mask), wanted)
    heads(q, k, v, mask=mask).sum().backward()
    assert (heads.log_slopes.grad != 0).all()


@pytest.mark.parametrize(("name", "base"), [("rope_base_100", 100.0), ("rope", 1e4)])
def test_rotations_have_their_base(name, base):
    heads = made(name).blocks[0].attention.heads
    q, k, v = torch.randn(3, 1, 2, 20, 8)
    mask = torch.ones(20, 20, dtype=torch.bool).tril()
    angles = rotary_angles(torch.arange(20), 8, base=base)
    wanted = attend(apply_rotary(q, angles), apply_rotary(k, angles), v, mask=mask)
    torch.testing.assert_close(heads(q, k, v, mask=mask), wanted)


def test_each_part_of_cape_is_there_alone():
    for part, maximum in (("shift", 40), ("jitter", 0.5), ("scale", 2.0)):
        encoding = made(f"cape_{part}").encoding
        nothing = {"max_global_shift": 0, "max_local_shift": 0, "max_scale": 1}
        changed = {k for k, v in encoding.maxima.items() if v != nothing[k]}
        assert [encoding.maxima[k] for k in changed] == [maximum]
    assert list(made("cape").encoding.maxima.values()) == [40, 0.5, 2.0]
