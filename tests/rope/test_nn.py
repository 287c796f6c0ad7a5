import numpy as np
import pytest
import torch

from posenc.nn import RotaryAttention, RotaryEmbedding
from posenc.rope import apply_rotary, layout_permutation, rotary_angles
from posenc.rope.exercises import oracle

LAYOUTS = ["interleaved", "half"]


def rotate(x, positions, xp=np, form=apply_rotary, base=10_000.0, **options):
    x = xp.asarray(x)
    angles = rotary_angles(xp.asarray(positions), x.shape[-1], base=base)
    return np.asarray(form(x, angles, **options))


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


@pytest.mark.bad_input
def test_modules_trace_under_compile(same_when_compiled):
    module, x = RotaryAttention(16, 2), torch.randn(2, 5, 16)
    same_when_compiled(module, x)
    positions = torch.asarray([[0, 0, 1, 2, 3], [0, 1, 2, 3, 4]])
    same_when_compiled(module, x, positions=positions)


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
    assert not list(module.parameters())
    assert "8, base=100.0" in repr(module)


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


@pytest.mark.bad_input
def test_modules_refuse_what_cannot_be():
    with pytest.raises(ValueError, match="head_dim must be even, got 5"):
        RotaryEmbedding(5)
    with pytest.raises(ValueError, match="head_dim must be even, got 3"):
        RotaryAttention(6, 2)
    with pytest.raises(ValueError, match="d_model must be a multiple of num_heads=3"):
        RotaryAttention(8, 3)
    with pytest.raises(ValueError, match="base must be"):
        RotaryAttention(8, 2, base=0)
    with pytest.raises(ValueError, match="layout must be one of"):
        RotaryEmbedding(4, layout="split")
    rotary, x = RotaryEmbedding(4), torch.ones(2, 1, 3, 4)
    with pytest.raises(ValueError, match="offset must be an integer of at least 0"):
        rotary(x, offset=-1)
    with pytest.raises(ValueError, match=r"positions must have shape .*2, 3\)"):
        rotary(x, positions=torch.zeros(3, 2, dtype=torch.int64))
    with pytest.raises(ValueError, match="angles must have shape"):
        rotary(x, positions=torch.arange(4))
    with pytest.raises(ValueError, match=r"x must have shape .*4\)"):
        rotary(torch.ones(2, 1, 3, 6))
