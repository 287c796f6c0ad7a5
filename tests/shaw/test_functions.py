import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import shaw
from posenc.shaw import graph_attention, relative_attention, relative_position_index
from posenc.shaw.exercises import oracle

PRINTED = json.loads(Path("book/data/printed_tables.json").read_text())["shaw_index"]

SCORE_FORMS = [
    shaw.position_scores,
    shaw.position_scores_broadcast,
    shaw.position_scores_batched,
]
VALUE_FORMS = [
    shaw.position_values,
    shaw.position_values_broadcast,
    shaw.position_values_batched,
]

lengths = st.integers(0, 6)


def arrays(rng, xp, *shapes):
    return [xp.asarray(rng.normal(size=shape)) for shape in shapes]


@pytest.mark.parametrize(
    ("name", "words", "k"), [("five_words_unclipped", 5, 4), ("ten_words_k3", 10, 3)]
)
def test_reproduces_the_printed_tables(xp, name, words, k):
    index = relative_position_index(words, words, k, xp=xp)
    assert index.dtype == xp.int64
    np.testing.assert_array_equal(np.asarray(index), PRINTED[name])


@given(q_len=lengths, k_len=lengths, k=st.integers(0, 4), q_offset=lengths)
def test_index_is_the_clipped_relative_position(q_len, k_len, k, q_offset):
    expected = oracle.index(q_len, k_len, k, q_offset=q_offset)
    index = relative_position_index(q_len, k_len, k, q_offset=q_offset)
    np.testing.assert_array_equal(index, expected)


@given(q_len=lengths, k_len=lengths, k=st.integers(0, 4), q_offset=lengths)
def test_all_forms_match_the_oracle(q_len, k_len, k, q_offset):
    rng = np.random.default_rng(0)
    q, key_table, value_table = arrays(
        rng, np, (2, 3, q_len, 4), (2 * k + 1, 4), (2 * k + 1, 5)
    )
    weights = rng.normal(size=(2, 3, q_len, k_len))
    scores = oracle.scores(q, key_table, k_len, q_offset=q_offset)
    values = oracle.position_values(weights, value_table, q_offset)
    for form in SCORE_FORMS:
        out = form(q, key_table, k_len, q_offset=q_offset)
        np.testing.assert_allclose(out, scores, atol=1e-12)
    keys = rng.normal(size=(2, 3, k_len, 4))
    scores += q @ keys.swapaxes(-1, -2)
    out = shaw.attention_scores(q, keys, key_table, q_offset=q_offset)
    np.testing.assert_allclose(out, scores, atol=1e-12)
    for rows in (1, 2, 9):
        out = shaw.attention_scores_blocked(
            q, keys, key_table, q_offset=q_offset, rows=rows
        )
        np.testing.assert_allclose(out, scores, atol=1e-12)
    for form in VALUE_FORMS:
        out = form(weights, value_table, q_offset=q_offset)
        np.testing.assert_allclose(out, values, atol=1e-12)


@pytest.mark.parametrize("q_len", [0, 1, 5])
def test_blocked_scores_are_the_plain_ones_on_both_backends(xp, rng, q_len):
    q, k, tables = arrays(rng, xp, (2, 3, q_len, 4), (2, 3, 6, 4), (3, 5, 4))
    plain = shaw.attention_scores(q, k, tables, q_offset=1)
    blocked = shaw.attention_scores_blocked(q, k, tables, q_offset=1, rows=2)
    np.testing.assert_allclose(np.asarray(blocked), np.asarray(plain), atol=1e-12)
    if hasattr(q, "requires_grad_"):  # then blocks are put together in another way
        leaves = [x.requires_grad_() for x in (q, k, tables)]
        blocked = shaw.attention_scores_blocked(*leaves, q_offset=1, rows=2)
        np.testing.assert_allclose(
            blocked.detach().numpy(), np.asarray(plain), atol=1e-12
        )


def test_a_table_per_head_is_used_by_its_head(xp, rng):
    q, tables = arrays(rng, xp, (2, 3, 5, 4), (3, 7, 4))
    weights = xp.asarray(rng.random((2, 3, 5, 6)))
    for form in (shaw.position_scores, shaw.position_scores_broadcast):
        out = np.asarray(form(q, tables, 6))
        each = [np.asarray(form(q[:, h], tables[h, ...], 6)) for h in range(3)]
        np.testing.assert_allclose(out, np.stack(each, axis=1), atol=1e-12)
    for form in (shaw.position_values, shaw.position_values_broadcast):
        out = np.asarray(form(weights, tables))
        each = [np.asarray(form(weights[:, h], tables[h, ...])) for h in range(3)]
        np.testing.assert_allclose(out, np.stack(each, axis=1), atol=1e-12)


@given(n=st.integers(1, 6), k=st.integers(0, 3), seed=st.integers(0, 9))
def test_attention_matches_the_formulas_of_the_paper(n, k, seed):
    rng = np.random.default_rng(seed)
    q, keys, v = arrays(rng, np, (n, 4), (n + 2, 4), (n + 2, 3))
    key_table, value_table = arrays(rng, np, (2 * k + 1, 4), (2 * k + 1, 3))
    mask = rng.random((n, n + 2)) < 0.8
    mask[:, 0] = True
    labels = oracle.index(n, n + 2, k, q_offset=2)
    expected = oracle.graph_attention(q, keys, v, labels, key_table, value_table, mask)
    out = relative_attention(q, keys, v, key_table, value_table, mask=mask, q_offset=2)
    np.testing.assert_allclose(out, expected, atol=1e-12)


def test_graph_attention_matches_the_oracle_on_every_batch(xp, rng):
    q, k, v = arrays(rng, xp, (2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 2))
    key_table, value_table = arrays(rng, xp, (7, 6), (7, 2))
    labels = rng.integers(0, 7, size=(2, 1, 4, 5))
    mask = rng.random((2, 1, 4, 5)) < 0.5
    mask[1, 0, 2] = False  # a node without edges
    out = graph_attention(
        q, k, v, xp.asarray(labels), key_table, value_table, mask=xp.asarray(mask)
    )
    for b, h in np.ndindex(2, 3):
        nodes = [np.asarray(x[b, h, ...]) for x in (q, k, v)]
        tables = [np.asarray(key_table), np.asarray(value_table)]
        expected = oracle.graph_attention(*nodes, labels[b, 0], *tables, mask[b, 0])
        np.testing.assert_allclose(np.asarray(out[b, h, ...]), expected, atol=1e-12)
    np.testing.assert_array_equal(np.asarray(out[1, :, 2, :]), 0)


def test_values_that_change_places_at_equal_weights_are_not_noticed(xp, rng):
    """The output depends on the weights of offsets, not on which value they weigh."""
    v, value_table = arrays(rng, xp, (3, 4), (3, 4))
    weights = xp.asarray([[0.25, 0.5, 0.25]], dtype=v.dtype)
    sides = shaw.position_values(weights, value_table, q_offset=1)
    np.testing.assert_allclose(
        weights @ v + sides, weights @ v[[2, 1, 0]] + sides, atol=1e-12
    )
    for uneven in ([[0.5, 0.25, 0.25]], [[0.25, 0.25, 0.5]]):  # but these are
        other = xp.asarray(uneven, dtype=v.dtype)
        values = shaw.position_values(other, value_table, q_offset=1)
        assert not np.isclose(np.asarray(values), np.asarray(sides)).any()
