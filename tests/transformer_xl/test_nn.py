import numpy as np
import pytest
import torch
from decoding_rules import assert_decodes

from posenc.attention.nn import merge_heads, split_heads
from posenc.nn import (
    TransformerXL,
    TransformerXLAttention,
    TransformerXLLayer,
)
from posenc.sinusoidal import sinusoidal_encoding
from posenc.transformer_xl import relative_attention
from posenc.transformer_xl.exercises import oracle


@pytest.mark.parametrize("memory_len", [0, 1, 4])
def test_attention_module_matches_the_loops(memory_len):
    torch.manual_seed(0)
    module = TransformerXLAttention(8, 2).double()
    torch.nn.init.normal_(module.content_bias)
    torch.nn.init.normal_(module.position_bias)
    hidden = torch.randn(2, 3, 8, dtype=torch.float64)
    memory = torch.randn(2, memory_len, 8, dtype=torch.float64)
    out = module(hidden, memory)
    weights = {
        name.removesuffix(".weight"): parameter.detach().numpy()
        for name, parameter in module.named_parameters()
    }
    for b in range(2):
        expected = oracle.attention(
            hidden[b].numpy(), memory[b].numpy(), weights, num_heads=2
        )
        np.testing.assert_allclose(out[b].detach().numpy(), expected, atol=1e-12)
    if memory_len == 0:
        torch.testing.assert_close(module(hidden), out)


def test_layer_adds_and_normalizes_after_each_part():
    torch.manual_seed(0)
    layer = TransformerXLLayer(8, 2, 12)
    hidden, memory = torch.randn(2, 3, 8), torch.randn(2, 4, 8)
    mask = torch.rand(3, 7) < 0.8
    attended = layer.attention(hidden, memory, mask=mask)
    middle = torch.nn.functional.layer_norm(hidden + attended, (8,))
    inner = torch.relu(layer.widen(middle))
    expected = torch.nn.functional.layer_norm(middle + layer.narrow(inner), (8,))
    torch.testing.assert_close(layer(hidden, memory, mask=mask), expected)


def test_no_gradient_flows_into_the_memory():
    torch.manual_seed(0)
    hidden = torch.randn(1, 3, 8, requires_grad=True)
    memory = torch.randn(1, 3, 8, requires_grad=True)
    TransformerXLAttention(8, 2)(hidden, memory).sum().backward()
    assert hidden.grad is not None
    assert memory.grad is None


@pytest.mark.parametrize(
    "sizes",
    [
        [1] * 7,
        [3, 4],
        [4, 1, 2],
    ],
)
def test_cached_is_uncached_where_the_memory_holds_everything(sizes):
    # Layer n asks for inputs of layer n - 1 at earlier tokens, and the memory has them
    # just as one long pass computed them: causal, so unaware of what came after.
    torch.manual_seed(0)
    model = TransformerXL(3, 8, 2, d_inner=16, memory_len=7).double()
    hidden = torch.randn(2, 7, 8, dtype=torch.float64)
    full, _ = model(hidden)
    memory, pieces = None, []
    for segment in hidden.split(sizes, dim=1):
        out, memory = model(segment, memory)
        pieces.append(out)
    torch.testing.assert_close(torch.cat(pieces, dim=1), full)
    assert [tuple(m.shape) for m in memory] == [(2, 7, 8)] * 3
    torch.testing.assert_close(memory[0], hidden)


@pytest.mark.parametrize("memory_len", [0, 1, 2, 5])
def test_a_short_memory_is_one_pass_with_a_window_per_segment(memory_len):
    torch.manual_seed(0)
    model = TransformerXL(3, 8, 2, d_inner=16, memory_len=memory_len).double()
    hidden = torch.randn(2, 9, 8, dtype=torch.float64)
    memory, pieces = None, []
    for segment in hidden.split(3, dim=1):
        out, memory = model(segment, memory)
        pieces.append(out)
    assert all(m.shape[1] == memory_len for m in memory)
    start = torch.arange(9) // 3 * 3  # of the query's segment
    mask = torch.arange(9)[None, :] >= start[:, None] - memory_len
    for layer in model.layers:
        hidden = layer(hidden, mask=mask)
    torch.testing.assert_close(torch.cat(pieces, dim=1), hidden)


