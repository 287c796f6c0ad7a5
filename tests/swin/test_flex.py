import functools

import pytest
import torch
from flex_rules import (
    HAS_GPU,
    assert_adds,
    assert_compiles,
    assert_same_gradients,
    assert_trains_on_a_gpu,
    draw,
    run_page,
)

from posenc import swin
from posenc.attention import attend

CELLS = 3 * 4
bias_of = functools.partial(swin.relative_position_bias, height=3, width=4)
mod_of = functools.partial(swin.score_mod, height=3, width=4)


def table():
    torch.manual_seed(1)
    return torch.randn(5 * 7, 3)


def test_score_mod_adds_the_bias():
    assert_adds(mod_of(table()), bias_of(table()), draw(CELLS, CELLS))


def test_gradients_of_the_table():
    assert_same_gradients(mod_of, bias_of, [table()], (2, 3, CELLS, CELLS))


def test_the_lines_on_the_page():
    qkv = draw(CELLS, CELLS)
    names = {"table": table(), "height": 3, "width": 4}
    result = run_page("swin", **dict(zip("qkv", qkv, strict=True)), **names)
    torch.testing.assert_close(result, attend(*qkv, bias=bias_of(table())))


@pytest.mark.slow
def test_score_mod_compiles():
    assert_compiles(mod_of(table()), draw(CELLS, CELLS))


@pytest.mark.skipif(not HAS_GPU, reason="FlexAttention trains on a GPU alone")
def test_score_mod_trains():
    assert_trains_on_a_gpu(mod_of, bias_of, [table()], draw(CELLS, CELLS, head_dim=16))
