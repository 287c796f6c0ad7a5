"""Conventions of other people's packages, named by `posenc.conventions.identify`."""

import pytest
import torch
from rotary_embedding_torch import RotaryEmbedding
from transformers import GPTNeoXConfig, LlamaConfig
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXRotaryEmbedding
from transformers.models.gpt_neox.modeling_gpt_neox import (
    apply_rotary_pos_emb as apply_neox,
)
from transformers.models.llama.modeling_llama import (
    LlamaRotaryEmbedding,
    apply_rotary_pos_emb,
)
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from x_transformers import x_transformers

from posenc.conventions import identify

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

HALF = {"layout": "half: features i and i + 8 are a pair"}


def named(name, function, status, told):
    """Identify, and compare the words of some traits, and which ones are not ours."""
    found = identify(name, function, seed=1, time_limit=60)
    assert found.status == status, found
    for trait, words in told.items():
        assert found[trait].startswith(words), found
    assert {f.trait for f in found.findings if not f.is_ours} == set(told), found


def llama(**parameters):
    default = {"rope_type": "default", "rope_theta": 10_000.0}
    config = LlamaConfig(
        hidden_size=32,
        num_attention_heads=2,
        max_position_embeddings=4096,
        rope_parameters=default | parameters,
    )
    embedding = LlamaRotaryEmbedding(config)

    def rotary(x, positions):
        x = x.float()
        cos, sin = embedding(x[None], positions[None])
        return apply_rotary_pos_emb(x[None, None], x[None, None], cos, sin)[0][0, 0]

    return rotary


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({}, {}),
        ({"rope_theta": 500_000.0}, {"base": "500,000"}),
        (
            {"rope_type": "linear", "factor": 4.0},
            {"scaling": "position interpolation: all frequencies are divided by 4"},
        ),
        (
            {
                "rope_type": "llama3",
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 256,
            },
            {"scaling": "by bands, as in YaRN and Llama 3: 3 fast pairs are kept"},
        ),
        (
            {
                "rope_type": "yarn",
                "factor": 64.0,
                "original_max_position_embeddings": 64,
            },
            {
                "scaling": "by bands, as in YaRN and Llama 3: ",
                "factor": "all turned features are multiplied by 1.41589, YaRN's",
            },
        ),
    ],
    ids=["default", "base", "linear", "llama3", "yarn"],
)
def test_llama(parameters, told):
    named("rope.apply_rotary", llama(**parameters), "other", HALF | told)


def test_gpt_neox_turns_the_first_quarter_of_the_features():
    config = GPTNeoXConfig(
        hidden_size=128,
        num_attention_heads=2,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10_000.0,
            "partial_rotary_factor": 0.25,
        },
    )
    embedding = GPTNeoXRotaryEmbedding(config)

    def rotary(x, positions):
        if x.shape[-1] != 64:  # its head_dim
            raise ValueError
        x = x.float()
        cos, sin = embedding(x[None], positions[None])
        return apply_neox(x[None, None], x[None, None], cos, sin)[0][0, 0]

    told = {"turned": "16 of 64 features, from feature 0 on"}
    named("rope.apply_rotary", rotary, "other", HALF | told)


def test_rotary_embedding_torch():
    def turn(x, **options):
        return RotaryEmbedding(16, **options).rotate_queries_or_keys(x)

    def partial(x):
        return RotaryEmbedding(8).rotate_queries_or_keys(x)

    named("rope.apply_rotary", turn, "same", {})
    named(
        "rope.apply_rotary",
        partial,
        "other",
        {"turned": "8 of 16 features, from feature 0 on"},
    )
    named(
        "rope.apply_rotary",
        lambda x: turn(x, theta_rescale_factor=4.0),
        "other",
        {"scaling": '"NTK-aware", by 4: the base is'},
    )
    named(
        "rope.apply_rotary",
        lambda x: turn(x, interpolate_factor=2.0),
        "other",
        {"scaling": "position interpolation: all frequencies are divided by 2"},
    )


@pytest.mark.parametrize("index", [0, 1], ids=["queries", "keys"])
def test_xpos_of_rotary_embedding_torch(index):
    def turn(x):
        return RotaryEmbedding(16, use_xpos=True).rotate_queries_and_keys(x, x)[index]

    who = ("queries", "keys")[index]
    words = (
        f"lengths change with the position, as xPos has it for {who}: gamma 0.4, scale "
        "base 512, factor 1 at position 10"
    )
    named("rope.apply_rotary", turn, "other", {"factor": words})


def test_bias_of_x_transformers_is_aligned_at_the_end_and_scaled():
    def bias(table, q_len, k_len, bidirectional):
        peer = x_transformers.RelativePositionBias(
            8.0, causal=not bidirectional, heads=2
        ).double()
        peer.relative_attention_bias.weight.data = table
        return peer(q_len, k_len)

    told = {"alignment": "the last query stands", "factor": "all multiplied by 8"}
    named("t5.relative_position_bias", bias, "other", told)


def test_alibi_of_bloom_and_mpt_is_one_row():
    def bloom(num_heads, q_len, k_len):
        return build_alibi_tensor(torch.ones(1, k_len), num_heads, torch.float32)

    def mpt(num_heads, q_len, k_len):
        return build_mpt_alibi_tensor(num_heads, k_len)

    row = {"axes": "heads, 1, keys"}
    first = {"grows with": "the key's position, from 0 at the first key"}
    last = {"grows with": "the key's position, with 0 at the last key"}
    named("alibi.alibi_bias", bloom, "other", row | first)
    named("alibi.alibi_bias", mpt, "other", row | last)


def test_alibi_of_x_transformers_is_symmetric_and_aligned_at_the_end():
    def bias(num_heads, q_len, k_len):
        return x_transformers.AlibiPositionalBias(num_heads)(q_len, k_len)

    told = {
        "keys after the query": "are penalized by their distance",
        "alignment": "the last query stands beside the last key",
    }
    named("alibi.alibi_bias", bias, "other", told)


def test_attention_of_torch():
    attend = torch.nn.functional.scaled_dot_product_attention

    def masked(q, k, v, mask):
        return attend(q, k, v, attn_mask=mask)

    def causal(q, k, v, mask):
        return attend(q, k, v, is_causal=True)

    named("attention.attention_with_mask", masked, "same", {})
    words = "ignored; it is causal, query i beside key i (top left)"
    named("attention.attention_with_mask", causal, "other", {"mask": words})