def in_segments(model, hidden, sizes):
    memory, pieces = None, []
    for segment in hidden.split(sizes, dim=1):
        out, memory = model(segment, memory)
        pieces.append(out)
    return torch.cat(pieces, dim=1)


@pytest.mark.parametrize(
    "memory_len",
    [
        1,
        3,
        9,
    ],
)
def test_same_length_makes_the_cuts_invisible(memory_len):
    torch.manual_seed(0)
    sizes = {"d_inner": 16, "memory_len": memory_len}
    model = TransformerXL(3, 8, 2, same_length=True, **sizes).double()
    hidden = torch.randn(2, 9, 8, dtype=torch.float64)
    window = torch.ones(9, 9, dtype=torch.bool).triu(1 - memory_len)
    whole = hidden  # one pass in which each query sees memory_len tokens
    for layer in model.layers:
        whole = layer(whole, mask=window)
    for cut in ([9], [1] * 9, [4, 4, 1], [2, 7]):
        torch.testing.assert_close(in_segments(model, hidden, cut), whole)
    # Without it the cuts show, unless the memory holds the whole text.
    free = TransformerXL(3, 8, 2, **sizes).double()
    free.load_state_dict(model.state_dict())
    out, other = (in_segments(free, hidden, cut) for cut in ([4, 4, 1], [2, 7]))
    assert torch.allclose(out, other) == (memory_len >= 9)


@pytest.mark.parametrize("prompt", [1, 4])
def test_attention_decodes_with_a_memory_in_its_cache(prompt):
    torch.manual_seed(0)
    module, x = TransformerXLAttention(12, 3), torch.randn(2, 7, 12)
    memory = torch.randn(2, 5, 12)

    def rows_of(rows):  # only the first call has the memory
        return {"memory": memory if rows.start == 0 else None}

    k, v, r = assert_decodes(module, [x], prompt, call=rows_of)
    assert k.shape == v.shape == (2, 3, 12, 4)
    assert r.shape == (3, 12, 4)


@pytest.mark.bad_input
def test_attention_refuses_a_cache_that_it_did_not_return():
    module, x = TransformerXLAttention(12, 3), torch.randn(2, 7, 12)
    _, past = module(x, use_cache=True)
    with pytest.raises(ValueError, match="memory must be None beside past"):
        module(x, x, past=past)
    with pytest.raises(TypeError, match="past must be the three tensors"):
        module(x, past=past[:2])
    with pytest.raises(ValueError, match=r"of one length, got \[7, 7, 6\]"):
        module(x, past=(*past[:2], past[2][:, 1:]))
    with pytest.raises(ValueError, match=r"past must have shape \(..., 3, past_len, 4"):
        module(x, past=tuple(part[..., :2] for part in past))


def test_distances_may_be_clamped():
    torch.manual_seed(0)
    free, clamped = (TransformerXLAttention(8, 2, clamp_len=n) for n in (None, 2))
    clamped.load_state_dict(free.state_dict())
    torch.nn.init.normal_(clamped.position_bias)
    hidden = torch.randn(6, 8)
    distances = torch.tensor([2, 2, 2, 2, 1, 0])
    encoding = sinusoidal_encoding(distances, 8, layout="half").float()
    made = [clamped.query(hidden), clamped.key(hidden), clamped.value(hidden)]
    heads = [split_heads(x, 2) for x in (*made, clamped.position(encoding))]
    u, v = clamped.content_bias, clamped.position_bias
    mixed = relative_attention(*heads, content_bias=u, position_bias=v)
    torch.testing.assert_close(clamped(hidden), clamped.output(merge_heads(mixed)))
    assert not torch.allclose(clamped(hidden), free(hidden), atol=1e-3)
    within = TransformerXLAttention(8, 2, clamp_len=5)
    within.load_state_dict(free.state_dict())
    torch.testing.assert_close(within(hidden), free(hidden))
    assert_decodes(clamped, [hidden], 3)
    assert repr(clamped).startswith("TransformerXLAttention(\n  8, 2, clamp_len=2")


def test_layers_have_the_clamp_of_the_stack():
    model = TransformerXL(2, 8, 2, d_inner=4, memory_len=3, clamp_len=4)
    assert [layer.attention.clamp_len for layer in model.layers] == [4, 4]
