from functools import partial

import torch
from flex_rules import Case, TestFlex, draw, run_page

from posenc import swin
from posenc.attention import attend

__all__ = ["TestFlex"]

CELLS = 3 * 4
bias_of = partial(swin.relative_position_bias, height=3, width=4)


def table():
    torch.manual_seed(1)
    return torch.randn(5 * 7, 3)


def cases(length=CELLS, head_dim=4):
    mod = partial(swin.score_mod, height=3, width=4)
    yield Case(mod, bias_of, [table()], draw(CELLS, CELLS, head_dim=head_dim))


def test_the_lines_on_the_page():
    qkv = draw(CELLS, CELLS)
    names = {"table": table(), "height": 3, "width": 4}
    result = run_page("swin", **dict(zip("qkv", qkv, strict=True)), **names)
    torch.testing.assert_close(result, attend(*qkv, bias=bias_of(table())))
