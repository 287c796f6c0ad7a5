import numpy as np
import pytest
import torch

from posenc.convolutional.exercises import oracle
from posenc.nn import ConvolutionalEncoding


def test_module_adds_the_encoding_with_normalized_weight(rng):
    torch.manual_seed(0)
    module = ConvolutionalEncoding(6, kernel_size=4, groups=3).double()
    shapes = {name: tuple(p.shape) for name, p in module.named_parameters()}
    assert shapes == {"direction": (6, 2, 4), "length": (4,), "bias": (6,)}
    x = torch.from_numpy(rng.normal(size=(2, 5, 6)))
    direction, zeros = module.direction.detach().numpy(), np.zeros(6)
    # At first the lengths are those of the directions, and the bias is zero …
    expected = x.numpy() + oracle.encoding(x.numpy(), direction, zeros, 3)
    np.testing.assert_allclose(module(x).detach().numpy(), expected, atol=1e-7)
    with torch.no_grad():  # … then they are learned.
        module.length *= 2
        module.bias += 0.5
    expected = x.numpy() + oracle.encoding(x.numpy(), 2 * direction, zeros + 0.5, 3)
    np.testing.assert_allclose(module(x).detach().numpy(), expected, atol=1e-7)
    assert repr(module) == "ConvolutionalEncoding(6, kernel_size=4, groups=3)"


def test_module_begins_like_fairseq():
    torch.manual_seed(0)
    module = ConvolutionalEncoding(768)
    assert tuple(module.direction.shape) == (768, 48, 128)
    std = (4 / (128 * 768)) ** 0.5
    assert module.direction.std().item() == pytest.approx(std, rel=1e-2)
    assert module(torch.zeros(1, 0, 768)).shape == (1, 0, 768)
