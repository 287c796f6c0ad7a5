"""Cost of rotating queries. ``python benchmarks/rope.py``.

The bound is one copy of the queries. Angles, factors and tables of cosines are made
beforehand, for ours and for the others. The curves over length are those of
`LENGTHS`, with the other axes of `SHAPE`. Training, decoding and compiled code are
measured on one thread, against the formula of transformers with its tables at hand.
``--show`` prints and writes nothing.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from record import keep_memory, peer, round_robin, save, show

from posenc.nn import RotaryEmbedding
from posenc.rope import (
    apply_rotary,
    apply_rotary_complex,
    apply_rotary_real,
    rotary_angles,
    rotary_factors,
)

SHAPE, SEED = (1, 16, 4096, 64), 0
LAYOUTS = ("interleaved", "half")
LENGTHS = (128, 256, 512, 1024, 2048, 4096, 8192)


def main() -> None:
    """Measure and write ``book/data/bench_rope.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    x = torch.randn(SHAPE)
    angles = rotary_angles(torch.arange(SHAPE[-2], dtype=torch.float32), SHAPE[-1])
    factors = rotary_factors(angles)
    x_numpy, angles_numpy = x.numpy(), angles.numpy()
    factors_numpy = rotary_factors(angles_numpy).astype(np.complex64)
    candidates = {
        "copy": lambda: x.clone(),
        "complex": lambda: apply_rotary_complex(x, factors),
        "from_angles": lambda: apply_rotary(x, angles),
        "real": lambda: apply_rotary_real(x, angles),
        "real_half": lambda: apply_rotary_real(x, angles, layout="half"),
        "numpy_complex": lambda: apply_rotary_complex(x_numpy, factors_numpy),
        "numpy_real": lambda: apply_rotary_real(x_numpy, angles_numpy),
    }
    half = torch.cat([angles, angles], dim=-1)
    cos, sin = half.cos()[None], half.sin()[None]
    if llama := peer("transformers.models.llama.modeling_llama"):
        key = x[:, :1, :1]  # its function rotates a key as well: give it next to none
        candidates["transformers"] = lambda: llama.apply_rotary_pos_emb(
            x, key, cos, sin
        )
    if embedding := peer("rotary_embedding_torch"):
        twice = angles.repeat_interleave(2, dim=-1)
        candidates["rotary-embedding-torch"] = lambda: embedding.apply_rotary_emb(
            twice, x
        )
    if other := peer("x_transformers.x_transformers"):
        candidates["x-transformers"] = lambda: other.apply_rotary_pos_emb(x, half[None])
    times = round_robin(candidates, repeats=25)
    show(f"x of shape {SHAPE}", times, bound="copy")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    lengths = {str(length): by_length(length) for length in LENGTHS}
    training = {
        name: by_dtype(getattr(torch, name)) for name in ("float32", "bfloat16")
    }
    decoding, compiled = one_token(), by_compiler()
    torch.set_num_threads(threads)
    results = {
        "settings": {"shape": SHAPE, "threads_of_lengths": 1},
        "milliseconds": times,
        "lengths": lengths,
        "training": training,
        "decoding": decoding,
        "compiled": compiled,
    }
    if "--show" not in sys.argv:
        save("rope", results, seed=SEED)


def transformers_formula() -> Callable[..., Any] | None:
    """Rotate a tensor by tables of cosines and sines as transformers' Llama does."""
    llama = peer("transformers.models.llama.modeling_llama")
    if llama is None:
        return None
    return lambda x, cos, sin: x * cos + llama.rotate_half(x) * sin


