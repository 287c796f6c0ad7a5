"""Learned tables against transformers (BERT, RoBERTa) and x-transformers."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import BertConfig, RobertaConfig
from transformers.models.bert.modeling_bert import BertEmbeddings
from transformers.models.roberta.modeling_roberta import RobertaEmbeddings
from x_transformers.x_transformers import AbsolutePositionalEmbedding

from posenc.nn import LearnedEncoding

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

MAX_LEN, WIDTH = 12, 8
SIZES = {
    "vocab_size": 20,
    "hidden_size": WIDTH,
    "max_position_embeddings": MAX_LEN,
    "num_attention_heads": 2,
    "hidden_dropout_prob": 0.0,
}


def with_table(table):
    """Our module with this table."""
    ours = LearnedEncoding(*table.shape).to(table.dtype)
    ours.load_state_dict({"table": table})
    return ours


def without_norm(peer):
    """Embeddings before the normalization, in double precision."""
    peer.LayerNorm = torch.nn.Identity()
    return peer.double().eval()


@settings(max_examples=20)
@given(seq_len=st.integers(1, MAX_LEN))
def test_bert_adds_the_rows_of_its_table(seq_len, draw):
    # Positions count from 0. BERT adds a vector for the segment, too.
    peer = without_norm(BertEmbeddings(BertConfig(**SIZES)))
    x = draw((2, seq_len, WIDTH))
    theirs = peer(inputs_embeds=x)
    segment = peer.token_type_embeddings.weight[0]
    ours = with_table(peer.position_embeddings.weight.detach())
    torch.testing.assert_close(ours(x) + segment, theirs)


@settings(max_examples=20)
@given(seq_len=st.integers(1, MAX_LEN - 2))
def test_roberta_begins_at_two(seq_len, draw):
    # The first token has the position padding_idx + 1; rows 0 and 1 are for no token.
    config = RobertaConfig(**SIZES, pad_token_id=1)
    peer = without_norm(RobertaEmbeddings(config))
    x = draw((2, seq_len, WIDTH))
    theirs = peer(inputs_embeds=x)
    segment = peer.token_type_embeddings.weight[0]
    ours = with_table(peer.position_embeddings.weight.detach())
    assert peer.padding_idx + 1 == 2
    torch.testing.assert_close(ours(x, offset=2) + segment, theirs)


@settings(max_examples=20)
@given(seq_len=st.integers(1, 5), offset=st.integers(0, 7))
def test_x_transformers_scales_its_table(seq_len, offset, draw):
    # It gives the rows alone, divided by the root of the width.
    peer = AbsolutePositionalEmbedding(WIDTH, MAX_LEN).double()
    x = draw((2, seq_len, WIDTH))
    ours = with_table(peer.emb.weight.detach() / WIDTH**0.5)
    torch.testing.assert_close(ours(x, offset=offset), x + peer(x, offset=offset))
