"""Rules of frequencies, and several axes, against transformers and lucidrains.

All of them work in float32.
"""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from transformers import LlamaConfig, Qwen2VLTextConfig, Qwen3VLTextConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gpt_neox import modeling_gpt_neox
from transformers.models.gpt_neox.configuration_gpt_neox import GPTNeoXConfig
from transformers.models.qwen2_vl import modeling_qwen2_vl
from transformers.models.qwen3_vl import modeling_qwen3_vl
from transformers.models.qwen3_vl.configuration_qwen3_vl import Qwen3VLVisionConfig

from posenc import rope

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

PAIRS = st.integers(1, 32)
BASES = st.sampled_from([100.0, 10_000.0, 500_000.0])
SCALES = st.floats(1.0, 64.0)
LENGTHS = st.integers(64, 8192)
#: Frequencies of theirs are rounded to float32 two or three times.
FREQUENCIES = {"rtol": 1e-5, "atol": 0}
#: Positions up to 100 times the rounding of a frequency.
ANGLES = {"rtol": 0, "atol": 1e-4}


def theirs(kind, head_dim, base, *, seq_len=None, longest=131_072, **parameters):
    """Frequencies and attention factor of transformers."""
    config = LlamaConfig(
        hidden_size=2 * head_dim,
        num_attention_heads=2,
        max_position_embeddings=longest,
        rope_parameters={"rope_type": kind, "rope_theta": base} | parameters,
    )
    theta, factor = ROPE_INIT_FUNCTIONS[kind](config, seq_len=seq_len)
    return theta.double(), factor


def ours(rule, *arguments, **options):
    return rule(*arguments, **options, xp=torch)


@given(
    pairs=PAIRS,
    base=BASES,
    scale=SCALES,
    trained=LENGTHS,
    low=st.floats(0.5, 4.0),
    width=st.floats(1.0, 40.0),
)
def test_llama_3_has_the_ramp_of_yarns_paper(pairs, base, scale, trained, low, width):
    ends = {"low_freq_factor": low, "high_freq_factor": low + width}
    original = {"original_max_position_embeddings": trained}
    expected, factor = theirs(
        "llama3", 2 * pairs, base, factor=scale, **ends, **original
    )
    setting = {"scale": scale, "trained_len": trained, "base": base}
    yarn = {"method": "yarn", "alpha": low, "beta": low + width}
    for theta in (
        ours(rope.llama3_frequencies, 2 * pairs, **setting, **ends),
        ours(rope.scaled_frequencies, 2 * pairs, **setting, **yarn),
    ):  # each turn is rounded to float32, then divided by the width of the ramp
        torch.testing.assert_close(theta, expected, rtol=1e-4, atol=0)
    assert factor == 1


@given(
    pairs=st.integers(2, 64),
    base=BASES,
    scale=SCALES,
    trained=LENGTHS,
    alpha=st.floats(0.5, 4.0),
    width=st.floats(1.0, 60.0),
    truncate=st.booleans(),
)
def test_yarn_in_pairs(pairs, base, scale, trained, alpha, width, truncate):
    ends = {"beta_slow": alpha, "beta_fast": alpha + width, "truncate": truncate}
    original = {"original_max_position_embeddings": trained}
    expected, factor = theirs("yarn", 2 * pairs, base, factor=scale, **ends, **original)
    ramp = {"ramp": "pairs", "alpha": alpha, "beta": alpha + width}
    setting = {"scale": scale, "trained_len": trained, "base": base}
    theta = ours(rope.yarn_frequencies, 2 * pairs, **setting, **ramp, truncate=truncate)
    # Near the slow end of a ramp they add what is left of a fast frequency: 1 - (1 - x)
    # in float32, next to 1 / scale.
    torch.testing.assert_close(theta, expected, rtol=1e-4, atol=0)
    assert factor == pytest.approx(rope.yarn_attention_factor(scale), rel=1e-12)


