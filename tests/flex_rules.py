"""What holds for every ``score_mod`` and ``mask_mod``: FlexAttention gives the same.

``tests/<slug>/test_flex.py`` imports `TestFlex` and defines `cases`: a `Case` for each
setting, of few tokens or, for compiled kernels, of many.
"""

import importlib
import re
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
import torch
from torch.nn.attention.flex_attention import (
    and_masks,
    create_block_mask,
    flex_attention,
)

from posenc.attention import attend, causal_mask_mod, document_mask_mod

BOOK = Path(__file__).parents[1] / "book"

#: FlexAttention has a backward pass on a GPU alone.
HAS_GPU = torch.cuda.is_available()


def every_pair(mod, batch, num_heads, q_len, k_len):
    """The scores that `mod` makes of zeros, (batch, num_heads, q_len, k_len)."""
    rows = (None, None, None, 0), (None, None, 0, None), (None, 0, None, None)
    for axes in (*rows, (0, None, None, None)):
        mod = torch.vmap(mod, in_dims=(0, *axes))
    sizes = (batch, num_heads, q_len, k_len)
    return mod(torch.zeros(sizes), *map(torch.arange, sizes))


def flexed(
    q,
    k,
    v,
    score_mod=None,
    mask_mod=None,
    *,
    flex=flex_attention,
    make_mask=create_block_mask,
):
    """FlexAttention, by default not compiled, which it warns of."""
    sizes = (*q.shape[:-1], k.shape[-2])
    mask = None
    if mask_mod is not None:
        mask = make_mask(mask_mod, *sizes, device=q.device)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "flex_attention called without torch.comp")
        return flex(q, k, v, score_mod=score_mod, block_mask=mask)


def run_page(slug, **names):
    """What the lines on a chapter's page give, without the compiler."""
    text = (BOOK / f"{slug}.md").read_text()
    (lines,) = re.findall(r"^```python\n([^`]*flex_attention[^`]*)```", text, re.M)
    compiled = set()

    def compile_nothing(function):
        compiled.add(function)
        return function

    scope = {
        "and_masks": and_masks,
        "causal_mask_mod": causal_mask_mod,
        "create_block_mask": create_block_mask,
        "document_mask_mod": document_mask_mod,
        "flex_attention": flex_attention,
        "torch": SimpleNamespace(compile=compile_nothing),
        slug: importlib.import_module(f"posenc.{slug}"),
        **names,
    }
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "flex_attention called without torch.comp")
        exec(lines, scope)
    assert flex_attention in compiled
    if "mask" in scope:  # not compiled, it is made of a matrix of all pairs
        assert create_block_mask in compiled
        assert scope["mask"].shape[1] == 1  # one for all heads
    return scope["out"]


def draw(q_len, k_len, num_heads=3, head_dim=4):
    """Queries, keys and values of two sequences."""
    torch.manual_seed(0)
    sizes = (q_len, k_len, k_len)
    return [torch.randn(2, num_heads, length, head_dim) for length in sizes]


def assert_adds(score_mod, bias, qkv, *, mask_mod=None, mask=None):
    """The explicit form: `bias` added to the scores, where `mask` lets them be."""
    q, k, v = qkv
    sizes = (*q.shape[:-1], k.shape[-2])
    found = every_pair(score_mod, *sizes).double()
    wanted = bias.double().expand(sizes)
    if mask is not None:
        found, wanted = (torch.where(mask, x, 0.0) for x in (found, wanted))
    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-6)
    explicit = attend(q, k, v, bias=bias, mask=mask)
    with torch.no_grad():
        out = flexed(q, k, v, score_mod, mask_mod)
    torch.testing.assert_close(out, explicit.detach())


