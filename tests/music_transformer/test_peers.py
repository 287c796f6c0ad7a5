"""The unmasked skew against transformers: the text encoder of VITS."""

import numpy as np
import pytest
import torch
from transformers import VitsConfig
from transformers.models.vits.modeling_vits import VitsAttention

from posenc import music_transformer

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

WINDOW, HEADS, HEAD_DIM = 4, 2, 6


@pytest.fixture(scope="module")
def peer():
    """Attention of VITS: offsets -4 … 4, and zeros for all that are farther."""
    torch.manual_seed(0)
    config = VitsConfig(
        hidden_size=HEADS * HEAD_DIM, num_attention_heads=HEADS, window_size=WINDOW
    )
    return VitsAttention(config).double().eval()


@pytest.mark.parametrize("seq_len", [1, 2, 5, 12])
def test_skew_is_the_same_cell_by_cell(peer, seq_len):
    products = torch.randn(3, seq_len, 2 * seq_len - 1, dtype=torch.float64)
    theirs = peer._relative_position_to_absolute_position(products)
    torch.testing.assert_close(
        music_transformer.skew_unmasked(products), theirs, rtol=0, atol=0
    )


@pytest.mark.parametrize("seq_len", [1, 3, 5, 12])
def test_a_table_filled_with_zeros_gives_the_same_scores(peer, seq_len):
    q = torch.randn(HEADS, seq_len, HEAD_DIM, dtype=torch.float64)
    with torch.no_grad():
        rows = peer._get_relative_embeddings(peer.emb_rel_k, seq_len)
        theirs = peer._relative_position_to_absolute_position(q @ rows.mT)
    missing = max(seq_len - 1 - WINDOW, 0)
    table = np.pad(peer.emb_rel_k[0].detach().numpy(), ((missing, missing), (0, 0)))
    ours = music_transformer.position_scores(q, torch.from_numpy(table), causal=False)
    torch.testing.assert_close(ours, theirs)
