"""The convolution of wav2vec 2.0 against transformers, parameters carried over."""

import importlib

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import Data2VecAudioConfig, HubertConfig, SEWConfig, Wav2Vec2Config
from transformers.models.wav2vec2.modeling_wav2vec2 import (
    Wav2Vec2PositionalConvEmbedding,
)

from posenc.convolutional import convolutional_encoding, normalized_weight
from posenc.convolutional.nn import ConvolutionalEncoding

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]


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


def layer_of(module, prefix, config):
    modeling = importlib.import_module(f"transformers.models.{module}")
    return getattr(modeling, f"{prefix}PositionalConvEmbedding")(config)


@pytest.mark.parametrize(
    ("module", "prefix"),
    [
        ("wav2vec2.modeling_wav2vec2", "Wav2Vec2"),
        ("hubert.modeling_hubert", "Hubert"),
        ("wavlm.modeling_wavlm", "WavLM"),
        ("unispeech.modeling_unispeech", "UniSpeech"),
        ("sew.modeling_sew", "SEW"),
    ],
)
def test_models_of_the_table_have_one_layer_as_described(module, prefix):
    configuration = module.replace("modeling", "configuration")
    configs = importlib.import_module(f"transformers.models.{configuration}")
    config = getattr(configs, f"{prefix}Config")(hidden_size=32)
    layer = layer_of(module, prefix, config)
    conv = layer.conv
    assert (conv.kernel_size, conv.groups, conv.padding) == ((128,), 16, (64,))
    assert layer.padding.num_pad_remove == 1
    x = torch.arange(5.0)[None, None]
    assert layer.padding(x).tolist() == [[[0, 1, 2, 3]]]  # the last one is cropped
    assert conv.parametrizations.weight.original0.shape == (1, 1, 128)
    assert conv.parametrizations.weight.original1.shape == (32, 2, 128)
    stride = SEWConfig().squeeze_factor if prefix == "SEW" else 1
    assert conv.stride == (stride,)
    assert (stride > 1) == (prefix == "SEW")


@pytest.mark.parametrize("norm", ["group", "layer"])  # base and large
def test_the_front_end_pads_nothing(norm):
    from transformers.models.wav2vec2.modeling_wav2vec2 import Wav2Vec2FeatureEncoder

    encoder = Wav2Vec2FeatureEncoder(Wav2Vec2Config(feat_extract_norm=norm))
    layers = [layer.conv for layer in encoder.conv_layers]
    assert [conv.padding for conv in layers] == [(0,)] * 7
    sizes = [(conv.kernel_size[0], conv.stride[0]) for conv in layers]
    assert sizes == [(10, 5), *[(3, 2)] * 4, (2, 2), (2, 2)]


def test_hubert_may_have_batch_normalization_in_place_of_weight_normalization():
    config = HubertConfig(hidden_size=32, conv_pos_batch_norm=True)
    layer = layer_of("hubert.modeling_hubert", "Hubert", config)
    assert isinstance(layer.batch_norm, torch.nn.BatchNorm1d)
    assert not hasattr(layer.conv, "parametrizations")
    assert not HubertConfig().conv_pos_batch_norm


def test_data2vec_stacks_five_layers_that_see_45_frames_on_each_side():
    config = Data2VecAudioConfig(hidden_size=32)
    layer = layer_of("data2vec.modeling_data2vec_audio", "Data2VecAudio", config)
    assert len(layer.layers) == 5
    for part in layer.layers:
        assert (part.conv.kernel_size, part.conv.groups) == ((19,), 16)
        assert part.padding.num_pad_remove == 0
        assert not hasattr(part.conv, "parametrizations")
        assert not part.layer_norm.elementwise_affine
    torch.manual_seed(0)
    x = torch.randn(1, 201, 32)
    changed = x.clone()
    changed[0, 100] += 1
    with torch.no_grad():
        heard = (layer(x) != layer(changed)).any(dim=-1)[0]
    assert heard.nonzero()[:, 0].tolist() == list(range(55, 146))


def test_transformers_sets_padded_frames_to_zero_before_the_convolution():
    from transformers import Wav2Vec2Model

    torch.manual_seed(0)
    config = Wav2Vec2Config(
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        num_conv_pos_embeddings=6,
    )
    encoder = Wav2Vec2Model(config).encoder.eval()
    x = torch.randn(1, 11, 32)
    mask = torch.arange(11)[None] < 7
    with torch.no_grad():
        alone = encoder(x[:, :7].clone()).last_hidden_state
        padded = encoder(x.clone(), attention_mask=mask).last_hidden_state[:, :7]
    torch.testing.assert_close(padded, alone, atol=1e-5, rtol=1e-4)
