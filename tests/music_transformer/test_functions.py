import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.music_transformer import (
    attention_scores,
    attention_scores_blocked,
    local_attention,
    local_mask,
    local_position_scores,
    position_scores,
    relative_attention,
    skew,
    skew_unmasked,
)
from posenc.music_transformer.exercises import oracle


def arrays(rng, xp, *shapes):
    return [xp.asarray(rng.normal(size=shape)) for shape in shapes]


def by_offset(table, last=0):
    """Rows of a table, the last of which belongs to offset `last`."""
    return {r - len(table) + 1 + last: row for r, row in enumerate(table)}


@given(q_len=st.integers(0, 6), more=st.integers(0, 4))
def test_every_cell_of_the_skew_garbage_included(q_len, more):
    k_len = q_len + more
    scores = np.random.default_rng(0).normal(size=(2, q_len, k_len))
    out = skew(scores)
    expected = np.empty_like(scores)
    for b, i, j in np.ndindex(scores.shape):
        if j <= i + more:
            expected[b, i, j] = scores[b, i, j + q_len - 1 - i]
        elif j == i + more + 1:
            expected[b, i, j] = 0
        else:
            expected[b, i, j] = scores[b, i + 1, j - i - more - 2]
    np.testing.assert_array_equal(out, expected)


@given(seq_len=st.integers(0, 7))
def test_every_cell_of_the_unmasked_skew(seq_len):
    scores = np.random.default_rng(0).normal(size=(2, seq_len, max(2 * seq_len - 1, 0)))
    out = skew_unmasked(scores)
    expected = np.empty((2, seq_len, seq_len))
    for b, i, j in np.ndindex(2, seq_len, seq_len):
        expected[b, i, j] = scores[b, i, j - i + seq_len - 1]
    np.testing.assert_array_equal(out, expected)


@given(seq_len=st.integers(0, 6), spare=st.integers(0, 3))
def test_position_scores_match_the_oracle(seq_len, spare):
    # `spare`: the table was made for a longer sequence.
    rng = np.random.default_rng(0)
    q = rng.normal(size=(2, seq_len, 4))
    table = rng.normal(size=(2, seq_len + spare, 4))
    both = rng.normal(size=(2, 2 * (seq_len + spare) + 1, 4))
    causal = position_scores(q, table)
    two_sided = position_scores(q, both, causal=False)
    for h in range(2):
        np.testing.assert_allclose(
            np.tril(causal[h]),
            np.tril(oracle.scores_of_offsets(q[h], by_offset(table[h]))),
            atol=1e-12,
        )
        offsets = by_offset(both[h], last=seq_len + spare)
        expected = oracle.scores_of_offsets(q[h], offsets)
        np.testing.assert_allclose(two_sided[h], expected, atol=1e-12)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(
    ("seq_len", "rows"), [(7, 1), (7, 3), (8, 4), (5, 128), (1, 2)]
)
@pytest.mark.parametrize("heads", [(), (3,)])
def test_blocked_form_agrees_with_the_plain_one(xp, rng, causal, seq_len, rows, heads):
    needed = seq_len if causal else 2 * seq_len - 1
    shapes = [(2, 3, seq_len, 4), (2, 3, seq_len, 4), (*heads, needed + 2, 4)]
    q, k, table = arrays(rng, xp, *shapes)
    plain = attention_scores(q, k, table, causal=causal)
    blocked = attention_scores_blocked(q, k, table, causal=causal, rows=rows)
    assert blocked.dtype == plain.dtype
    valid = np.tril if causal else np.asarray
    np.testing.assert_allclose(
        valid(np.asarray(blocked)), valid(np.asarray(plain)), atol=1e-12
    )


@pytest.mark.parametrize("causal", [True, False])
def test_attention_matches_the_formula_of_the_paper(xp, rng, causal):
    q, k, v = arrays(rng, xp, (2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 2))
    (table,) = arrays(rng, xp, (3, 5 if causal else 9, 4))
    mask = rng.random((2, 1, 5, 5)) < 0.8
    mask[:, :, :, 0] = True
    out = relative_attention(q, k, v, table, causal=causal, mask=xp.asarray(mask))
    for b, h in np.ndindex(2, 3):
        vectors = by_offset(np.asarray(table[h, ...]), last=0 if causal else 4)
        expected = oracle.attention(
            *(np.asarray(x[b, h, ...]) for x in (q, k, v)),
            vectors,
            lambda i, j, b=b: mask[b, 0, i, j] and (j <= i or not causal),
        )
        np.testing.assert_allclose(np.asarray(out[b, h, ...]), expected, atol=1e-12)


