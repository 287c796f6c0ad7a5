from functools import partial

import torch
from flex_rules import Case, TestFlex, draw, run_page

from posenc import music_transformer
from posenc.attention import attend, causal_mask, causal_mask_mod

__all__ = ["TestFlex"]


def table(causal, seq_len=12, head_dim=4):
    torch.manual_seed(1)  # two more rows than are needed, on each side
    rows = seq_len + 2 if causal else 2 * seq_len + 3
    return torch.randn(3, rows, head_dim)


def bias_of(q, table, causal):
    scores = music_transformer.position_scores(q, table, causal=causal)
    return scores / q.shape[-1] ** 0.5


def cases(length=12, head_dim=4):
    for causal in (True, False):
        q, *kv = draw(length, length, head_dim=head_dim)
        mod, bias = (
            partial(function, causal=causal)
            for function in (music_transformer.score_mod, bias_of)
        )
        masks = causal_mask_mod(), causal_mask(length, length, xp=torch)
        leaves = [q, table(causal, length, head_dim)]
        yield Case(mod, bias, leaves, [q, *kv], *(masks if causal else ()))


def test_the_lines_on_the_page():
    q, k, v = draw(12, 12)
    mask = causal_mask(12, 12, xp=torch)
    expected = attend(q, k, v, bias=bias_of(q, table(True), True), mask=mask)
    result = run_page("music_transformer", q=q, k=k, v=v, table=table(True))
    torch.testing.assert_close(result, expected)
