import numpy as np
import pytest
import torch
from torch._subclasses import FakeTensorMode

from posenc.nn import RotaryAttention, RotaryEmbedding
from posenc.rope import (
    apply_rotary,
    layout_permutation,
    llama3_frequencies,
    rotary_angles,
)
from posenc.rope.exercises import oracle

LAYOUTS = ["interleaved", "half"]


def rotate(x, positions, xp=np, base=10_000.0, **options):
    x = xp.asarray(x)
    angles = rotary_angles(xp.asarray(positions), x.shape[-1], base=base)
    return np.asarray(apply_rotary(x, angles, **options))


def test_a_checkpoint_moves_between_layouts_head_by_head():
    torch.manual_seed(0)
    llama, hugging_face = (RotaryAttention(12, 2, layout=layout) for layout in LAYOUTS)
    order = torch.asarray(layout_permutation(6, source="interleaved", target="half"))
    weights = llama.qkv.weight.detach().reshape(3, 2, 6, 12).clone()
    weights[:2] = weights[:2, :, order]  # queries and keys, not values
    hugging_face.load_state_dict(
        {"qkv.weight": weights.reshape(36, 12), "out.weight": llama.out.weight}
    )
    x = torch.randn(2, 5, 12)
    torch.testing.assert_close(hugging_face(x)[0], llama(x)[0])
    hugging_face.load_state_dict(llama.state_dict())  # the classic mistake
    assert (hugging_face(x)[0] - llama(x)[0]).abs().max() > 1e-2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_module_rotates_at_an_offset_or_at_explicit_positions(layout):
    torch.manual_seed(0)
    module, x = RotaryEmbedding(8, base=100.0, layout=layout), torch.randn(2, 2, 5, 8)
    expected = rotate(x, np.arange(5), torch, base=100.0, layout=layout)
    np.testing.assert_allclose(module(x).numpy(), expected, atol=1e-6)
    torch.testing.assert_close(module(x[:, :, 2:], offset=2), module(x)[:, :, 2:])
    positions = torch.asarray([[0, 0, 0, 1, 2], [4, 5, 6, 0, 1]])
    out = module(x, positions=positions).numpy()
    for b in range(2):
        for h in range(2):
            expected = oracle.turn(
                x[b, h].numpy(), positions[b], 100.0, half=layout == "half"
            )
            np.testing.assert_allclose(out[b, h], expected, atol=1e-6)
    torch.testing.assert_close(module(x, positions=torch.arange(5)), module(x))
    both = module.rotate(x, x[:, :1], positions=positions)
    assert torch.equal(both[0], module(x, positions=positions))
    assert torch.equal(both[1], module(x[:, :1], positions=positions))


@pytest.mark.parametrize("name", ["float64", "float32", "float16", "bfloat16"])
def test_module_keeps_the_dtype_and_loses_nothing_far_out(name):
    torch.manual_seed(0)
    dtype, far = getattr(torch, name), 2**20
    x = torch.randn(1, 1, 3, 64).to(dtype)
    out = RotaryEmbedding(64)(x, offset=far)
    assert out.dtype == dtype
    positions = far + torch.arange(3, dtype=torch.float64)
    exact = apply_rotary(x.double(), rotary_angles(positions, 64))
    rounding = (
        torch.finfo(dtype).eps if "16" in name else 1e-6 if "32" in name else 1e-9
    )
    torch.testing.assert_close(out.double(), exact, rtol=rounding, atol=rounding)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_table_grows_and_changes_nothing(layout):
    torch.manual_seed(0)
    module = RotaryEmbedding(8, layout=layout, table_len=100)
    for offset, length in ((0, 3), (2, 1), (60, 30), (99, 1), (98, 5), (2**20, 2)):
        x = torch.randn(1, 2, length, 8)
        expected = rotate(x, offset + np.arange(length), torch, layout=layout)
        np.testing.assert_allclose(module(x, offset=offset), expected, atol=1e-6)
        assert all(len(column) <= 100 for column in module._table)
    assert len(module._table[0]) == 100
    assert not module.state_dict()
    assert not list(module.buffers())


LLAMA = {"scale": 8.0, "trained_len": 64}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_module_takes_frequencies_a_part_of_the_features_and_a_factor(layout):
    torch.manual_seed(0)
    theta, x = llama3_frequencies(6, **LLAMA), torch.randn(2, 2, 5, 8)
    module = RotaryEmbedding(
        8, layout=layout, frequencies=theta, rotary_dim=6, attention_factor=1.5
    )
    positions = torch.asarray([7, 8, 9, 10, 11])
    angles = rotary_angles(positions, 6, frequencies=theta)
    turned = 1.5 * apply_rotary(x[..., :6], angles, layout=layout)
    expected = torch.cat([turned, x[..., 6:]], dim=-1)
    torch.testing.assert_close(module(x, offset=7), expected)
    torch.testing.assert_close(module(x, positions=positions), expected)
    module.to(torch.bfloat16)  # which rounds no frequencies
    torch.testing.assert_close(module(x, positions=positions), expected)