def assert_same_gradients(make_mod, make_bias, tensors, sizes, mask=None):
    """Those of the explicit form, of each of the tensors that both are made from."""
    torch.manual_seed(0)
    ways = torch.randn(sizes)
    if mask is not None:
        ways = ways * mask
    leaves = [tensor.clone().requires_grad_() for tensor in tensors]
    explicit = (make_bias(*leaves).expand(sizes) * ways).sum()
    by_pairs = (every_pair(make_mod(*leaves), *sizes) * ways).sum()
    for found, wanted in zip(
        torch.autograd.grad(by_pairs, leaves),
        torch.autograd.grad(explicit, leaves),
        strict=True,
    ):
        assert wanted.abs().sum() > 0
        torch.testing.assert_close(found, wanted)


def assert_compiles(score_mod, qkv, mask_mod=None):
    """The compiled kernel gives what the plain form does."""
    torch.compiler.reset()
    with torch.no_grad():
        wanted = flexed(*qkv, score_mod, mask_mod)
        compiled = {
            "flex": torch.compile(flex_attention),
            "make_mask": torch.compile(create_block_mask),
        }
        with warnings.catch_warnings():
            # torch's own: its compiler warns where a rule reads a tensor.
            warnings.filterwarnings("ignore", ".*autograd.function.Function.*instanti")
            found = flexed(*qkv, score_mod, mask_mod, **compiled)
    torch.testing.assert_close(found, wanted)


def assert_trains_on_a_gpu(make_mod, make_bias, tensors, qkv, mask_mod=None, mask=None):
    """Gradients of the compiled kernel: those of the explicit form."""
    torch.compiler.reset()
    results = []
    for flexible in (True, False):
        q, k, v, *leaves = (
            x.detach().clone().cuda().requires_grad_() for x in (*qkv, *tensors)
        )
        if flexible:
            fused = torch.compile(flex_attention)
            out = flexed(q, k, v, make_mod(*leaves), mask_mod, flex=fused)
        else:
            hidden = None if mask is None else mask.cuda()
            out = attend(q, k, v, bias=make_bias(*leaves), mask=hidden)
        results.append(torch.autograd.grad(out.square().sum(), (q, k, v, *leaves)))
    for found, wanted in zip(*results, strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-3)


class Case(NamedTuple):
    """A rule and the bias that it adds, made of the same tensors, and what attends."""

    make_mod: Callable
    make_bias: Callable
    leaves: list
    qkv: list
    mask_mod: Callable | None = None
    mask: torch.Tensor | None = None


class TestFlex:
    """The cases of one chapter: eager, compiled, and with gradients."""

    def pytest_generate_tests(self, metafunc):
        """Make a test for each case, or for the first one of many tokens."""
        if "case" in metafunc.fixturenames:
            metafunc.parametrize("case", [*metafunc.module.cases()])
        elif "long" in metafunc.fixturenames:
            metafunc.parametrize("long", [next(metafunc.module.cases(140, 16))])

    def test_score_mod_adds_the_bias(self, case):
        """Whatever the setting is."""
        mod, bias = case.make_mod(*case.leaves), case.make_bias(*case.leaves)
        assert_adds(mod, bias, case.qkv, mask_mod=case.mask_mod, mask=case.mask)

    def test_gradients_are_those_of_the_bias(self, case):
        """Of each tensor that both are made of."""
        if case.leaves:
            sizes = (*case.qkv[0].shape[:-1], case.qkv[1].shape[-2])
            assert_same_gradients(*case[:3], sizes, case.mask)

    @pytest.mark.slow
    def test_score_mod_compiles(self, long):
        """On a CPU, without gradients."""
        assert_compiles(long.make_mod(*long.leaves), long.qkv, long.mask_mod)

    @pytest.mark.skipif(not HAS_GPU, reason="FlexAttention trains on a GPU alone")
    def test_score_mod_trains(self, long):
        """On a GPU, compiled; queries and keys that a rule reads are constants."""
        read = sum(any(leaf is x for x in long.qkv) for leaf in long.leaves)
        fixed = [leaf.cuda() for leaf in long.leaves[:read]]
        mod, bias = (partial(make, *fixed) for make in long[:2])
        assert_trains_on_a_gpu(mod, bias, long.leaves[read:], *long[3:])