@given(scale=SCALES, a=st.floats(0.1, 2.0), c=st.floats(0.1, 2.0))
def test_deepseeks_attention_factor(scale, a, c):
    _, factor = theirs(
        "yarn",
        8,
        10_000.0,
        factor=scale,
        mscale=a,
        mscale_all_dim=c,
        original_max_position_embeddings=4096,
    )
    expected = rope.yarn_attention_factor(scale, mscale=a, mscale_all_dim=c)
    assert factor == pytest.approx(expected, rel=1e-12)


@given(
    pairs=st.integers(2, 32),
    base=BASES,
    scale=st.floats(1.0, 16.0),
    trained=st.integers(8, 4096),
    seq_len=st.integers(1, 40_000),
)
def test_dynamic_ntk(pairs, base, scale, trained, seq_len):
    expected, factor = theirs(
        "dynamic", 2 * pairs, base, seq_len=seq_len, longest=trained, factor=scale
    )
    setting = {"scale": scale, "trained_len": trained, "base": base}
    theta = ours(rope.dynamic_ntk_frequencies, 2 * pairs, seq_len, **setting)
    torch.testing.assert_close(theta, expected, **FREQUENCIES)
    assert factor == 1


@given(
    factors=st.lists(
        st.tuples(st.floats(0.5, 64.0), st.floats(0.5, 64.0)), min_size=1, max_size=32
    ),
    base=BASES,
    trained=st.integers(64, 8192),
    scale=st.integers(1, 32),
    longer=st.integers(-60, 60),
)
def test_longrope(factors, base, trained, scale, longer):
    short, long = (list(column) for column in zip(*factors, strict=True))
    expected, factor = theirs(
        *("longrope", 2 * len(factors), base),
        seq_len=trained + longer,
        longest=scale * trained,  # without a factor of its own, as in Phi-3
        short_factor=short,
        long_factor=long,
        original_max_position_embeddings=trained,
    )
    lists = {"short_factors": short, "long_factors": long}
    theta = ours(
        *(rope.longrope_frequencies, 2 * len(factors), trained + longer),
        **lists | {"trained_len": trained, "base": base},
    )
    torch.testing.assert_close(theta, expected, **FREQUENCIES)
    expected_factor = rope.longrope_attention_factor(scale, trained)
    assert factor == pytest.approx(expected_factor, rel=1e-12)


@given(
    pairs=PAIRS,
    base=BASES,
    fraction=st.floats(0.0, 1.0),
    scale=st.floats(1.0, 8.0),
)
def test_proportional(pairs, base, fraction, scale):
    expected, factor = theirs(
        "proportional", 2 * pairs, base, partial_rotary_factor=fraction, factor=scale
    )
    setting = {"fraction": fraction, "scale": scale, "base": base}
    theta = ours(rope.proportional_frequencies, 2 * pairs, **setting)
    torch.testing.assert_close(theta, expected, **FREQUENCIES)
    assert factor == 1


@settings(max_examples=30)
@given(
    pairs=st.integers(4, 32),
    fraction=st.sampled_from([0.25, 0.5, 0.75, 1.0]),
    seq_len=st.integers(1, 30),
)
def test_partial_rotary_embedding_of_gpt_neox(pairs, fraction, seq_len, draw):
    # It turns the first int(head_dim * fraction) features, in halves of their own.
    head_dim = 2 * pairs
    turned = int(head_dim * fraction)
    if turned % 2:
        return  # then theirs has one frequency more than pairs
    config = GPTNeoXConfig(
        hidden_size=2 * head_dim,
        num_attention_heads=2,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10_000.0,
            "partial_rotary_factor": fraction,
        },
    )
    q, k = (x.float() for x in draw(*[(2, 2, seq_len, head_dim)] * 2))
    positions = torch.arange(seq_len)[None]
    cos, sin = modeling_gpt_neox.GPTNeoXRotaryEmbedding(config)(q, positions)
    expected = modeling_gpt_neox.apply_rotary_pos_emb(q, k, cos, sin)
    angles = rope.rotary_angles(positions[0], turned)
    for x, rotated in zip((q, k), expected, strict=True):
        out = rope.apply_partial_rotary(x, angles, layout="half")
        torch.testing.assert_close(out, rotated, **ANGLES)


