import torch
from flex_rules import Case, TestFlex, draw, run_page

from posenc import transformer_xl
from posenc.attention import attend, causal_mask, causal_mask_mod

__all__ = ["TestFlex"]


def learned(heads, k_len=12, head_dim=4):
    """Encodings of the distances, and the vectors u and v."""
    torch.manual_seed(1)
    r = torch.randn(*heads, k_len, head_dim)
    return [r, *torch.randn(2, *heads, head_dim)]


def bias_of(q, k, r, u, v):
    """All four terms but the first, which the kernel makes."""
    scores = transformer_xl.attention_scores(q, k, r, u, v) - q @ k.mT
    return scores / q.shape[-1] ** 0.5


def cases(length=12, head_dim=4):
    for heads, past in (((3,), length // 2), ((), 0), ((), length - 1)):
        q, k, v = draw(length - past, length, head_dim=head_dim)
        mask = causal_mask(length - past, length, q_offset=past, xp=torch)
        leaves = [q, k, *learned(heads, length, head_dim)]
        mask_mod = causal_mask_mod(q_offset=past)
        yield Case(transformer_xl.score_mod, bias_of, leaves, [q, k, v], mask_mod, mask)


def test_the_lines_on_the_page():
    q, k, values = draw(5, 12)
    r, u, v_bias = learned((3,))
    mask = causal_mask(5, 12, q_offset=7, xp=torch)
    expected = attend(q, k, values, bias=bias_of(q, k, r, u, v_bias), mask=mask)
    names = {"values": values, "r": r, "u": u, "v_bias": v_bias}
    result = run_page("transformer_xl", q=q, k=k, **names)
    torch.testing.assert_close(result, expected)