def test_the_table_survives_inference_transforms_and_fake_tensors():
    # A table made inside one of them must not be cached, as it is dead afterwards.
    x = torch.randn(3, 1, 2, 4, 8)
    expected = RotaryEmbedding(8)(x[0])
    weights = torch.randn_like(expected)

    def fresh_then(run):
        module = RotaryEmbedding(8)
        run(module)
        leaf = x[0].clone().requires_grad_()
        out = module(leaf)
        out.backward(weights)
        torch.testing.assert_close(out, expected)
        assert type(module._table[0]) is torch.Tensor

    first = x[0]

    def infer(module):
        with torch.inference_mode():
            module(first)

    def fake(module):
        with FakeTensorMode() as mode:
            assert module(mode.from_tensor(first)).shape == expected.shape

    fresh_then(infer)
    fresh_then(fake)
    fresh_then(lambda module: torch.func.grad(lambda t: module(t).sum())(x[0]))
    fresh_then(lambda module: torch.vmap(module)(x))


def explicit_attention(module, x, positions, mask):
    """Scores written out, in float64; a row without a key gives zeros."""
    heads = module.qkv(x).unflatten(-1, (3, module.num_heads, -1))
    q, k, v = heads.movedim(-3, 0).transpose(-3, -2)
    angles = rotary_angles(positions, q.shape[-1], base=100.0, dtype=torch.float64)
    q, k = apply_rotary(q, angles), apply_rotary(k, angles)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    mixed = torch.nan_to_num(weights) @ v
    return module.out(mixed.transpose(-3, -2).flatten(-2))


@pytest.mark.parametrize("causal", [True, False])
def test_fused_attention_equals_explicit_attention(causal):
    torch.manual_seed(0)
    rotary = RotaryEmbedding(8, base=100.0)
    module = RotaryAttention(16, 2, causal=causal, rotary=rotary).double()
    x = torch.randn(2, 6, 16, dtype=torch.float64)
    order = torch.ones(6, 6, dtype=torch.bool)
    order = order.tril() if causal else order
    positions = torch.arange(6)
    torch.testing.assert_close(
        module(x)[0], explicit_attention(module, x, positions, order)
    )
    mask = torch.rand(2, 1, 6, 6) > 0.3
    mask[0, 0, 3] = False  # a token that may attend to nothing
    mask[1, 0, 0] = False
    out = module(x, mask=mask)[0]
    expected = explicit_attention(module, x, positions, order & mask)
    torch.testing.assert_close(out, expected)
    assert (out[0, 3] == 0).all()
    weights = torch.randn_like(out)
    got = torch.autograd.grad((out * weights).sum(), module.qkv.weight)
    assert torch.isfinite(got[0]).all()


def test_the_newest_tokens_are_taken_back_with_their_positions():
    module, x = RotaryAttention(16, 2), torch.randn(2, 6, 16)
    wrong = torch.cat([x[:, :3], torch.randn(2, 2, 16)], dim=1)
    _, (k, v, following) = module(wrong)
    past = k[..., :-2, :], v[..., :-2, :], following - 2
    torch.testing.assert_close(module(x[:, 3:], past=past)[0], module(x)[0][:, 3:])


@pytest.mark.bad_input
@pytest.mark.slow
def test_ten_steps_of_decoding_need_two_graphs_at_most():
    torch.compiler.reset()
    graphs = []

    def count(graph, _):
        graphs.append(graph)
        return graph.forward

    module = RotaryAttention(16, 2)
    compiled = torch.compile(module, backend=count, dynamic=True, fullgraph=True)
    module.requires_grad_(False)
    x = torch.randn(2, 14, 16)
    _, past = module(x[:, :4])
    here = past
    for step in range(4, 14):
        token = x[:, step : step + 1]
        out, past = compiled(token, past=past)
        expected, here = module(token, past=here)
        torch.testing.assert_close(out, expected)
    assert len(graphs) <= 2


@pytest.mark.bad_input
def test_parts_that_do_not_fit_each_other_are_refused():
    rotary = RotaryEmbedding(4)
    with pytest.raises(ValueError, match="rotary must be for heads of 8 features"):
        RotaryAttention(16, 2, rotary=rotary)
    with pytest.raises(ValueError, match="k must have shape"):
        rotary.rotate(torch.ones(1, 2, 3, 4), torch.ones(1, 2, 2, 4))
