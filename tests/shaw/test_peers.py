"""Shaw's vectors against transformers (Wav2Vec2-BERT: keys; VITS: keys and values)."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import VitsConfig, Wav2Vec2BertConfig
from transformers.models.vits.modeling_vits import VitsAttention
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import (
    Wav2Vec2BertSelfAttention,
    _apply_relative_key_position_encoding,
)

from posenc.attention.nn import merge_heads, split_heads
from posenc.shaw import (
    attention_scores,
    position_scores,
    position_scores_batched,
    position_scores_broadcast,
)
from posenc.shaw.nn import ShawAttention

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]


@given(
    q_len=st.integers(1, 20), k_len=st.integers(1, 20), max_distance=st.integers(0, 8)
)
def test_key_vectors_agree_with_wav2vec2_bert(q_len, k_len, max_distance, draw):
    # Key - query, clipped, from row 0 at the leftmost; one table for all heads; times
    # 1/sqrt(head_dim), which our scores leave to the attention. Its two sides may be
    # clipped at different distances (64 and 8 in the released model); ours, as in the
    # paper, at one.
    config = Wav2Vec2BertConfig(
        hidden_size=12,
        num_attention_heads=3,
        position_embeddings_type="relative_key",
        left_max_position_embeddings=max_distance,
        right_max_position_embeddings=max_distance,
    )
    peer = Wav2Vec2BertSelfAttention(config).double()
    q, k = draw((2, 3, q_len, 4), (2, 3, k_len, 4))
    _, theirs = _apply_relative_key_position_encoding(peer, q, k)
    table = peer.distance_embedding.weight
    for function in (
        position_scores,
        position_scores_batched,
        position_scores_broadcast,
    ):
        ours = function(q, table, k_len) * peer.scaling
        torch.testing.assert_close(ours, theirs)


def vits(window, draw):
    """VITS attention with random vectors, and ours with the same."""
    config = VitsConfig(hidden_size=12, num_attention_heads=3, window_size=window)
    peer = VitsAttention(config).double().eval()
    keys, values = draw((2 * window + 1, 4), (2 * window + 1, 4))
    peer.emb_rel_k.data, peer.emb_rel_v.data = keys[None], values[None]
    ours = ShawAttention(3, 4, window).double()
    ours.load_state_dict({"key_table": keys, "value_table": values})
    return peer, ours


@settings(max_examples=50)
@given(window=st.integers(1, 12), seq_len=st.integers(1, 13))
def test_key_and_value_vectors_agree_with_vits(window, seq_len, draw):
    # Key - query, one pair of tables for all heads, laid out as ours. The vectors of
    # the keys go through 1/sqrt(head_dim) with the query. Beyond the window VITS has
    # *zero* vectors where the paper clips (sec. 3.2: the outermost vector goes on), so
    # only sequences that fit the window agree.
    seq_len = min(seq_len, window + 1)
    peer, ours = vits(window, draw)
    x = draw((2, seq_len, 12))
    heads = [
        split_heads(project(x), 3)
        for project in (peer.q_proj, peer.k_proj, peer.v_proj)
    ]
    theirs, _ = peer(x)
    torch.testing.assert_close(peer.out_proj(merge_heads(ours(*heads))), theirs)


def test_vits_forgets_beyond_its_window_where_the_paper_clips(draw):
    peer, ours = vits(2, draw)
    q, k = draw((1, 6, 4), (1, 6, 4))
    rows = peer._get_relative_embeddings(peer.emb_rel_k, 6)
    theirs = peer._relative_position_to_absolute_position(q @ rows.mT)
    clipped = attention_scores(q, k, ours.key_table) - q @ k.mT
    distance = (torch.arange(6) - torch.arange(6)[:, None]).abs()
    expected = torch.where(distance <= 2, clipped, torch.zeros(()).double())
    torch.testing.assert_close(theirs, expected)
    assert (clipped[:, distance > 2] != 0).all()
