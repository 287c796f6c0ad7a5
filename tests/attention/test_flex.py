import pytest
import torch
from flex_rules import assert_compiles, draw, flexed, run_page
from torch.nn.attention.flex_attention import and_masks, create_mask

from posenc.attention import (
    attend,
    causal_mask,
    causal_mask_mod,
    document_mask_mod,
    window_mask_mod,
)


def matrix(mask_mod, q_len, k_len, batch=1):
    return create_mask(mask_mod, batch, 1, q_len, k_len, device="cpu")[:, 0]


@pytest.mark.parametrize("q_offset", [0, 3])
def test_causal_mask_mod_is_the_causal_mask(q_offset):
    mask = causal_mask(4, 7, q_offset=q_offset, xp=torch)
    mask_mod = causal_mask_mod(q_offset=q_offset)
    assert torch.equal(matrix(mask_mod, 4, 7)[0], mask)
    qkv = draw(4, 7)
    torch.testing.assert_close(flexed(*qkv, mask_mod=mask_mod), attend(*qkv, mask=mask))


def test_causal_mask_mod_follows_positions():
    q_positions = torch.tensor([[2, 0], [5, 1]])
    k_positions = torch.tensor([0, 1, 2])
    mask_mod = causal_mask_mod(q_positions=q_positions, k_positions=k_positions)
    assert matrix(mask_mod, 2, 3, batch=2).int().tolist() == [
        [[1, 1, 1], [1, 0, 0]],
        [[1, 1, 1], [1, 1, 0]],
    ]


def test_window_mask_mod_counts_tokens_before_and_after():
    assert matrix(window_mask_mod(1), 4, 4)[0].int().tolist() == [
        [1, 0, 0, 0],
        [1, 1, 0, 0],
        [0, 1, 1, 0],
        [0, 0, 1, 1],
    ]
    assert matrix(window_mask_mod(2, 1, q_offset=2), 2, 5)[0].int().tolist() == [
        [1, 1, 1, 1, 0],
        [0, 1, 1, 1, 1],
    ]
    places = {"q_positions": torch.tensor([9]), "k_positions": torch.tensor([7, 8, 20])}
    result = matrix(window_mask_mod(1, 20, **places), 1, 3)[0]
    assert result.tolist() == [[False, True, True]]


def test_document_mask_mod_keeps_documents_apart():
    documents = torch.tensor([[0, 0, 1], [5, 7, 5]])
    assert matrix(document_mask_mod(documents), 3, 3, batch=2).int().tolist() == [
        [[1, 1, 0], [1, 1, 0], [0, 0, 1]],
        [[1, 0, 1], [0, 1, 0], [1, 0, 1]],
    ]
    decoding = document_mask_mod(documents[:, -1:], documents)
    result = matrix(decoding, 1, 3, batch=2).int().tolist()
    assert result == [[[0, 0, 1]], [[1, 0, 1]]]


def packed(documents):
    return and_masks(causal_mask_mod(), document_mask_mod(documents))


def test_packed_documents_attend_as_if_each_were_alone():
    q, k, v = draw(9, 9)
    documents = torch.tensor([0] * 4 + [1] * 5)
    result = run_page("attention", q=q, k=k, v=v, documents=documents)
    for rows in (slice(0, 4), slice(4, 9)):
        alone = [x[..., rows, :] for x in (q, k, v)]
        length = alone[0].shape[-2]
        expected = attend(*alone, mask=causal_mask(length, length, xp=torch))
        torch.testing.assert_close(result[..., rows, :], expected)


@pytest.mark.slow
def test_a_mask_compiles():
    documents = torch.arange(300) // 100
    assert_compiles(None, draw(300, 300), packed(documents))
