"""The erratum of substance: the published layer normalizes its weight."""

from copy import deepcopy

import numpy as np
import pytest

from posenc.convolutional import convolutional_encoding, normalized_weight

torch = pytest.importorskip("torch")
nn = torch.nn


def test_convolutional_weight_norm():
    torch.manual_seed(0)
    x = torch.randn(2, 11, 8)
    plain = nn.Conv1d(8, 8, 6, padding=3, groups=4)
    layer = nn.utils.parametrizations.weight_norm(deepcopy(plain), dim=2)
    state = layer.state_dict()
    length = state["parametrizations.weight.original0"]
    direction = state["parametrizations.weight.original1"]
    assert length.shape == (1, 1, 6)  # one for each place in the window
    result = plain.load_state_dict(state, strict=False)
    assert result.missing_keys == ["weight"]
    with torch.no_grad():
        length *= torch.arange(1.0, 7.0)
    weight = normalized_weight(direction, length[0, 0])
    out = convolutional_encoding(x, weight, state["bias"], groups=4)
    expected = nn.functional.gelu(layer(x.mT)[..., :11]).mT
    torch.testing.assert_close(out, expected)
    without = convolutional_encoding(x, direction, state["bias"], groups=4)
    assert not np.allclose(without, out.detach(), atol=1e-3)
