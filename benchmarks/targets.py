"""The library against what engineers use. ``python benchmarks/targets.py [NAME ...]``.

Each row is one piece of work, done by ours and by what it must hold against: code of
others, or the least that any code must do. Both take turns, and the ratio is that of a
pair of neighbors, so that a slow moment of the machine hits both. One thread, and the
processor's time in it: other programs that use the processor do not count. The record
holds the median of the ratios, their quartiles, and the ratio to be reached.

With names, only rows that contain one of them are measured, and nothing is written.
"""

import functools
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from unittest import mock

import torch
from linear_attention import ours as linear_ours
from linear_attention import split_loop
from record import ROOT, Work, keep_memory, peer, save
from torch.nn.functional import scaled_dot_product_attention as fused

from posenc.alibi import alibi_bias
from posenc.attention import causal_mask
from posenc.core import checks as core_checks
from posenc.nn import (
    AlibiAttention,
    MultiHeadAttention,
    RotaryAttention,
    RotaryEmbedding,
    SinusoidalEncoding,
    WindowAttention,
)
from posenc.nn import RelativePositionBias as T5Bias
from posenc.rope import apply_rotary_complex, rotary_angles, rotary_factors
from posenc.swin import relative_position_bias as swin_bias
from posenc.t5 import relative_position_bias

SEED = 0
DTYPES = (torch.float32, torch.bfloat16)
LAYOUTS = ("interleaved", "half")
#: Batch, heads, tokens, features of a head.
TOKENS, HEADS, HEAD_DIM = 4096, 16, 64
L = 2048  # of attention


@dataclass(frozen=True)
class Row:
    """Our function and its counterpart; `calls` of each are one measurement."""

    name: str
    against: str
    target: float
    ours: Work
    theirs: Work
    repeats: int = 15
    calls: int = 1

    def measure(self) -> dict[str, Any]:
        """Return ratios of neighbors (median and quartiles), and our median time."""
        times: tuple[list[float], list[float]] = [], []
        for repeat in range(self.repeats + 2):
            for work, taken in zip((self.ours, self.theirs), times, strict=True):
                start = time.process_time()
                for _ in range(self.calls):
                    work()
                if repeat >= 2:
                    taken.append((time.process_time() - start) / self.calls)
        ratios = [a / b for a, b in zip(*times, strict=True)]
        low, median, high = statistics.quantiles(ratios, n=4)
        return {
            "against": self.against,
            "target": self.target,
            "ratio": round(median, 3),
            "low": round(low, 3),
            "high": round(high, 3),
            "microseconds": round(1e6 * statistics.median(times[0]), 1),
        }


def trained(work: Work, *leaves: torch.Tensor) -> Work:
    """Run `work` forward, and backward to the leaves from a given gradient."""
    ways = torch.randn_like(work())

    def both() -> None:
        torch.autograd.grad(work(), leaves, ways)

    return both


def both_ways(name: str, ours: Any, theirs: Any, x: torch.Tensor, **rest: Any) -> Any:
    """Measure rows of two functions of `x`, forward alone and with its gradient."""
    leaf = x.clone().requires_grad_()
    yield Row(name, ours=lambda: ours(x), theirs=lambda: theirs(x), **rest)
    way, other = (trained(lambda f=f: f(leaf), leaf) for f in (ours, theirs))
    yield Row(f"{name}, and backward", ours=way, theirs=other, **rest)


def words(dtype: torch.dtype) -> str:
    """Return its name."""
    return str(dtype).removeprefix("torch.")


def rotary_tables() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return our factors, and cosines and sines as in transformers' Llama."""
    angles = rotary_angles(torch.arange(TOKENS), HEAD_DIM)
    wide = torch.cat([angles, angles], dim=-1)[None]
    return rotary_factors(angles), wide.cos(), wide.sin()