def by_dtype(dtype: torch.dtype) -> dict[str, Any]:
    """Time forward alone, and forward and backward, in both layouts."""
    x = torch.randn(SHAPE).to(dtype)
    weights = torch.randn(SHAPE).to(dtype)
    angles = rotary_angles(torch.arange(SHAPE[-2], dtype=torch.float32), SHAPE[-1])
    factors = rotary_factors(angles)
    half = torch.cat([angles, angles], dim=-1)
    cos, sin = half.cos()[None].to(dtype), half.sin()[None].to(dtype)
    forms: dict[str, Callable[..., Any]] = {
        "copy": torch.clone,
        "complex": lambda x: apply_rotary_complex(x, factors),
        "complex_half": lambda x: apply_rotary_complex(x, factors, layout="half"),
    }
    if formula := transformers_formula():
        forms["transformers"] = lambda x: formula(x, cos, sin)
    forward = round_robin({name: _call(form, x) for name, form in forms.items()})
    show(f"forward, {dtype}", forward, bound="copy")
    leaf = x.clone().requires_grad_()
    with torch.enable_grad():
        both = round_robin(
            {name: _gradient(form, leaf, weights) for name, form in forms.items()}
        )
    show(f"forward and backward, {dtype}", both, bound="copy")
    return {"forward": forward, "backward": both}


def _call(form: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    return lambda: form(*arguments)


def _gradient(form: Callable[..., Any], x: Any, weights: Any) -> Callable[[], Any]:
    return lambda: torch.autograd.grad(form(x), x, weights)


def one_token() -> dict[str, Any]:
    """Time the queries and keys of one token; both look up rows of the tables."""
    q, k = torch.randn(2, SHAPE[0], SHAPE[1], 1, SHAPE[-1])
    position = SHAPE[-2] - 1
    angles = rotary_angles(torch.arange(SHAPE[-2], dtype=torch.float32), SHAPE[-1])
    half = torch.cat([angles, angles], dim=-1)
    cos, sin = half.cos()[None], half.sin()[None]
    candidates = {}
    for layout in LAYOUTS:
        module = RotaryEmbedding(SHAPE[-1], layout=layout)
        candidates[layout] = _decoding(module, q, k, position)
    if formula := transformers_formula():

        def theirs() -> Any:
            row = slice(position, position + 1)
            here = cos[:, row], sin[:, row]
            return formula(q, *here), formula(k, *here)

        candidates["transformers"] = theirs
    candidates["copy"] = lambda: (q.clone(), k.clone())
    times = round_robin(candidates, repeats=2001, warm_up=100)
    show("one token, queries and keys", times, bound="copy")
    return times


def _decoding(module: Any, q: Any, k: Any, position: int) -> Callable[[], Any]:
    return lambda: module.rotate(q, k, offset=position)


def by_compiler() -> dict[str, Any]:
    """Time both layouts under torch.compile, where a compiler for its code exists."""
    x = torch.randn(SHAPE)
    angles = rotary_angles(torch.arange(SHAPE[-2], dtype=torch.float32), SHAPE[-1])
    factors = rotary_factors(angles)
    half = torch.cat([angles, angles], dim=-1)
    cos, sin = half.cos()[None], half.sin()[None]
    forms: dict[str, tuple[Any, ...]] = {
        layout: (lambda x, f, y=layout: apply_rotary_complex(x, f, layout=y), factors)
        for layout in LAYOUTS
    }
    if formula := transformers_formula():
        forms["transformers"] = (formula, cos, sin)
    candidates: dict[str, Callable[[], Any]] = {"copy": lambda: x.clone()}
    for name, (form, *tables) in forms.items():
        candidates[name] = _call(torch.compile(form), x, *tables)
    try:
        times = round_robin(candidates)
    except RuntimeError as error:
        print(f"compiled: not measured, {type(error).__name__}")
        return {}
    show("compiled", times, bound="copy")
    return times


def by_length(length: int) -> dict[str, dict[str, float]]:
    """Time the ways that the chapter draws, on one thread, for one length.

    With two threads a busy neighbor makes them wait for each other, at some lengths and
    not at others, and then the curve shows the neighbor.
    """
    x = torch.randn(*SHAPE[:2], length, SHAPE[-1])
    angles = rotary_angles(torch.arange(length, dtype=torch.float32), SHAPE[-1])
    factors = rotary_factors(angles)
    times = round_robin(
        {
            "copy": lambda: x.clone(),
            "complex": lambda: apply_rotary_complex(x, factors),
            "real": lambda: apply_rotary_real(x, angles),
        },
        repeats=25,
    )
    show(f"{length} tokens", times, bound="copy")
    return times


if __name__ == "__main__":
    keep_memory()
    main()
