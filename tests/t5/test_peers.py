"""T5's buckets and bias against transformers (T5) and x-transformers.

Both count key - query as we do, and give keys after the query the upper half of the
buckets. They compute the logarithm in float32; ours compares whole numbers.
"""

import math

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from transformers import T5Config
from transformers.models.t5.modeling_t5 import (
    T5Attention,
    T5ForConditionalGeneration,
)
from x_transformers.x_transformers import RelativePositionBias

from posenc.t5 import relative_position_bias, relative_position_bucket
from posenc.t5.nn import RelativePositionBias as OurBias

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

LENGTHS = st.integers(1, 40)


@st.composite
def settings(draw):
    bidirectional = draw(st.booleans())
    sides = 2 if bidirectional else 1
    per_side = draw(st.integers(2, 64 // sides))
    return {
        "bidirectional": bidirectional,
        "num_buckets": sides * per_side,
        "max_distance": draw(st.integers(per_side // 2 + 1, 1000)),
    }


def peer_buckets(relative_position, bidirectional, num_buckets, max_distance):
    """Buckets of both peers, which must agree."""
    numbers = (num_buckets, max_distance)
    theirs = T5Attention._relative_position_bucket(
        relative_position, bidirectional, *numbers
    )
    # x-transformers asks the opposite question: causal?
    others = RelativePositionBias._relative_position_bucket(
        relative_position, not bidirectional, *numbers
    )
    torch.testing.assert_close(others, theirs, rtol=0, atol=0)
    return theirs


@pytest.mark.parametrize(
    ("bidirectional", "num_buckets", "max_distance"),
    [(True, 32, 128), (False, 32, 128), (True, 320, 800)],
    ids=["T5 encoder", "T5 decoder", "WavLM"],
)
def test_buckets_of_published_models_agree_at_every_distance(
    bidirectional, num_buckets, max_distance
):
    r = torch.arange(-3000, 3001)
    setting = {
        "bidirectional": bidirectional,
        "num_buckets": num_buckets,
        "max_distance": max_distance,
    }
    ours = relative_position_bucket(r, **setting)
    torch.testing.assert_close(ours, peer_buckets(r, **setting), rtol=0, atol=0)


@given(setting=settings())
@example(setting={"bidirectional": False, "num_buckets": 58, "max_distance": 282})
def test_buckets_agree_but_where_float32_cannot_tell_the_edge(setting):
    reach = setting["max_distance"] + 5
    r = torch.arange(-reach, reach + 1)
    ours, theirs = relative_position_bucket(r, **setting), peer_buckets(r, **setting)
    side = setting["num_buckets"] // (2 if setting["bidirectional"] else 1)
    exact = side // 2
    for i in torch.nonzero(ours != theirs).flatten().tolist():
        assert abs(int(ours[i]) - int(theirs[i])) == 1
        ratio = math.log(abs(int(r[i])) / exact)
        ratio /= math.log(setting["max_distance"] / exact)
        # On or next to the edge of a bucket, to the 24 bits of float32.
        buckets = (side - exact) * ratio
        assert abs(buckets - round(buckets)) < 2e-6 * side


def test_the_peer_lets_impossible_settings_pass():
    # The chapter's sentences on settings that posenc refuses.
    theirs = T5Attention._relative_position_bucket
    r = torch.arange(-40, 41)
    assert (theirs(r, True, 32, 8) < 0).any()
    for impossible in ((True, 2, 128), (False, 1, 128)):
        with pytest.raises(ZeroDivisionError):
            theirs(r, *impossible)
    odd = set(theirs(torch.arange(-3000, 3001), True, 33, 128).tolist())
    assert set(range(33)) - odd == {16, 32}  # possible, with a second row unread


@given(
    setting=st.sampled_from([(True, 32, 128), (False, 32, 128), (True, 16, 40)]),
    q_len=LENGTHS,
    k_len=LENGTHS,
    past=st.integers(0, 300),
)
def test_bias_agrees_with_transformers(setting, q_len, k_len, past):
    bidirectional, num_buckets, max_distance = setting
    config = T5Config(
        d_model=8,
        d_kv=4,
        num_heads=3,
        relative_attention_num_buckets=num_buckets,
        relative_attention_max_distance=max_distance,
        is_decoder=not bidirectional,  # that, and nothing else, decides the direction
    )
    peer = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    table = peer.relative_attention_bias.weight  # (num_buckets, num_heads): as ours
    # Keys stand at 0 ... and queries at `past_seen_tokens` ...: our q_offset.
    theirs = peer.compute_bias(q_len, k_len, past_seen_tokens=past)[0]
    options = {"bidirectional": bidirectional, "max_distance": max_distance}
    ours = relative_position_bias(table, q_len, k_len, q_offset=past, **options)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=0)
    of_numpy = relative_position_bias(
        table.detach().numpy(), q_len, k_len, q_offset=past, **options
    )
    np.testing.assert_array_equal(of_numpy, theirs.detach().numpy())


@given(
    causal=st.booleans(),
    q_len=LENGTHS,
    more_keys=st.integers(0, 40),
    head_dim=st.integers(1, 64),
)
def test_bias_agrees_with_x_transformers(causal, q_len, more_keys, head_dim):
    # Its queries are the last ones of the keys (q_offset = k_len - q_len), and it
    # multiplies the table by sqrt(head_dim), which T5 does not: a table of T5 would
    # have to be divided by that (and by it again, as its scores are).
    peer = RelativePositionBias(head_dim**0.5, causal=causal, heads=5)
    k_len = q_len + more_keys
    ours = OurBias(5, bidirectional=not causal)
    ours.load_state_dict({"table": peer.relative_attention_bias.weight})
    torch.testing.assert_close(
        ours(q_len, k_len, q_offset=more_keys) * head_dim**0.5, peer(q_len, k_len)
    )


def test_transformers_agrees_with_the_page_on_t5():
    assert not T5ForConditionalGeneration._supports_flash_attn
    assert T5ForConditionalGeneration._supports_flex_attn
    left_over = T5ForConditionalGeneration._keys_to_ignore_on_load_unexpected
    name = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"
    assert left_over == [name]
