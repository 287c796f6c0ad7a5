"""Transformer-XL and skews against transformers: XLNet, Wav2Vec2-BERT, Gemma 3n."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import Gemma3nAudioConfig, Wav2Vec2BertConfig, XLNetConfig
from transformers.models.gemma3n.modeling_gemma3n import (
    Gemma3nAudioRelativePositionEmbedding,
)
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import (
    Wav2Vec2BertSelfAttention,
    _apply_relative_position_encoding,
)
from transformers.models.xlnet.modeling_xlnet import (
    XLNetModel,
    XLNetRelativeAttention,
)

from posenc import music_transformer, transformer_xl
from posenc.attention import causal_mask
from posenc.sinusoidal import sinusoidal_encoding
from posenc.transformer_xl.nn import TransformerXLAttention

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

LENGTHS = st.integers(1, 15)
MEMORY = st.integers(0, 15)


def xlnet(seed=0):
    """XLNet's attention, three heads of four features, all of it random, and float64.

    It names u and v of the paper `r_w_bias` and `r_r_bias`.
    """
    config = XLNetConfig(d_model=12, n_head=3, d_inner=8, n_layer=1, vocab_size=2)
    peer = XLNetRelativeAttention(config).double().eval()
    generator = torch.Generator().manual_seed(seed)
    for parameter in peer.parameters():
        torch.nn.init.normal_(parameter, generator=generator)
    return peer


@given(q_len=LENGTHS, memory=MEMORY)
def test_causal_shift_agrees_with_xlnet(q_len, memory, draw):
    # Columns are the distances query - key (of the last query) k_len ... 0: one more
    # than needed, where we and Dai et al. put the pad. With zeros there, even the
    # garbage after the query is the same.
    scores = draw((2, 3, q_len, memory + q_len))
    k_len = memory + q_len
    with_pad = torch.nn.functional.pad(scores, (1, 0))
    theirs = XLNetRelativeAttention.rel_shift_bnij(with_pad, klen=k_len)
    for skew in (transformer_xl.relative_shift_padded, music_transformer.skew):
        torch.testing.assert_close(skew(scores), theirs, rtol=0, atol=0)
    # The same with the axes (q, k, batch, heads).
    other = XLNetRelativeAttention.rel_shift(with_pad.permute(2, 3, 0, 1), klen=k_len)
    torch.testing.assert_close(other.permute(2, 3, 0, 1), theirs, rtol=0, atol=0)
    # The view of ours has other garbage.
    past = causal_mask(q_len, k_len, q_offset=memory, xp=torch)
    ours = transformer_xl.relative_shift(scores)
    torch.testing.assert_close(ours * past, theirs * past, rtol=0, atol=0)


@settings(max_examples=20)
@given(q_len=LENGTHS, memory=MEMORY)
def test_attention_agrees_with_xlnet(q_len, memory, draw):
    # Axes (length, batch, heads, features); mask 1 = may *not* attend; the scores are
    # divided by sqrt(head_dim) after the sum of all terms.
    k_len, peer = memory + q_len, xlnet()
    q, k, v, r = draw(
        (2, 3, q_len, 4), (2, 3, k_len, 4), (2, 3, k_len, 4), (3, k_len, 4)
    )
    past = causal_mask(q_len, k_len, q_offset=memory, xp=torch)
    r_with_pad = torch.nn.functional.pad(r, (0, 0, 1, 0))  # distance k_len
    theirs = peer.rel_attn_core(
        *(x.permute(2, 0, 1, 3) for x in (q, k, v)),
        r_with_pad.transpose(0, 1)[:, None].expand(-1, 2, -1, -1),
        attn_mask=(~past).double()[:, :, None, None],
    ).permute(1, 2, 0, 3)
    ours = transformer_xl.relative_attention(
        q, k, v, r, content_bias=peer.r_w_bias, position_bias=peer.r_r_bias
    )
    torch.testing.assert_close(ours, theirs)


@settings(max_examples=20)
@given(q_len=LENGTHS, memory=MEMORY)
def test_module_agrees_with_xlnet(q_len, memory, draw):
    # From the hidden states, memory and sinusoids on. Its attention adds the input and
    # normalizes, which is the business of our *layer*; it is done here.
    k_len, peer = memory + q_len, xlnet()
    hidden, mems = draw((2, q_len, 12), (2, memory, 12))
    past = causal_mask(q_len, k_len, q_offset=memory, xp=torch)
    encoding = sinusoids(q_len, k_len).double()
    theirs = peer(
        hidden.transpose(0, 1),
        None,
        (~past).double()[:, :, None, None],
        None,
        encoding.expand(-1, 2, -1),
        None,
        mems=mems.transpose(0, 1),
    )[0].transpose(0, 1)

    ours = TransformerXLAttention(12, 3).double()
    # (d_model, heads, head_dim) there, applied from the left; a torch Linear has the
    # outputs first. `o` alone goes from heads to d_model: outputs first already.
    weights = {
        "query": peer.q,
        "key": peer.k,
        "value": peer.v,
        "position": peer.r,
    }
    state = {f"{name}.weight": w.flatten(1).T for name, w in weights.items()}
    state |= {"output.weight": peer.o.flatten(1)}
    state |= {"content_bias": peer.r_w_bias, "position_bias": peer.r_r_bias}
    ours.load_state_dict(state)
    out = peer.layer_norm(hidden + ours(hidden, mems))
    # XLNet makes the sinusoids in float32.
    torch.testing.assert_close(out, theirs, rtol=1e-5, atol=1e-4)


def sinusoids(q_len, k_len):
    """XLNet's encodings of the distances k_len ... 0, of shape (k_len + 1, 1, 12)."""
    config = XLNetConfig(
        d_model=12, n_head=3, d_inner=8, n_layer=1, vocab_size=2, attn_type="uni"
    )
    return XLNetModel(config).relative_positional_encoding(q_len, k_len)


