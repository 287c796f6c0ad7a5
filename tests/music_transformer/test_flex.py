import functools

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

from posenc import music_transformer
from posenc.attention import attend, causal_mask, causal_mask_mod

sides = pytest.mark.parametrize("causal", [True, False])


def table(causal, seq_len=12, head_dim=4):
    torch.manual_seed(1)  # two more rows than are needed, on each side
    rows = seq_len + 2 if causal else 2 * seq_len + 3
    return torch.randn(3, rows, head_dim)


def masks(causal, seq_len=12):
    if not causal:
        return None, None
    return causal_mask_mod(), causal_mask(seq_len, seq_len, xp=torch)


def bias_of(q, table, causal):
    scores = music_transformer.position_scores(q, table, causal=causal)
    return scores / q.shape[-1] ** 0.5


@sides
def test_score_mod_adds_the_position_part(causal):
    q, *kv = draw(12, 12)
    score_mod = music_transformer.score_mod(q, table(causal), causal=causal)
    mask_mod, mask = masks(causal)
    bias = bias_of(q, table(causal), causal)
    assert_adds(score_mod, bias, (q, *kv), mask_mod=mask_mod, mask=mask)


@sides
def test_gradients_of_queries_and_table(causal):
    q, _, _ = draw(12, 12)
    make_mod = functools.partial(music_transformer.score_mod, causal=causal)
    make_bias = functools.partial(bias_of, causal=causal)
    tensors, sizes = [q, table(causal)], (2, 3, 12, 12)
    assert_same_gradients(make_mod, make_bias, tensors, sizes, masks(causal)[1])


def test_the_lines_on_the_page():
    q, k, v = draw(12, 12)
    expected = attend(q, k, v, bias=bias_of(q, table(True), True), mask=masks(True)[1])
    result = run_page("music_transformer", q=q, k=k, v=v, table=table(True))
    torch.testing.assert_close(result, expected)


@pytest.mark.slow
def test_score_mod_compiles():
    q, *kv = draw(140, 140)
    score_mod = music_transformer.score_mod(q, table(True, 140))
    assert_compiles(score_mod, (q, *kv), causal_mask_mod())


@pytest.mark.skipif(not HAS_GPU, reason="FlexAttention trains on a GPU alone")
def test_score_mod_trains():
    q, *kv = draw(140, 140, head_dim=16)
    mask_mod, mask = masks(True, 140)
    assert_trains_on_a_gpu(
        lambda table: music_transformer.score_mod(q.cuda(), table),
        lambda table: bias_of(q.cuda(), table, True),
        [table(True, 140, 16)],
        (q, *kv),
        mask_mod,
        mask,
    )