def llama(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotate one tensor as ``apply_rotary_pos_emb`` of transformers' Llama does."""
    rotate_half = peer("transformers.models.llama.modeling_llama").rotate_half
    turned: torch.Tensor = x * cos + rotate_half(x) * sin
    return turned


def rope() -> Iterator[Row]:
    """Measure prefill and training, eager."""
    factors, cos, sin = rotary_tables()
    for dtype in DTYPES:
        x = torch.randn(1, HEADS, TOKENS, HEAD_DIM).to(dtype)
        tables = cos.to(dtype), sin.to(dtype)
        for layout in LAYOUTS:
            yield from both_ways(
                f"rope, {layout}, {words(dtype)}",
                lambda x, y=layout: apply_rotary_complex(x, factors, layout=y),
                lambda x, t=tables: llama(x, *t),
                x,
                against="transformers",
                target=1.0,
            )
    x = torch.randn(1, HEADS, TOKENS, HEAD_DIM)
    yield Row(
        "rope, interleaved, float32, cached factors",
        *("copy", 1.3),
        lambda: apply_rotary_complex(x, factors),
        x.clone,
        repeats=51,
    )


def rope_compiled() -> Iterator[Row]:
    """Compare the compiled functions."""
    factors, cos, sin = rotary_tables()
    for dtype in DTYPES:
        x = torch.randn(1, HEADS, TOKENS, HEAD_DIM).to(dtype)
        tables = cos.to(dtype), sin.to(dtype)
        theirs = torch.compile(lambda x, cos, sin: llama(x, cos, sin))
        for layout in LAYOUTS:
            ours = torch.compile(
                lambda x, f, y=layout: apply_rotary_complex(x, f, layout=y)
            )
            yield from both_ways(
                f"rope, compiled, {layout}, {words(dtype)}",
                lambda x, f=ours: f(x, factors),
                lambda x, t=tables, f=theirs: f(x, *t),
                x,
                against="transformers, compiled",
                target=1.1,
            )


def rope_decoding() -> Iterator[Row]:
    """Measure query and key of one token; both look their row up in a table."""
    _, cos, sin = rotary_tables()
    last = TOKENS - 1
    for dtype in DTYPES:
        q, k = torch.randn(2, 1, HEADS, 1, HEAD_DIM).to(dtype)
        tables = cos.to(dtype), sin.to(dtype)

        def theirs(q: Any = q, k: Any = k, tables: Any = tables) -> Any:
            row = [table[:, last : last + 1] for table in tables]
            return llama(q, *row), llama(k, *row)

        for layout in LAYOUTS:
            rotary = RotaryEmbedding(HEAD_DIM, layout=layout)
            yield Row(
                f"rope, one token, {layout}, {words(dtype)}",
                *("transformers", 1.2),
                lambda q=q, k=k, r=rotary: r.rotate(q, k, offset=last),
                theirs,
                repeats=101,
                calls=50,
            )


def t5() -> Iterator[Row]:
    """Time building the bias, attending with it, and one token."""
    heads = 8
    config = peer("transformers").T5Config(num_heads=heads, d_kv=HEAD_DIM)
    module = peer("transformers.models.t5.modeling_t5").T5Attention
    layer = module(config, has_relative_attention_bias=True, layer_idx=0)
    ours, table = T5Bias(heads), torch.randn(32, heads)
    yield Row(
        "t5, bias",
        *("fill", 1.1),
        lambda: relative_position_bias(table, L, L),
        lambda: torch.empty(heads, L, L).fill_(1.0),
    )
    with torch.enable_grad():
        theirs_leaf = layer.relative_attention_bias.weight
        yield Row(
            "t5, bias, and backward",
            *("transformers", 1.0),
            trained(lambda: ours(L, L), ours.table),
            trained(lambda: layer.compute_bias(L, L), theirs_leaf),
            repeats=7,
        )
    for dtype in DTYPES:
        q, k, v = torch.randn(3, 1, heads, L, HEAD_DIM).to(dtype)
        bias = relative_position_bias(table.to(dtype), L, L)[None]
        yield Row(
            f"t5, fused attention with bias[None], {words(dtype)}",
            *("without a bias", 1.15),
            lambda q=q, k=k, v=v, b=bias: fused(q, k, v, attn_mask=b),
            lambda q=q, k=k, v=v: fused(q, k, v),
        )
    yield Row(
        "t5, one token, bias",
        *("transformers", 1.0),
        lambda: ours(1, L, q_offset=L - 1),
        lambda: layer.compute_bias(1, L, past_seen_tokens=L - 1),
        repeats=51,
        calls=20,
    )


def sinusoidal() -> Iterator[Row]:
    """Measure one token; the target of 25 µs is a ratio to a table's row."""
    module, x = SinusoidalEncoding(1024), torch.randn(1, 1, 1024)
    table = module._table(TOKENS, 0, x.dtype, x.device)
    yield Row(
        "sinusoidal, one token",
        *("a row of a table, added", 25.0),
        lambda: module(x, offset=TOKENS - 1),
        lambda: x + table[TOKENS - 1 : TOKENS],
        repeats=101,
        calls=50,
    )


def linear() -> Iterator[Row]:
    """Measure training, and forward alone."""
    for dtype in DTYPES:
        for causal in (True, False):
            for length in (4096, 8192, 16384):
                kind = "causal" if causal else "all keys"
                ours, theirs = (
                    make(length, 8, dtype, causal=causal)
                    for make in (linear_ours, split_loop)
                )
                yield Row(
                    f"linear, {kind}, {words(dtype)}, {length}, and backward",
                    *("the same chunks by split", 1.1),
                    ours,
                    theirs,
                    repeats=7,
                )


def attention() -> Iterator[Row]:
    """Measure modules against the fused kernel between the same projections."""
    heads = 8
    d_model = heads * HEAD_DIM
    for dtype in DTYPES:
        x = torch.randn(1, L, d_model).to(dtype)
        q, k, v = torch.randn(3, 1, heads, L, HEAD_DIM).to(dtype)
        plain = MultiHeadAttention(d_model, heads).to(dtype)

        def by_hand(x: Any, m: Any = plain) -> Any:
            parts = (p(x) for p in (m.query, m.key, m.value))
            q, k, v = (y.unflatten(-1, (heads, -1)).transpose(1, 2) for y in parts)
            return m.output(fused(q, k, v).transpose(1, 2).flatten(-2))

        rest: dict[str, Any] = {"against": "fused attention", "target": 1.1}
        rest["repeats"] = 7 if dtype == torch.float32 else 3  # they take seconds
        name = f"attention, {{}}, {words(dtype)}".format
        yield from both_ways(name("multi-head"), plain, by_hand, x, **rest)
        rotary = RotaryAttention(d_model, heads).to(dtype)

        def turned(x: Any, m: Any = rotary) -> Any:
            y = m.qkv(x).unflatten(-1, (3, heads, -1)).movedim(-3, 0)
            q, k, v = y.transpose(-3, -2)
            q, k = m.rotary.rotate(q, k)
            return m.out(fused(q, k, v, is_causal=True).transpose(1, 2).flatten(-2))

        yield from both_ways(
            name("rotary"), lambda x, m=rotary: m(x)[0], turned, x, **rest
        )
        bias = alibi_bias(heads, L, L, xp=torch, dtype=dtype)
        hidden = ~causal_mask(L, L, xp=torch)
        bias = bias.masked_fill(hidden, -torch.inf)[None]
        alibi = AlibiAttention(heads)
        yield from both_ways(
            name("alibi"),
            lambda q, k=k, v=v, m=alibi: m(q, k, v),
            lambda q, k=k, v=v, b=bias: fused(q, k, v, attn_mask=b),
            q,
            **rest,
        )
        windows = torch.randn(64, 49, d_model).to(dtype)
        swin = WindowAttention(d_model, heads, window=(7, 7)).to(dtype)

        def by_windows(x: Any, m: Any = swin) -> Any:
            y = m.qkv(x).unflatten(-1, (3, heads, -1)).movedim(-3, 0)
            q, k, v = y.transpose(-3, -2)
            bias = swin_bias(m.table, 7, 7)[None]
            return m.out(fused(q, k, v, attn_mask=bias).transpose(1, 2).flatten(-2))

        yield from both_ways(name("windows"), swin, by_windows, windows, **rest)


def checks() -> Iterator[tuple[str, float]]:
    """Yield the microseconds that checking arguments takes in one call of each.

    The calls are those of ``tests/<slug>/calls.py``, on tensors. What a function asks
    of ``posenc.core.checks`` is written down, and asked again.
    """
    sys.path.insert(0, str(ROOT / "tests"))
    from public_calls import as_torch, function_call, public_functions

    for name, function in public_functions().items():
        call = as_torch(function_call(name))
        asked: list[tuple[Any, Any, Any]] = []
        with ExitStack() as patches:
            for place, own in checks_in_use():
                patches.enter_context(
                    mock.patch.object(place, own.__name__, spied(own, asked))
                )
            function(**call)

        def again(asked: Any = asked) -> None:
            for check, args, options in asked:
                check(*args, **options)

        taken = []
        for _ in range(25):
            start = time.process_time()
            for _ in range(100):
                again()
            taken.append((time.process_time() - start) / 100)
        yield name, 1e6 * statistics.median(taken)


def checks_in_use() -> Iterator[tuple[Any, Any]]:
    """Yield modules, and the checks that they have imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith("posenc.") and name not in (core_checks.__name__,):
            for value in list(vars(module).values()):
                if getattr(value, "__module__", "") == core_checks.__name__:
                    yield module, value


def spied(check: Any, asked: list[tuple[Any, Any, Any]]) -> Any:
    """Return the check with a record of its calls, which goes to `asked`."""

    @functools.wraps(check)
    def spy(*args: Any, **options: Any) -> Any:
        asked.append((check, args, options))
        return check(*args, **options)

    return spy


GROUPS = (rope, rope_decoding, rope_compiled, t5, sinusoidal, linear, attention)


def main() -> None:
    """Measure all rows and write ``book/data/bench_targets.json``."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    names, results = sys.argv[1:], {}
    for group in GROUPS:
        for row in group():
            if names and not any(name in row.name for name in names):
                continue
            backward = "backward" in row.name
            with torch.set_grad_enabled(backward):
                result = results[row.name] = row.measure()
            mark = " " if result["ratio"] <= row.target else "!"
            print(
                f"{mark} {row.name:52} {result['ratio']:6.2f} "
                f"({result['low']:.2f} … {result['high']:.2f}) of {row.target:5.2f} × "
                f"{row.against}; {result['microseconds']:.0f} µs",
                flush=True,
            )
    cost = {name: round(taken, 1) for name, taken in checks()}
    for name, taken in sorted(cost.items(), key=lambda pair: -pair[1])[:12]:
        print(f"{' ' if taken <= 10 else '!'} checks of {name:43} {taken:6.1f} µs")
    if not names:
        save("targets", {"rows": results, "microseconds_of_checks": cost}, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