@pytest.mark.parametrize("new", [0, 1, 3, 6])
def test_the_last_queries_get_the_last_rows_of_the_whole(xp, rng, new):
    q, k, v, table = arrays(rng, xp, (2, 6, 4), (2, 6, 4), (2, 6, 3), (2, 8, 4))
    last = q[:, 6 - new :, :]
    scores = np.asarray(position_scores(last, table, k_len=6))
    whole = np.asarray(position_scores(q, table))[:, 6 - new :, :]
    seen = np.tril(np.ones((new, 6), dtype=bool), 6 - new)
    assert scores.shape == whole.shape
    np.testing.assert_allclose(scores[:, seen], whole[:, seen], atol=1e-12)
    mask = xp.asarray(rng.random((6, 6)) < 0.8)
    out = relative_attention(last, k, v, table, mask=mask[6 - new :, :])
    expected = relative_attention(q, k, v, table, mask=mask)[:, 6 - new :, :]
    np.testing.assert_allclose(np.asarray(out), np.asarray(expected), atol=1e-12)


def test_the_future_does_not_change_the_past(xp, rng):
    x, table = arrays(rng, xp, (6, 4), (6, 4))
    changed = xp.concat([x[:3, :], 9 + x[3:, :]], axis=0)
    for attend in (
        lambda y: relative_attention(y, y, y, table),
        lambda y: local_attention(y, y, y, table, 2),
    ):
        before, after = np.asarray(attend(x)), np.asarray(attend(changed))
        np.testing.assert_array_equal(after[:3], before[:3])
        assert (after[3:] != before[3:]).all()


@pytest.mark.parametrize(("blocks", "block"), [(1, 3), (3, 2), (4, 1), (0, 2)])
@pytest.mark.parametrize("heads", [(), (3,)])
def test_local_scores_match_the_oracle(xp, rng, blocks, block, heads):
    q, table = arrays(rng, xp, (2, 3, blocks * block, 4), (*heads, 2 * block + 1, 4))
    out = np.asarray(local_position_scores(q, table, block))
    assert out.shape == (2, 3, blocks, block, 2 * block)
    for b, h, n in np.ndindex(2, 3, blocks):
        own = table[h, ...] if heads else table
        expected = oracle.scores_of_offsets(
            np.asarray(q[b, h, n * block : (n + 1) * block, :]),
            by_offset(np.asarray(own)),
            k_len=2 * block,
            q_offset=block,  # the block before begins at key 0
        )
        valid = ~np.isnan(expected)
        np.testing.assert_allclose(out[b, h, n][valid], expected[valid], atol=1e-12)
        assert valid.sum() == block * block + block * (block + 1) // 2


@given(blocks=st.integers(0, 4), block=st.integers(1, 4))
def test_local_mask_lets_past_keys_through_that_exist(blocks, block):
    expected = np.zeros((blocks, block, 2 * block), dtype=bool)
    for n, i, c in np.ndindex(expected.shape):
        key, query = (n - 1) * block + c, n * block + i
        expected[n, i, c] = 0 <= key <= query
    np.testing.assert_array_equal(local_mask(blocks, block), expected)


@pytest.mark.parametrize(("blocks", "block"), [(1, 3), (3, 2), (4, 1)])
def test_local_attention_is_global_attention_with_a_window(xp, rng, blocks, block):
    n = blocks * block
    q, k, v, table = arrays(
        rng, xp, (2, 3, n, 4), (2, 3, n, 4), (2, 3, n, 5), (3, n + block, 4)
    )
    numbers = np.arange(n) // block
    window = numbers[:, None] - numbers[None, :] <= 1
    out = local_attention(q, k, v, table, block)
    expected = relative_attention(q, k, v, table, mask=xp.asarray(window))
    np.testing.assert_allclose(np.asarray(out), np.asarray(expected), atol=1e-12)
