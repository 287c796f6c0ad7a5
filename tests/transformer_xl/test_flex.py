import pytest
import torch
from flex_rules import (
    HAS_GPU,
    assert_adds,
    assert_compiles,
    assert_same_gradients,
    assert_trains_on_a_gpu,
    draw,
    run_page,
)

from posenc import transformer_xl
from posenc.attention import attend, causal_mask, causal_mask_mod

heads = pytest.mark.parametrize("heads", [(), (3,)])


def learned(heads, k_len=12, head_dim=4):
    """Encodings of the distances, and the vectors u and v."""
    torch.manual_seed(1)
    r = torch.randn(*heads, k_len, head_dim)
    return [r, *torch.randn(2, *heads, head_dim)]


def bias_of(q, k, r, u, v):
    """All four terms but the first, which the kernel makes."""
    scores = transformer_xl.attention_scores(q, k, r, u, v) - q @ k.mT
    return scores / q.shape[-1] ** 0.5


@heads
@pytest.mark.parametrize("q_len", [12, 5, 1])
def test_score_mod_adds_three_terms(heads, q_len):
    q, k, v = draw(q_len, 12)
    score_mod = transformer_xl.score_mod(q, k, *learned(heads))
    bias, past = bias_of(q, k, *learned(heads)), 12 - q_len
    mask = causal_mask(q_len, 12, q_offset=past, xp=torch)
    mask_mod = causal_mask_mod(q_offset=past)
    assert_adds(score_mod, bias, (q, k, v), mask_mod=mask_mod, mask=mask)


@heads
def test_gradients_of_all_tensors(heads):
    q, k, _ = draw(5, 12)
    mask = causal_mask(5, 12, q_offset=7, xp=torch)
    tensors, sizes = [q, k, *learned(heads)], (2, 3, 5, 12)
    assert_same_gradients(transformer_xl.score_mod, bias_of, tensors, sizes, mask)


def test_the_lines_on_the_page():
    q, k, values = draw(5, 12)
    r, u, v_bias = learned((3,))
    mask = causal_mask(5, 12, q_offset=7, xp=torch)
    expected = attend(q, k, values, bias=bias_of(q, k, r, u, v_bias), mask=mask)
    names = {"values": values, "r": r, "u": u, "v_bias": v_bias}
    result = run_page("transformer_xl", q=q, k=k, **names)
    torch.testing.assert_close(result, expected)


@pytest.mark.slow
def test_score_mod_compiles():
    q, k, v = draw(70, 140)
    score_mod = transformer_xl.score_mod(q, k, *learned((3,), 140))
    assert_compiles(score_mod, (q, k, v), causal_mask_mod(q_offset=70))


@pytest.mark.skipif(not HAS_GPU, reason="FlexAttention trains on a GPU alone")
def test_score_mod_trains():
    q, k, v = draw(70, 140, head_dim=16)
    assert_trains_on_a_gpu(
        lambda *given: transformer_xl.score_mod(q.cuda(), k.cuda(), *given),
        lambda *given: bias_of(q.cuda(), k.cuda(), *given),
        learned((3,), 140, 16),
        (q, k, v),
        causal_mask_mod(q_offset=70),
        causal_mask(70, 140, q_offset=70, xp=torch),
    )
