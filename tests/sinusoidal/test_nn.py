import copy

import pytest
import torch

from posenc.nn import LearnedEncoding, SinusoidalEncoding
from posenc.sinusoidal import sinusoidal_encoding

OPTIONS = [
    {"layout": layout, "frequencies": frequencies}
    for layout in ("interleaved", "half")
    for frequencies in ("paper", "tensor2tensor")
]


def test_learned_module_adds_rows_of_its_table():
    torch.manual_seed(0)
    module, x = LearnedEncoding(9, 4), torch.randn(2, 3, 4)
    assert [tuple(p.shape) for p in module.parameters()] == [(9, 4)]
    for offset in (0, 6):
        rows = torch.stack([module.table[offset + t] for t in range(3)])
        torch.testing.assert_close(module(x, offset=offset), x + rows)
    assert module(x[:, :0]).shape == (2, 0, 4)
    assert repr(module) == "LearnedEncoding(9, 4)"
    # Drawn as in BERT: the error of the standard deviation is about 0.1 %.
    assert LearnedEncoding(512, 768).table.std().item() == pytest.approx(0.02, rel=0.01)


@pytest.mark.parametrize("options", OPTIONS)
def test_sinusoidal_module_adds_the_table_in_the_dtype_of_x(options):
    module = SinusoidalEncoding(6, base=500.0, **options)
    assert list(module.state_dict()) == []
    positions = torch.arange(4, 9, dtype=torch.float64)
    expected = sinusoidal_encoding(positions, 6, base=500.0, **options)
    for dtype, atol in ((torch.float64, 1e-12), (torch.float32, 2e-7)):
        x = torch.ones(2, 5, 6, dtype=dtype)
        out = module(x, offset=4)
        assert out.dtype == dtype
        torch.testing.assert_close(
            out.double(), 1 + expected.expand(2, 5, 6), rtol=0, atol=atol
        )
    half = module(torch.zeros(5, 6, dtype=torch.bfloat16), offset=4)
    torch.testing.assert_close(half, expected.bfloat16(), rtol=0, atol=2**-8)
    assert f"layout={options['layout']!r}" in repr(module)


# --- positions of each sequence -------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize(
    "module", [LearnedEncoding(9, 4), SinusoidalEncoding(4, layout="half")]
)
def test_left_padding_with_positions_gives_what_the_sequence_alone_gives(module, dtype):
    module = copy.deepcopy(module).to(dtype)
    x = torch.randn(2, 5, 4, dtype=dtype)
    positions = torch.tensor([[0, 0, 0, 1, 2], [0, 1, 2, 3, 4]])
    out = module(x, positions=positions)
    assert out.dtype == dtype
    torch.testing.assert_close(out[0, 2:], module(x[0, 2:]))
    torch.testing.assert_close(out[1], module(x[1]))
    token = module(x[:, :1], positions=torch.tensor([[3], [5]]))
    torch.testing.assert_close(token[0], module(x[0, :1], offset=3))
    torch.testing.assert_close(token[1], module(x[1, :1], offset=5))
    last = module(x, positions=torch.arange(4, 9))  # one row for all sequences
    torch.testing.assert_close(last, module(x, offset=4))
