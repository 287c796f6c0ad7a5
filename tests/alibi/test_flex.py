import pytest
import torch
from flex_rules import HAS_GPU, assert_adds, assert_compiles, draw, flexed, run_page

from posenc import alibi
from posenc.attention import attend, causal_mask, causal_mask_mod


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("q_offset", [0, 13])
def test_score_mod_adds_the_bias(symmetric, q_offset):
    options = {"symmetric": symmetric, "q_offset": q_offset}
    bias = alibi.alibi_bias(3, 20 - q_offset, 20, xp=torch, **options)
    assert_adds(alibi.score_mod(3, **options), bias, draw(20 - q_offset, 20))


@pytest.mark.parametrize("symmetric", [False, True])
def test_score_mod_adds_the_bias_of_any_positions(symmetric):
    q_positions = torch.tensor([[0, 1, 2, 0, 1], [4, 90, 3, 7, 1000]])
    k_positions = torch.tensor([3, 0, 11, 12, 2, 2, 100])
    bias = alibi.alibi_bias_at(3, q_positions, k_positions, symmetric=symmetric)
    places = {"q_positions": q_positions, "k_positions": k_positions}
    assert_adds(alibi.score_mod(3, symmetric=symmetric, **places), bias, draw(5, 7))


def test_score_mod_keeps_its_slopes_on_the_device():
    place = torch.tensor(0)
    scores = torch.zeros((), device="meta")
    score = alibi.score_mod(2, device="meta")(scores, place, 0, place, place)
    assert score.device.type == "meta"
    assert not alibi.score_mod(2)(torch.zeros(()), place, 0, place, place).is_meta


def test_a_causal_mask_hides_keys_without_penalty():
    qkv = draw(6, 20)
    bias = alibi.alibi_bias(3, 6, 20, q_offset=14, xp=torch)
    mask = causal_mask(6, 20, q_offset=14, xp=torch)
    result = flexed(*qkv, alibi.score_mod(3, q_offset=14), causal_mask_mod(q_offset=14))
    torch.testing.assert_close(result, attend(*qkv, bias=bias, mask=mask))


NEEDS_GPU = pytest.mark.skipif(not HAS_GPU, reason="tensors on a GPU")


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=NEEDS_GPU)])
def test_the_lines_on_the_page(device):
    q, k, v = (x.to(device) for x in draw(9, 9))
    documents = torch.tensor([0] * 4 + [1] * 5, device=device)
    positions = torch.tensor([*range(4), *range(5)], device=device)
    names = {"documents": documents, "positions": positions, "num_heads": 3}
    result = run_page("alibi", q=q, k=k, v=v, **names)
    for rows in (slice(0, 4), slice(4, 9)):
        alone = [x[..., rows, :] for x in (q, k, v)]
        n = alone[0].shape[-2]
        options = {"xp": torch, "device": device}
        bias, mask = alibi.alibi_bias(3, n, n, **options), causal_mask(n, n, **options)
        expected = attend(*alone, bias=bias, mask=mask)
        torch.testing.assert_close(result[..., rows, :], expected)


@pytest.mark.slow
def test_score_mod_compiles():
    assert_compiles(alibi.score_mod(3), draw(140, 140), causal_mask_mod())


@pytest.mark.skipif(not HAS_GPU, reason="the kernel of a GPU")
def test_score_mod_runs_on_a_gpu():
    qkv = [x.cuda() for x in draw(140, 140, head_dim=16)]
    mask = causal_mask(140, 140, xp=torch, device="cuda")
    bias = alibi.alibi_bias(3, 140, 140, xp=torch, device="cuda")
    fused = torch.compile(torch.nn.attention.flex_attention.flex_attention)
    score_mod = alibi.score_mod(3, device="cuda")
    result = flexed(*qkv, score_mod, causal_mask_mod(), flex=fused)
    expected = attend(*qkv, bias=bias, mask=mask)
    torch.testing.assert_close(result, expected, rtol=1e-3, atol=1e-3)


def test_score_mod_is_causal_by_default_as_the_bias_is():
    assert_adds(alibi.score_mod(3), alibi.alibi_bias(3, 6, 6, xp=torch), draw(6, 6))
