import torch

from posenc.linear_attention import elu_plus_one, linear_attention, quadratic_form
from posenc.nn import LinearAttention
from posenc.rope import rotary_angles


def test_module_projects_and_calls_the_function():
    torch.manual_seed(0)
    x = torch.randn(2, 9, 12)
    longest = []

    def watching(x):
        longest.append(x.shape[-2])
        return elu_plus_one(x)

    options = {"causal": True, "base": 100.0, "layout": "half", "chunk_size": 4}
    options |= {"feature_map": watching, "decay": [1.0, 0.9, 0.5]}
    module = LinearAttention(12, 3, **options)
    angles = rotary_angles(torch.arange(9.0), 4, base=100.0)
    expected = quadratic_form(
        *module.heads.project(x),
        causal=True,
        angles=angles,
        layout="half",
        decay=torch.asarray([1.0, 0.9, 0.5], dtype=torch.float64),
    )
    torch.testing.assert_close(module(x), module.heads.merge(expected))
    longest.clear()
    with torch.no_grad():  # to learn, it keeps all features anyway
        torch.testing.assert_close(module(x), module.heads.merge(expected))
    assert max(longest) == 4
    assert [tuple(p.shape) for p in module.parameters()] == [(12, 12)] * 4
    assert "decay=[1.0, 0.9, 0.5]" in repr(module)
    module(x).sum().backward()
    assert all(torch.isfinite(p.grad).all() for p in module.parameters())


def test_plain_module_neither_rotates_nor_decays():
    torch.manual_seed(0)
    x, module = torch.randn(9, 12), LinearAttention(12, 3)
    expected = linear_attention(*module.heads.project(x))
    torch.testing.assert_close(module(x), module.heads.merge(expected))
    rotated = LinearAttention(12, 3, base=100.0, rotate_denominator=True)
    rotated.load_state_dict(module.state_dict())
    angles = rotary_angles(torch.arange(9.0), 4, base=100.0)
    expected = linear_attention(
        *module.heads.project(x), angles=angles, rotate_denominator=True
    )
    torch.testing.assert_close(rotated(x), module.heads.merge(expected))


def test_module_keeps_its_dtype_and_a_slow_decay():
    torch.manual_seed(0)
    # 2^-12 below 1 is 1 in bfloat16: a state that never decays.
    module = LinearAttention(4, 1, causal=True, decay=[1 - 2**-12])
    x = torch.randn(2000, 4)
    expected = module(x)
    half = module.to(torch.bfloat16)(x.to(torch.bfloat16))
    assert half.dtype == torch.bfloat16
    undecayed = LinearAttention(4, 1, causal=True)
    undecayed.heads = module.heads.float()
    distance = (half.float() - expected).square().mean()
    assert distance < 0.2 * (undecayed(x) - expected).square().mean()


def test_module_takes_positions():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 12)
    module = LinearAttention(12, 3, causal=True, base=100.0)
    positions = torch.stack([torch.arange(5), torch.arange(5) * 3])
    out = module(x, positions=positions)
    torch.testing.assert_close(out[0], module(x[:1])[0])
    assert not torch.isclose(out[1], module(x[1:])[0])[1:].all(-1).any()
    torch.testing.assert_close(out[1:], module(x[1:], positions=positions[1]))
    torch.testing.assert_close(out, module(x, positions=positions + 7))
