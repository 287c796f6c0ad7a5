"""The errata of the chapter on convolution: each fault of the printed program."""

import numpy as np
import pytest

from posenc.convolutional import convolutional_encoding, normalized_weight
from posenc.pages import errata

torch = pytest.importorskip("torch")
nn = torch.nn

BY_ID = {e.id: e for e in errata.load()}
CHANNELS, GROUPS, FRAMES = 8, 4, 11


@pytest.fixture
def x():
    torch.manual_seed(0)
    return torch.randn(2, FRAMES, CHANNELS)


def convolution(kernel, padding):
    return nn.Conv1d(CHANNELS, CHANNELS, kernel, padding=padding, groups=GROUPS)


@pytest.mark.parametrize("kernel", [5, 6, 128])
def test_convolutional_padding(x, kernel):
    for padding in (0, 1, kernel // 4, kernel - 1, kernel // 2):
        if FRAMES + 2 * padding < kernel:
            continue
        out = convolution(kernel, padding)(x.mT)
        kept = out.shape[-1] - (1 - kernel % 2)
        assert (kept == FRAMES) == (padding == kernel // 2)
    assert "`kernel_size // 2`" in BY_ID["convolutional-padding"].truth


def test_convolutional_transpose(x):
    layer = convolution(5, 2)
    with pytest.raises(RuntimeError, match="to have 8 channels, but got 11"):
        layer(x)
    square = x[:, :CHANNELS]  # where nothing fails, the other axis is convolved
    changed = square.clone()
    changed[:, -1] += 1
    untransposed = (layer(square) != layer(changed)).any(dim=(0, 2))
    transposed = (layer(square.mT).mT != layer(changed.mT).mT).any(dim=(0, 2))
    assert untransposed.tolist() == [False] * 6 + [True] * 2  # a group of two
    assert transposed.tolist() == [False] * 5 + [True] * 3  # a window of 2 before


def test_convolutional_layers(x):
    def forward(x):
        return x + convolution(5, 2)(x.mT).mT

    first, second = forward(x), forward(x)
    assert (first != second).any(dim=-1).all()
    layer = convolution(5, 2)
    torch.testing.assert_close(layer(x.mT), layer(x.mT), rtol=0, atol=0)


def test_convolutional_weight_norm(x):
    layer = nn.utils.parametrizations.weight_norm(convolution(6, 3), dim=2)
    state = layer.state_dict()
    length = state["parametrizations.weight.original0"]
    direction = state["parametrizations.weight.original1"]
    assert length.shape == (1, 1, 6)  # one for each place in the window
    found = convolution(6, 3).load_state_dict(state, strict=False)
    assert found.missing_keys == ["weight"]
    with torch.no_grad():
        length *= torch.arange(1.0, 7.0)
    weight = normalized_weight(direction, length[0, 0])
    out = convolutional_encoding(x, weight, state["bias"], groups=GROUPS)
    expected = nn.functional.gelu(layer(x.mT)[..., :FRAMES]).mT
    torch.testing.assert_close(out, expected)
    without = convolutional_encoding(x, direction, state["bias"], groups=GROUPS)
    assert not np.allclose(without, out.detach(), atol=1e-3)


def test_convolutional_return(x):
    layer = convolution(5, 2)

    class AsPrinted(nn.Module):
        def forward(self, x):
            x = x + layer(x.mT).mT

    class Returning(nn.Module):
        def forward(self, x):
            return x + layer(x.mT).mT

    assert AsPrinted()(x) is None
    torch.testing.assert_close(Returning()(x) - x, layer(x.mT).mT)
