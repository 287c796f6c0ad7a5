"""The shift operator against the rotary embedding of transformers.

Theirs turns counter-clockwise, and its pairs are half-split; so it needs sines with a
minus, and our encoding in the layout with all sines first.
"""

import numpy as np
import pytest
import torch
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from posenc.core import angles as _angles
from posenc.rotation import shift_operator
from posenc.sinusoidal import sinusoidal_encoding

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]


@pytest.mark.parametrize("offset", [0, 1, -3, 2.5, 200])
@pytest.mark.parametrize(("d_model", "base"), [(2, 100.0), (8, 30.0), (64, 10_000.0)])
def test_llama_shifts_with_the_opposite_angle(offset, d_model, base):
    positions = torch.arange(20, dtype=torch.float64)
    half = sinusoidal_encoding(positions, d_model, base=base, layout="half")
    angle = offset * _angles.frequencies(d_model, base=base, xp=torch)
    cos, sin = (f(torch.cat([angle, angle]))[None] for f in (torch.cos, torch.sin))
    moved, _ = apply_rotary_pos_emb(half, half, cos, -sin, unsqueeze_dim=0)
    interleaved = sinusoidal_encoding(positions.numpy(), d_model, base=base)
    expected = interleaved @ shift_operator(offset, d_model, base=base).T
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    np.testing.assert_allclose(
        moved.squeeze(0).numpy(), expected[:, order], rtol=0, atol=1e-11
    )
