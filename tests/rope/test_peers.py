"""Rotary embedding against transformers, rotary-embedding-torch and x-transformers.

All turn counter-clockwise at position * base ** (-2i / D), as we do. They form the
angles in float32, which is off by about 6e-8 * position radians.
"""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import (
    LlamaRotaryEmbedding,
    apply_rotary_pos_emb,
)
from transformers.models.roformer.modeling_roformer import (
    RoFormerSelfAttention,
    RoFormerSinusoidalPositionalEmbedding,
)
from x_transformers import x_transformers

from posenc import rope
from posenc.rope.nn import RotaryEmbedding as OurRotaryEmbedding

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

LENGTHS = st.integers(1, 40)
OFFSETS = st.integers(0, 60)
PAIRS = st.integers(1, 16)
BASES = st.sampled_from([100.0, 10_000.0, 500_000.0])
SCALES = st.floats(1.0, 32.0)
#: Positions up to 100, times the rounding of frequency and product, times features
#: (with xPos also factors) of up to 4.
FLOAT32_ANGLES = {"rtol": 0, "atol": 1e-4}
FLOAT32_XPOS = {"rtol": 0, "atol": 3e-4}


def llama(head_dim, base, max_len=64, **parameters):
    return LlamaConfig(
        hidden_size=2 * head_dim,
        num_attention_heads=2,
        max_position_embeddings=max_len,
        rope_parameters={"rope_type": "default", "rope_theta": base} | parameters,
    )


@given(seq_len=LENGTHS, pairs=PAIRS, base=BASES, offsets=st.tuples(OFFSETS, OFFSETS))
def test_llama_pairs_the_halves(seq_len, pairs, base, offsets, draw):
    # Feature i turns with feature i + D/2: layout "half". Each sequence has positions
    # of its own here.
    q, k = (x.float() for x in draw(*[(2, 3, seq_len, 2 * pairs)] * 2))
    positions = torch.arange(seq_len) + torch.tensor(offsets)[:, None]
    cos, sin = LlamaRotaryEmbedding(llama(2 * pairs, base))(q, positions)
    theirs = apply_rotary_pos_emb(q, k, cos, sin)
    ours = OurRotaryEmbedding(2 * pairs, base=base, layout="half")
    for x, expected in zip((q, k), theirs, strict=True):
        rotated = ours(x, positions=positions)
        torch.testing.assert_close(rotated, expected, **FLOAT32_ANGLES)


@given(seq_len=LENGTHS, pairs=PAIRS, offset=OFFSETS)
def test_roformer_pairs_neighbors(seq_len, pairs, offset, draw):
    # Layout "interleaved". It packs sines and cosines as a sinusoidal table, all sines
    # first, from float64 angles.
    q, k = (x.float() for x in draw(*[(2, 3, seq_len, 2 * pairs)] * 2))
    packed = RoFormerSinusoidalPositionalEmbedding(offset + seq_len, 2 * pairs)
    packed.weight.data = packed.create_weight()
    table = packed((2, seq_len), past_key_values_length=offset)[None, None]
    theirs = RoFormerSelfAttention.apply_rotary_position_embeddings(table, q, k)
    angles = rope.rotary_angles(torch.arange(offset, offset + seq_len), 2 * pairs)
    for x, expected in zip((q, k), theirs, strict=True):
        rotated = rope.apply_rotary(x, angles)
        torch.testing.assert_close(rotated, expected, rtol=1e-5, atol=1e-5)
        of_numpy = rope.apply_rotary(x.numpy(), angles.numpy())
        np.testing.assert_allclose(of_numpy, expected.numpy(), rtol=1e-5, atol=1e-5)