QWEN = {
    "contiguous": (modeling_qwen2_vl.Qwen2VLRotaryEmbedding, Qwen2VLTextConfig),
    "interleaved": (modeling_qwen3_vl.Qwen3VLTextRotaryEmbedding, Qwen3VLTextConfig),
}


@pytest.mark.parametrize("order", QWEN)
@pytest.mark.parametrize("sections", [(16, 24, 24), (24, 20, 20), (2, 1, 1), (4, 4, 4)])
def test_multimodal_sections_of_qwen(order, sections, draw):
    interleaved = order == "interleaved"
    if interleaved and sections == (16, 24, 24):
        with pytest.raises(ValueError, match="must leave room"):  # theirs drops pairs
            rope.multimodal_angles(
                torch.zeros(3, 1), 128, sections=sections, interleaved=True
            )
        return
    module, configuration = QWEN[order]
    head_dim = 2 * sum(sections)
    config = configuration(
        hidden_size=2 * head_dim,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=head_dim,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10_000.0,
            "mrope_section": list(sections),
        },
    )
    q, k = (x.float() for x in draw(*[(2, 2, 7, head_dim)] * 2))
    generator = torch.Generator().manual_seed(0)
    positions = torch.randint(0, 100, (3, 2, 7), generator=generator)
    cos, sin = module(config)(q, positions)
    expected = modeling_qwen2_vl.apply_rotary_pos_emb(q, k, cos, sin)
    angles = rope.multimodal_angles(
        positions[:, :, None], head_dim, sections=sections, interleaved=interleaved
    )
    for x, rotated in zip((q, k), expected, strict=True):
        out = rope.apply_rotary(x, angles, layout="half")
        torch.testing.assert_close(out, rotated, **ANGLES)


def test_axial_angles_of_qwens_images(draw):
    # Rows, then columns, each with half of the pairs; layout "half".
    config = Qwen3VLVisionConfig(hidden_size=32, num_heads=2)
    generator = torch.Generator().manual_seed(0)
    rows, columns = torch.randint(0, 60, (2, 9), generator=generator)
    embedding = modeling_qwen3_vl.Qwen3VLVisionRotaryEmbedding(config)
    q, k = (x.float() for x in draw(*[(9, 2, 16)] * 2))
    cos, sin = embedding(q, torch.stack([rows, columns], dim=-1))
    q, k = q.transpose(0, 1)[None], k.transpose(0, 1)[None]
    expected = modeling_qwen2_vl.apply_rotary_pos_emb(q, k, cos[None], sin[None])
    angles = rope.axial_angles(rows, columns, 16)
    for x, rotated in zip((q, k), expected, strict=True):
        out = rope.apply_rotary(x, angles, layout="half")
        torch.testing.assert_close(out, rotated, **ANGLES)


@settings(max_examples=30)
@given(
    frames=st.integers(1, 4),
    height=st.integers(1, 5),
    width=st.integers(1, 5),
    pairs=st.integers(2, 6),
)
def test_three_axes_of_rotary_embedding_torch(frames, height, width, pairs):
    peer = RotaryEmbedding(2 * pairs, freqs_for="lang")
    expected = peer.get_axial_freqs(frames, height, width).flatten(0, 2)
    n = torch.arange(frames * height * width)
    angles = rope.axial_angles_3d(
        n // (height * width), n // width % height, n % width, 6 * pairs
    )
    x = torch.ones(len(n), 6 * pairs)
    torch.testing.assert_close(
        rope.apply_rotary(x, angles), apply_rotary_emb(expected, x), **ANGLES
    )
