"""Rotary embedding against transformers, rotary-embedding-torch and x-transformers.

All turn counter-clockwise at position * base ** (-2i / D), as we do. They form the
angles in float32, which is off by about 6e-8 * position radians.
"""

import math

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import (
    LlamaModel,
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
FLOAT32_FREQUENCIES = {"rtol": 2e-6}


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


@pytest.mark.parametrize(("use_cache", "with_mask"), list(np.ndindex(2, 2)))
def test_llama_separates_packed_documents_only_without_mask_and_cache(
    use_cache, with_mask
):
    torch.manual_seed(0)
    config = llama(8, 10_000.0)
    config.update({"vocab_size": 17, "intermediate_size": 32, "num_hidden_layers": 1})
    model = LlamaModel(config).eval()
    tokens = torch.tensor([[3, 4, 5, 6, 7, 8]])
    with torch.no_grad():
        packed = model(
            tokens,
            position_ids=torch.tensor([[0, 1, 2, 0, 1, 2]]),
            attention_mask=torch.ones_like(tokens) if with_mask else None,
            use_cache=bool(use_cache),
        ).last_hidden_state
        alone = model(tokens[:, 3:]).last_hidden_state
    separated = torch.allclose(packed[:, 3:], alone, atol=1e-5)
    assert separated == (not use_cache and not with_mask)


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


@settings(max_examples=50)
@given(q_len=LENGTHS, past=st.integers(2, 40), pairs=st.integers(2, 8))
def test_cached_xpos_of_rotary_embedding_torch_loses_the_distance(
    q_len, past, pairs, draw
):
    # With cached keys it counts the queries from the middle of the *queries* and the
    # keys from the middle of the keys: all scores of the step shrink or grow by a
    # factor per pair that the paper does not have (its factor is zeta^(n - m), whatever
    # is cached) and that its own uncached form does not have either.
    head_dim, k_len, base = 2 * pairs, past + q_len, 100.0
    k, q = (x.float() for x in draw(*[(1, 1, k_len, head_dim)] * 2))
    last = q[..., past:, :]
    peer = RotaryEmbedding(head_dim, use_xpos=True, xpos_scale_base=base)
    theirs = peer.rotate_queries_with_cached_keys(last, k)
    positions = torch.arange(k_len, dtype=torch.float64)
    angles = rope.rotary_angles(positions, head_dim).float()

    def turned(x, center, sign):
        rows = slice(k_len - x.shape[-2], None)
        scale = rope.xpos_scale(
            sign * (positions[rows] - center), head_dim, scale_base=base
        )
        return rope.apply_rotary(x, angles[rows], pair_scale=scale.float())

    q_center, k_center = q_len // 2, k_len // 2
    expected = turned(last, q_center, 1), turned(k, k_center, -1)
    torch.testing.assert_close(theirs, expected, **FLOAT32_XPOS)
    # With one center for both, whichever, ours gives the last rows of the full scores.
    full = RotaryEmbedding(head_dim, use_xpos=True, xpos_scale_base=base)
    full_q, full_k = full.rotate_queries_and_keys(q, k)
    scores = (full_q @ full_k.mT)[..., past:, :]
    ours = turned(last, q_center, 1) @ turned(k, q_center, -1).mT
    torch.testing.assert_close(ours, scores, rtol=1e-4, atol=1e-3)
    assert not torch.allclose(theirs[0] @ theirs[1].mT, scores, rtol=1e-4, atol=1e-3)


@settings(max_examples=50)
@given(height=st.integers(1, 8), width=st.integers(1, 8), pairs=st.integers(2, 6))
def test_axial_angles_agree_with_rotary_embedding_torch(height, width, pairs):
    # Rows turn the first half of the pairs, columns the second, each with the
    # frequencies of half the features. Each angle stands there twice, for the two
    # features of its pair.
    peer = RotaryEmbedding(2 * pairs, freqs_for="lang")
    theirs = peer.get_axial_freqs(height, width).flatten(0, 1)
    n = torch.arange(height * width)
    ours = rope.axial_angles(n // width, n % width, 4 * pairs)
    x = torch.ones(height * width, 4 * pairs)
    torch.testing.assert_close(
        rope.apply_rotary(x, ours), apply_rotary_emb(theirs, x), **FLOAT32_ANGLES
    )


def peer_frequencies(kind, head_dim, base, max_len=64, seq_len=None, **parameters):
    config = llama(head_dim, base, max_len, rope_type=kind, **parameters)
    return ROPE_INIT_FUNCTIONS[kind](config, seq_len=seq_len)


@given(pairs=PAIRS, base=BASES, scale=SCALES)
def test_linear_scaling_of_transformers_is_interpolation(pairs, base, scale):
    theirs, factor = peer_frequencies("linear", 2 * pairs, base, factor=scale)
    ours = rope.scaled_frequencies(
        2 * pairs, method="interpolation", scale=scale, base=base
    )
    np.testing.assert_allclose(ours, theirs, **FLOAT32_FREQUENCIES)
    assert factor == 1


@given(
    pairs=st.integers(2, 16),
    base=BASES,
    factor=SCALES,
    trained=st.integers(8, 4096),
    seq_len=st.integers(1, 40_000),
)
def test_dynamic_scaling_of_transformers_is_ntk_with_a_moving_scale(
    pairs, base, factor, trained, seq_len
):
    # The scale s of the "NTK-aware" base follows the current length n: within the
    # trained length it is 1, beyond it `factor * n / trained - (factor - 1)`. (Not
    # n / trained, the scale of the YaRN paper's "dynamic" variant, unless factor is 1;
    # it goes on to grow `factor` times faster.)
    theirs, _ = peer_frequencies(
        "dynamic", 2 * pairs, base, trained, seq_len, factor=factor
    )
    longer = max(seq_len, trained) / trained
    scale = max(factor * longer - (factor - 1), 1.0)
    ours = rope.scaled_frequencies(2 * pairs, method="ntk", scale=scale, base=base)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@given(
    pairs=PAIRS,
    base=BASES,
    scale=SCALES,
    trained=st.integers(64, 8192),
    alpha=st.floats(0.5, 2.0),
    width=st.floats(1.0, 40.0),
)
def test_llama_3_scaling_of_transformers_is_the_ramp_of_yarns_paper(
    pairs, base, scale, trained, alpha, width
):
    # `low_freq_factor` is alpha, `high_freq_factor` beta: linear in the number of turns
    # within the trained length, L * theta / 2 pi, as YaRN's paper writes it and as our
    # "yarn" has it. Llama 3 does not scale the attention.
    theirs, factor = peer_frequencies(
        "llama3",
        2 * pairs,
        base,
        trained,
        factor=scale,
        low_freq_factor=alpha,
        high_freq_factor=alpha + width,
        original_max_position_embeddings=trained,
    )
    ours = rope.scaled_frequencies(
        2 * pairs,
        method="yarn",
        scale=scale,
        base=base,
        trained_len=trained,
        alpha=alpha,
        beta=alpha + width,
    )
    # Each turn is rounded to float32, then divided by the width of the ramp.
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)
    assert factor == 1


@given(
    pairs=st.integers(8, 64),
    base=st.sampled_from([10_000.0, 500_000.0]),
    scale=st.floats(2.0, 32.0),
    trained=st.integers(256, 8192),
    truncate=st.booleans(),
)
def test_yarn_of_transformers_agrees_at_the_ends_of_another_ramp(
    pairs, base, scale, trained, truncate
):
    # transformers follows the authors' code: linear in the *number* of the pair between
    # those that make 32 turns and 1 turn, these rounded outwards if `truncate` (the
    # default). The paper (and ours) is linear in the turns. Both keep the pairs above
    # 32 turns and interpolate those below 1, which rounding cannot change.
    theirs, factor = peer_frequencies(
        "yarn",
        2 * pairs,
        base,
        trained,
        factor=scale,
        truncate=truncate,
        original_max_position_embeddings=trained,
    )
    theirs = theirs.numpy()
    options = {"method": "yarn", "scale": scale, "base": base, "trained_len": trained}
    ours = rope.scaled_frequencies(2 * pairs, **options)
    number = np.arange(pairs)
    first, last = (  # where the ramp begins and ends, as numbers of pairs
        pairs * math.log(trained / (t * 2 * math.pi)) / math.log(base) for t in (32, 1)
    )
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    assume(first >= 0)  # else theirs begins the ramp at pair 0, and ours before it
    ends = (number <= first) | (number >= last)
    np.testing.assert_allclose(ours[ends], theirs[ends], **FLOAT32_FREQUENCIES)
    # The turns fall geometrically with the number: a convex curve, so ours lies below
    # the straight line between the same two ends, closer to interpolation.
    if not truncate:
        assert (ours <= theirs * (1 + 2e-6)).all()
        inside = ~ends & (np.abs(number - first) > 0.1) & (np.abs(number - last) > 0.1)
        assert (ours < theirs)[inside].all()
    # Same factor; theirs goes on the cosines and sines of queries and keys alike.
    assert factor == pytest.approx(rope.yarn_attention_factor(scale), rel=1e-12)


@settings(max_examples=20)
@given(pairs=PAIRS, scale=st.floats(1.0, 64.0), seq_len=LENGTHS)
def test_yarns_attention_factor_multiplies_queries_and_keys(
    pairs, scale, seq_len, draw
):
    # The scores get its square. Position 0 is not turned at all.
    config = llama(
        2 * pairs,
        10_000.0,
        4096,
        rope_type="yarn",
        factor=scale,
        original_max_position_embeddings=4096,
    )
    q, k = (x.float() for x in draw(*[(1, 1, seq_len, 2 * pairs)] * 2))
    still = torch.zeros(1, seq_len, dtype=torch.int64)
    cos, sin = LlamaRotaryEmbedding(config)(q, still)
    q_turned, k_turned = apply_rotary_pos_emb(q, k, cos, sin)
    factor = rope.yarn_attention_factor(scale)
    torch.testing.assert_close(q_turned, factor * q)
    torch.testing.assert_close(k_turned, factor * k)