@given(
    seq_len=LENGTHS,
    pairs=st.integers(2, 16),
    offset=OFFSETS,
    base=BASES,
    scale=SCALES,
)
def test_rotary_embedding_torch_pairs_neighbors(
    seq_len, pairs, offset, base, scale, draw
):
    # Layout "interleaved", consecutive positions. Its two ways to stretch the context
    # are position interpolation and the "NTK-aware" base.
    x = draw((2, 3, seq_len, 2 * pairs)).float()
    positions = torch.arange(offset, offset + seq_len)
    common = {"base": base, "scale": scale}
    for peer, angles in (
        (
            RotaryEmbedding(2 * pairs, theta=base),
            rope.rotary_angles(positions, 2 * pairs, base=base),
        ),
        (
            RotaryEmbedding(2 * pairs, theta=base, interpolate_factor=scale),
            rope.scaled_angles(positions, 2 * pairs, method="interpolation", **common),
        ),
        (
            RotaryEmbedding(2 * pairs, theta=base, theta_rescale_factor=scale),
            rope.scaled_angles(positions, 2 * pairs, method="ntk", **common),
        ),
    ):
        theirs = peer.rotate_queries_or_keys(x, offset=offset)
        ours = rope.apply_rotary(x, angles)
        torch.testing.assert_close(ours, theirs, **FLOAT32_ANGLES)


@given(
    seq_len=LENGTHS,
    pairs=st.integers(2, 16),
    untouched=st.integers(0, 5),
    base=BASES,
    scale=SCALES,
)
def test_x_transformers_pairs_neighbors_of_the_first_features(
    seq_len, pairs, untouched, base, scale, draw
):
    # Layout "interleaved". It may turn the first features of a head only ("partial"
    # rotary embedding, GPT-J's): ours is then applied to these.
    x = draw((2, 3, seq_len, 2 * pairs + untouched)).float()
    positions = torch.arange(seq_len)
    common = {"base": base, "scale": scale}
    for method, option in (
        ("interpolation", {"interpolation_factor": scale}),
        ("ntk", {"base_rescale_factor": scale}),
    ):
        peer = x_transformers.RotaryEmbedding(2 * pairs, base=base, **option)
        theirs = x_transformers.apply_rotary_pos_emb(x, peer(positions)[0])
        angles = rope.scaled_angles(positions, 2 * pairs, method=method, **common)
        turned = rope.apply_rotary(x[..., : 2 * pairs], angles)
        ours = torch.cat([turned, x[..., 2 * pairs :]], dim=-1)
        torch.testing.assert_close(ours, theirs, **FLOAT32_ANGLES)


def centered_scale(positions, head_dim, seq_len, scale_base):
    return rope.xpos_scale(
        positions - seq_len // 2, head_dim, scale_base=scale_base
    ).float()


@given(seq_len=LENGTHS, pairs=st.integers(2, 16), scale_base=st.floats(20.0, 1000.0))
def test_xpos_agrees(seq_len, pairs, scale_base, draw):
    # Both count from the middle of the sequence, floor(L / 2), so that no factor gets
    # very small; it cancels in the scores. Queries are multiplied, keys divided.
    head_dim = 2 * pairs
    q, k = (x.float() for x in draw(*[(2, 3, seq_len, head_dim)] * 2))
    positions = torch.arange(seq_len, dtype=torch.float64)
    angles = rope.rotary_angles(positions, head_dim).float()
    scale = centered_scale(positions, head_dim, seq_len, scale_base)
    ours = (
        rope.apply_rotary(q, angles, pair_scale=scale),
        rope.apply_rotary(k, angles, pair_scale=1 / scale),
    )
    peer = RotaryEmbedding(head_dim, use_xpos=True, xpos_scale_base=scale_base)
    theirs = peer.rotate_queries_and_keys(q, k)
    torch.testing.assert_close(ours, theirs, **FLOAT32_XPOS)

    peer = x_transformers.RotaryEmbedding(
        head_dim, use_xpos=True, scale_base=scale_base
    )
    angles, scale = peer(positions.float())
    theirs = (
        x_transformers.apply_rotary_pos_emb(q, angles, scale),
        x_transformers.apply_rotary_pos_emb(k, angles, scale**-1),
    )
    torch.testing.assert_close(ours, theirs, **FLOAT32_XPOS)
