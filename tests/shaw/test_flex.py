from functools import partial

import torch
from flex_rules import Case, TestFlex, assert_adds, draw, flexed, run_page
from torch.nn.attention.flex_attention import AuxRequest, flex_attention

from posenc import shaw
from posenc.attention import attend

__all__ = ["TestFlex"]


def table(*heads, k=4, head_dim=4):
    torch.manual_seed(1)
    return torch.randn(*heads, 2 * k + 1, head_dim)


def bias_of(q, key_table, q_offset=0):
    k_len = q.shape[-2] + q_offset
    scores = shaw.position_scores(q, key_table, k_len, q_offset=q_offset)
    return scores / q.shape[-1] ** 0.5


def cases(length=20, head_dim=4):
    for heads, past in (((), 0), ((3,), 13)):
        q, *kv = draw(length - past, length, head_dim=head_dim)
        mod, bias = (
            partial(function, q_offset=past) for function in (shaw.score_mod, bias_of)
        )
        yield Case(mod, bias, [q, table(*heads, head_dim=head_dim)], [q, *kv])


def test_score_mod_reads_positions():
    q, *kv = draw(5, 7)
    q_positions = torch.tensor([[0, 1, 2, 0, 1], [4, 90, 3, 7, 1000]])
    k_positions = torch.tensor([3, 0, 11, 12, 2, 2, 100])
    apart = k_positions - q_positions[..., None]
    labels = apart.clamp(-4, 4) + 4  # (2, 5, 7)
    vectors = table()[labels]  # a^K of each pair
    bias = torch.einsum("bhqd,bqkd->bhqk", q, vectors) / 2
    places = {"q_positions": q_positions, "k_positions": k_positions}
    assert_adds(shaw.score_mod(q, table(), **places), bias, (q, *kv))


def test_the_values_follow_from_log_sum_exps_beside_the_kernel():
    """Keys that share a vector have the sum of weights exp(their lse - that of all)."""
    q, k, v = draw(9, 9)
    far, (key_table, value_table) = 2, torch.randn(2, 5, 4)
    with_lse = partial(flex_attention, return_aux=AuxRequest(lse=True))
    score_mod = shaw.score_mod(q, key_table)
    out, everything = flexed(q, k, v, score_mod, flex=with_lse)
    for row in range(2 * far + 1):

        def shares(batch, head, query, key, row=row):
            return (key - query).clamp(-far, far) + far == row

        _, some = flexed(q, k, v, score_mod, shares, flex=with_lse)
        out = out + (some.lse - everything.lse).exp()[..., None] * value_table[row]
    expected = shaw.relative_attention(q, k, v, key_table, value_table)
    torch.testing.assert_close(out, expected)


def test_the_lines_on_the_page():
    q, k, v = draw(9, 9)
    expected = attend(q, k, v, bias=bias_of(q, table()))
    result = run_page("shaw", q=q, k=k, v=v, key_table=table())
    torch.testing.assert_close(result, expected)
