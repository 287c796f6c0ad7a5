import functools

import numpy as np
import pytest
import torch
from torch.utils.checkpoint import checkpoint

from posenc.cape import augmented_positions
from posenc.nn import CapeEncoding
from posenc.sinusoidal import sinusoidal_encoding

ON = {"max_global_shift": 5.0, "max_local_shift": 0.5, "max_scale": 1.3}


def generator(seed=0):
    return np.random.default_rng(seed)


def test_module_adds_the_sinusoids_of_the_augmented_positions():
    module = CapeEncoding(6, base=500.0, rng=generator(5), **ON)
    assert list(module.state_dict()) == []
    x = torch.randn(3, 4, 6, dtype=torch.float64)
    moved = augmented_positions(np.tile(np.arange(4.0), (3, 1)), rng=generator(5), **ON)
    expected = x.numpy() + sinusoidal_encoding(moved, 6, base=500.0)
    np.testing.assert_allclose(module(x).numpy(), expected, rtol=0, atol=1e-12)


def test_module_takes_positions_and_mask():
    module = CapeEncoding(4, center=False, rng=generator(5), **ON)
    x = torch.zeros(2, 3, 4, dtype=torch.float64)
    seconds = torch.tensor([0.0, 0.4, 0.5], dtype=torch.float64)
    mask = torch.tensor([[True, True, True], [True, True, False]])
    moved = augmented_positions(
        seconds.expand(2, 3), rng=generator(5), mask=mask, center=False, **ON
    )
    torch.testing.assert_close(
        module(x, seconds, mask=mask), sinusoidal_encoding(moved, 4)
    )


def test_module_is_deterministic_when_evaluating():
    module = CapeEncoding(4, **ON).eval()
    x = torch.zeros(2, 3, 4)
    expected = sinusoidal_encoding(torch.tensor([-1.0, 0.0, 1.0]), 4)
    state = torch.get_rng_state()
    torch.testing.assert_close(module(x), expected.expand(2, 3, 4))
    torch.testing.assert_close(torch.get_rng_state(), state)
    assert (module.train()(x) != module(x)).any()
    half = module.eval()(x.bfloat16())
    torch.testing.assert_close(half, expected.expand(2, 3, 4).bfloat16())


def test_module_follows_the_seed_of_torch():
    outs = []
    for seed in (0, 0, 1):
        torch.manual_seed(seed)
        outs.append(CapeEncoding(4, **ON)(torch.zeros(3, 4)))
    torch.testing.assert_close(outs[0], outs[1])
    assert (outs[0] != outs[2]).any()
    assert "max_scale=1.3, center=True" in repr(CapeEncoding(4, **ON))


@pytest.mark.bad_input
@pytest.mark.parametrize("training", [False, True])
def test_traces_under_compile(compiled, training):
    module, x = CapeEncoding(4, **ON).train(training), torch.zeros(2, 3, 4)
    traced, outs = compiled(module), []
    for call in (traced, module):
        torch.manual_seed(3)
        outs.append(call(x))
    torch.testing.assert_close(*outs)


def test_a_checkpointed_layer_draws_the_same_twice():
    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoding, self.linear = CapeEncoding(4, **ON), torch.nn.Linear(4, 4)

        def forward(self, x):
            return torch.tanh(self.linear(self.encoding(x)))

    layer, x, gradients = Layer(), torch.ones(2, 3, 4, requires_grad=True), []
    for again in (False, True):
        torch.manual_seed(1)
        call = functools.partial(checkpoint, use_reentrant=False) if again else call_it
        call(layer, x).sum().backward()
        gradients.append(layer.linear.weight.grad.clone())
        layer.zero_grad()
    torch.testing.assert_close(*gradients, rtol=0, atol=0)


def call_it(layer, x):
    return layer(x)


def test_generators_of_both_libraries_are_accepted():
    for make in (generator, lambda seed: torch.Generator().manual_seed(seed)):
        x = torch.zeros(2, 3, 4)
        outs = [CapeEncoding(4, rng=make(seed), **ON)(x) for seed in (1, 1, 2)]
        torch.testing.assert_close(outs[0], outs[1])
        assert (outs[0] != outs[2]).any()
