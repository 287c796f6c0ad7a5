"""Swin's index, bias and windows against transformers (Swin, BEiT).

Both count query - key, number the cells row by row and the offsets with the columns
running fastest, as we do in this module. Neither resizes a table as Swin's paper says
(bicubic); BEiT does so bilinearly.
"""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import (
    BeitConfig,
    SwinConfig,
    SwinForImageClassification,
    SwinModel,
)
from transformers.models.beit.modeling_beit import BeitRelativePositionBias
from transformers.models.swin.modeling_swin import (
    SwinAttention,
    SwinRelativePositionBias,
    window_partition,
    window_reverse,
)

from posenc import swin
from posenc.swin.nn import WindowAttention

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

SIDES = st.integers(1, 8)


@given(height=SIDES, width=SIDES)
def test_index_agrees(height, width):
    peer = SwinRelativePositionBias(1, (height, width))
    cells = height * width
    theirs = peer.relative_position_index.reshape(cells, cells).numpy()
    ours = swin.relative_position_index(height, width)
    np.testing.assert_array_equal(ours, theirs)
    # BEiT: the same, with a first row and column for its class token.
    with_class = BeitRelativePositionBias.generate_relative_position_index(
        (height, width)
    )
    np.testing.assert_array_equal(ours, with_class[1:, 1:].numpy())


@given(height=SIDES, width=SIDES, num_heads=st.integers(1, 4))
def test_bias_agrees(height, width, num_heads, draw):
    peer = SwinRelativePositionBias(num_heads, (height, width)).double()
    table = draw(peer.relative_position_bias_table.shape)  # laid out as ours
    peer.load_state_dict({"relative_position_bias_table": table})
    theirs = peer()[0]
    ours = swin.relative_position_bias(table, height, width)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=0)
    of_numpy = swin.relative_position_bias(table.numpy(), height, width)
    np.testing.assert_array_equal(of_numpy, theirs.detach().numpy())


@given(height=st.integers(1, 5), width=st.integers(1, 5))
def test_beit_reads_the_table_of_a_rectangle_with_wrong_line_breaks(height, width):
    # Its forward pass always resizes, from (2 * width - 1) rows: also to the same size.
    sides = {"image_size": (height, width), "patch_size": 1}
    peer = BeitRelativePositionBias(BeitConfig(num_attention_heads=1, **sides)).double()
    rows = (2 * height - 1) * (2 * width - 1)
    table = torch.arange(float(rows + 3), dtype=torch.float64)[:, None]
    peer.load_state_dict({"relative_position_bias_table": table})
    theirs = peer((height, width))[0, :, 1:, 1:].detach()  # without the class token
    ours = swin.relative_position_bias(table[:rows], height, width)
    assert torch.allclose(theirs, ours) == (height == width)


@given(window=st.integers(1, 5), rows=st.integers(1, 4), columns=st.integers(1, 4))
def test_windows_agree(window, rows, columns, draw):
    # Its windows are square, keep their two axes, and share an axis with the batch.
    image = draw((2, rows * window, columns * window, 3))
    theirs = window_partition(image, window)
    ours = swin.window_partition(image, window, window)
    torch.testing.assert_close(ours, theirs.reshape(ours.shape), rtol=0, atol=0)
    size = {"rows": rows * window, "columns": columns * window}
    back = swin.window_merge(ours, window, window, **size)
    theirs = window_reverse(theirs, window, *size.values())
    torch.testing.assert_close(back, theirs, rtol=0, atol=0)


@given(window=st.integers(1, 4), num_heads=st.integers(1, 3))
def test_attention_within_windows_agrees(window, num_heads, draw):
    # It scales the scores by 1/sqrt(head_dim), then adds the bias, as we do. Its three
    # projections are ours side by side.
    d_model = 4 * num_heads
    config = SwinConfig(attn_implementation="eager")
    peer = SwinAttention(config, d_model, num_heads, window).double().eval()
    table = peer.relative_position_bias.relative_position_bias_table
    torch.nn.init.normal_(table)
    x = draw((6, window * window, d_model))
    ours = WindowAttention(d_model, num_heads, (window, window)).double()
    projections = (peer.q_proj, peer.k_proj, peer.v_proj)
    ours.load_state_dict(
        {
            "table": table,
            "qkv.weight": torch.cat([p.weight for p in projections]),
            "qkv.bias": torch.cat([p.bias for p in projections]),
            "out.weight": peer.o_proj.weight,
            "out.bias": peer.o_proj.bias,
        }
    )
    torch.testing.assert_close(ours(x), peer(x)[0])


@pytest.mark.parametrize(("pixels", "cells"), [(192, 36), (128, 16)])
def test_small_image_shrinks_the_window_but_not_the_table(pixels, cells):
    with pytest.raises(RuntimeError, match=rf"tensor a \({cells}\) .* tensor b \(49\)"):
        _small_model()(torch.zeros(1, 3, pixels, pixels))


def _small_model():
    """Swin for 224 pixels with windows of 7 x 7, one narrow layer in each stage."""
    config = SwinConfig(
        image_size=224, embed_dim=4, depths=[1, 1, 1, 1], num_heads=[1, 1, 1, 1]
    )
    return SwinModel(config).eval()


def test_swin_t_has_28_million_parameters():
    with torch.device("meta"):
        model = SwinForImageClassification(SwinConfig(num_labels=1000))
    sizes = {name: n.numel() for name, n in model.named_parameters()}
    assert round(sum(sizes.values()), -6) == 28_000_000
    tables = [n for name, n in sizes.items() if "relative_position_bias_table" in name]
    assert sum(tables) == 23_322