@given(seq_len=LENGTHS)
def test_position_scores_of_both_sides_agree_with_wav2vec2_bert(seq_len, draw):
    # Its encodings run from the distance L - 1 (query after key) down to -(L - 1): the
    # offsets key - query from -(L - 1) up, as in our table. Projected by `linear_pos`;
    # the learned vector v of Transformer-XL is added to the queries.
    config = Wav2Vec2BertConfig(
        hidden_size=12, num_attention_heads=3, position_embeddings_type="relative"
    )
    peer = Wav2Vec2BertSelfAttention(config).double()
    torch.nn.init.normal_(peer.pos_bias_u)
    torch.nn.init.normal_(peer.pos_bias_v)
    q, k, encodings = draw(
        (2, 3, seq_len, 4), (2, 3, seq_len, 4), (1, 2 * seq_len - 1, 12)
    )
    with_u, bias = _apply_relative_position_encoding(peer, q, k, encodings)
    table = peer.linear_pos(encodings)[0].unflatten(-1, (3, 4)).transpose(0, 1)
    ours = music_transformer.position_scores(
        q + peer.pos_bias_v[:, None, :], table, causal=False
    )
    torch.testing.assert_close(ours * peer.scaling, bias)
    torch.testing.assert_close(with_u, q + peer.pos_bias_u[:, None, :])


@settings(max_examples=50)
@given(blocks=st.integers(1, 4), block=st.integers(1, 6))
def test_local_position_scores_agree_with_gemma_3n(blocks, block, draw):
    # Blocks of W queries with the W keys before the block and its own, as ours. Each
    # query there looks back W tokens exactly; the Music Transformer lets it look to the
    # beginning of the block before, so only cells c >= i of row i can agree. Vectors
    # are projected sinusoids of the distances W ... 0, the rows of our table from
    # offset -W to 0. They have all sines first and tensor2tensor's frequencies.
    config = Gemma3nAudioConfig(
        hidden_size=12,
        conf_num_attention_heads=3,
        conf_attention_chunk_size=block,
        conf_attention_context_left=block + 1,  # counts the query itself
        conf_attention_context_right=0,
    )
    peer = Gemma3nAudioRelativePositionEmbedding(config).double()
    q = draw((2, 3, blocks * block, 4))
    theirs = peer(  # (batch, blocks, W, heads, D); keys of zeros leave the position
        q.transpose(1, 2).unflatten(1, (blocks, block)),
        torch.zeros(2, blocks, 2 * block, 3, 4, dtype=torch.float64),
    )
    distances = torch.arange(2 * block - 1, -1, -1, dtype=torch.float64)
    encoding = sinusoidal_encoding(
        distances, 12, layout="half", frequencies="tensor2tensor"
    )
    table = peer.pos_proj(encoding).unflatten(-1, (3, 4)).transpose(0, 1)
    ours = music_transformer.local_position_scores(q, table, block)
    row, column = torch.arange(block)[:, None], torch.arange(2 * block)
    shared = (column >= row) & (column <= row + block)
    torch.testing.assert_close(
        ours * shared,
        theirs * shared,
        rtol=0,
        atol=1e-5,  # float32 sinusoids
    )
