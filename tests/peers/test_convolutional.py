"""The convolution of wav2vec 2.0 against transformers, parameters carried over."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import Wav2Vec2Config
from transformers.models.wav2vec2.modeling_wav2vec2 import (
    Wav2Vec2PositionalConvEmbedding,
)

from posenc.convolutional import convolutional_encoding, normalized_weight
from posenc.nn.convolutional import ConvolutionalEncoding

pytestmark = pytest.mark.slow


@settings(max_examples=25)
@given(
    kernel=st.integers(1, 17),  # odd and even
    groups=st.integers(1, 4),
    width=st.integers(1, 3),
    seq_len=st.integers(1, 20),
)
def test_agrees_with_weight_normalization(kernel, groups, width, seq_len, draw):
    # Theirs pads kernel // 2 on both sides, drops the last frame if the kernel is even,
    # and applies the exact GELU. Its output is what is *added* to the input; our module
    # adds it.
    channels = groups * width
    config = Wav2Vec2Config(
        hidden_size=channels,
        num_conv_pos_embeddings=kernel,
        num_conv_pos_embedding_groups=groups,
    )
    peer = Wav2Vec2PositionalConvEmbedding(config).double()
    # weight_norm with dim=2: original1 is the direction, (channels, width, kernel);
    # original0 its length at each place, (1, 1, kernel); both are drawn anew, since at
    # the start the one is the length of the other.
    normal = peer.conv.parametrizations.weight
    direction, length, bias, x = draw(
        normal.original1.shape, kernel, channels, (2, seq_len, channels)
    )
    peer.load_state_dict(
        {
            "conv.parametrizations.weight.original0": length[None, None],
            "conv.parametrizations.weight.original1": direction,
            "conv.bias": bias,
        }
    )
    theirs = peer(x).detach()
    ours = ConvolutionalEncoding(channels, kernel_size=kernel, groups=groups).double()
    ours.load_state_dict({"direction": direction, "length": length, "bias": bias})
    torch.testing.assert_close(ours(x), x + theirs)

    taps = normalized_weight(direction.numpy(), length.numpy())
    np.testing.assert_allclose(taps, peer.conv.weight.detach().numpy(), atol=1e-12)
    of_numpy = convolutional_encoding(x.numpy(), taps, bias.numpy(), groups=groups)
    np.testing.assert_allclose(of_numpy, theirs.numpy(), atol=1e-12)
