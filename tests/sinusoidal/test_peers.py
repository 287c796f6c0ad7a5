"""Sinusoidal tables against transformers (XLM, Marian, M2M100, Whisper, MusicGen, …).

Each peer has one of the two layouts and one of the two frequency rules fixed.
"""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.models.m2m_100.configuration_m2m_100 import M2M100Config
from transformers.models.m2m_100.modeling_m2m_100 import (
    M2M100SinusoidalPositionalEmbedding,
)
from transformers.models.marian.modeling_marian import (
    MarianSinusoidalPositionalEmbedding,
)
from transformers.models.musicgen.modeling_musicgen import (
    MusicgenSinusoidalPositionalEmbedding,
)
from transformers.models.pegasus.modeling_pegasus import (
    PegasusSinusoidalPositionalEmbedding,
)
from transformers.models.whisper.modeling_whisper import sinusoids
from transformers.models.xlm.modeling_xlm import create_sinusoidal_embeddings
from x_transformers.x_transformers import ScaledSinusoidalEmbedding

from posenc.sinusoidal import sinusoidal_encoding, sinusoidal_table
from posenc.sinusoidal.nn import SinusoidalEncoding

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

LENGTHS = st.integers(1, 100)
PAIRS = st.integers(1, 16)
#: Peers that form the angles in float32: at position 100 they are off by 1e-5.
FLOAT32_ANGLES = {"rtol": 0, "atol": 4e-5}


def ours(seq_len, d_model, offset=0, **options):
    """Our table; both ways to compute it must match the peer."""
    table = sinusoidal_table(seq_len, d_model, offset=offset, **options)
    positions = np.arange(offset, offset + seq_len, dtype=np.float64)
    encoding = sinusoidal_encoding(positions, d_model, **options)
    np.testing.assert_allclose(table, encoding, atol=1e-12)
    return table


@settings(max_examples=50)
@given(seq_len=LENGTHS, pairs=PAIRS)
def test_xlm_is_interleaved_with_the_frequencies_of_the_paper(seq_len, pairs):
    # Angles in float64, by NumPy: only the result is rounded to float32.
    theirs = torch.empty(seq_len, 2 * pairs)
    create_sinusoidal_embeddings(seq_len, 2 * pairs, theirs)
    np.testing.assert_allclose(ours(seq_len, 2 * pairs), theirs.numpy(), atol=1e-7)


@settings(max_examples=50)
@given(seq_len=LENGTHS, pairs=PAIRS, offset=st.integers(0, 20))
def test_marian_has_all_sines_first(seq_len, pairs, offset):
    # Its comment says "identical to XLM but not interleaved": layout "half".
    peer = MarianSinusoidalPositionalEmbedding(seq_len + offset, 2 * pairs)
    peer.weight.data = peer.create_weight()
    theirs = peer((1, seq_len), past_key_values_length=offset)  # our offset
    half = ours(seq_len, 2 * pairs, offset, layout="half")
    np.testing.assert_allclose(half, theirs.numpy(), atol=1e-7)
    pegasus = PegasusSinusoidalPositionalEmbedding(seq_len + offset, 2 * pairs)
    assert torch.equal(pegasus.create_weight(), peer.weight)


@pytest.mark.parametrize(
    "port", [MarianSinusoidalPositionalEmbedding, PegasusSinusoidalPositionalEmbedding]
)
def test_the_own_code_of_marian_and_pegasus_has_the_other_rule(port):
    # marian-dev, src/graph/node_initializers.cpp, and pegasus, layers/timing.py: sines,
    # then cosines, of m exp(-i log(10000) / (N - 1)) for N pairs.
    seq_len, pairs = 50, 32
    theta = np.exp(-np.arange(pairs) * np.log(10_000.0) / (pairs - 1))
    angles = np.arange(seq_len)[:, None] * theta
    own = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    options = {"layout": "half", "frequencies": "tensor2tensor"}
    np.testing.assert_allclose(ours(seq_len, 2 * pairs, **options), own, atol=1e-12)
    theirs = port(seq_len, 2 * pairs).create_weight().numpy()
    assert np.abs(theirs - own).max() > 0.5


@given(seq_len=LENGTHS, pairs=st.integers(2, 16))
def test_whisper_has_the_frequencies_of_tensor2tensor(seq_len, pairs):
    theirs = sinusoids(seq_len, 2 * pairs)
    options = {"layout": "half", "frequencies": "tensor2tensor"}
    table = ours(seq_len, 2 * pairs, **options)
    np.testing.assert_allclose(table, theirs.numpy(), **FLOAT32_ANGLES)


@given(seq_len=LENGTHS, pairs=PAIRS, offset=st.integers(0, 20))
def test_x_transformers_has_all_sines_first_and_scales(seq_len, pairs, offset, draw):
    # Times a learned factor that begins at 1/sqrt(d_model): taken out here.
    peer = ScaledSinusoidalEmbedding(2 * pairs)
    x = draw((1, seq_len, 2 * pairs)).float()
    theirs = peer(x, offset=offset) * (2 * pairs) ** 0.5
    half = ours(seq_len, 2 * pairs, offset, layout="half")
    np.testing.assert_allclose(half, theirs.detach().numpy(), **FLOAT32_ANGLES)
    added = SinusoidalEncoding(2 * pairs, layout="half")(x, offset=offset)
    torch.testing.assert_close(added, x + theirs, **FLOAT32_ANGLES)


@given(seq_len=LENGTHS, pairs=st.integers(2, 16), padding=st.integers(0, 3))
def test_m2m100_has_the_frequencies_of_tensor2tensor(seq_len, pairs, padding):
    # As in fairseq (and Speech2Text, NLLB, XGLM): layout "half"; the slowest frequency
    # is 1/10000; the row of the padding token is zero and that of the first token is
    # number padding + 1. A single pair is impossible there: it divides by zero, where
    # tensor2tensor and we divide by one.
    peer = M2M100SinusoidalPositionalEmbedding(2, 2 * pairs, padding_idx=padding)
    tokens = torch.full((1, seq_len), padding + 1)
    theirs = peer(tokens)[0].numpy()
    options = {"layout": "half", "frequencies": "tensor2tensor"}
    table = ours(seq_len, 2 * pairs, offset=padding + 1, **options)
    np.testing.assert_allclose(table, theirs, **FLOAT32_ANGLES)
    assert M2M100Config().scale_embedding  # tokens times sqrt(d), as in the paper


@given(seq_len=LENGTHS, pairs=st.integers(2, 16), offset=st.integers(0, 20))
def test_musicgen_has_all_cosines_first(seq_len, pairs, offset):
    # Frequencies of tensor2tensor, but the halves swapped: a third layout, which is
    # ours once the halves are put back.
    peer = MusicgenSinusoidalPositionalEmbedding(seq_len, 2 * pairs)
    tokens = torch.zeros(1, 4, seq_len, dtype=torch.int64)  # batch, codebooks, length
    cosines, sines = peer(tokens, past_key_values_length=offset).chunk(2, dim=-1)
    theirs = torch.cat([sines, cosines], dim=-1).numpy()
    options = {"layout": "half", "frequencies": "tensor2tensor"}
    table = ours(seq_len, 2 * pairs, offset, **options)
    np.testing.assert_allclose(table, theirs, **FLOAT32_ANGLES)
