"""Right answers in numbers that are too small: no check may let one pass.

Each is a right answer that gets one of its whole numbers, or counts, in too few bits,
cut off at some size, or without its sign. Checks that try near inputs alone take them
for right.
"""

import functools
import inspect
import types

import numpy as np
import torch

_SIZES = {
    "8 bits": lambda v: (v + 128) % 256 - 128,
    "8 bits, unsigned": lambda v: v % 256,
    "at most 500": lambda v: np.minimum(v, 500),
}
_SIGNED_SIZES = {
    **_SIZES,
    "16 bits": lambda v: (v + 2**15) % 2**16 - 2**15,
    "no sign": np.abs,
    "at least -500": lambda v: np.maximum(v, -500),
}
#: Arguments that may be negative, or beyond 16 bits at no cost.
_SIGNED = {"positions", "relative_position", "offset"}
#: Numbers of features, heads or buckets: no model has hundreds, or they are a shape.
_WIDTHS = {
    *("d_model", "head_dim", "rotary_dim", "num_heads", "num_buckets", "groups"),
    *("exponent", "num_layers", "kernel", "before", "after", "bucket"),
    *("height", "width"),
}


def _sizes_of(*names):
    return {f"{name}: at most 500" for name in names}


#: Ways to be narrow by exercise that no input of the exercise makes large. Most count
#: features, heads, buckets, cells, layers or digits; the rest would be too slow.
_FEW_COUNTED = """
alibi.alibi_slopes alibi.one_row alibi.slopes_down_to
attention.windowed_attention cape.move_stamps checkpoint.repair_layers
checkpoint.slow_planes_of linear_attention.backward_attention
linear_attention.repair_decoder music_transformer.repair_test
rope.apply_rotary rope.axial_rotary rope.cached_scores rope.partial_rotary
rope.repair_cache rope.repair_directions rope.repair_layout
rotation.cosine_first_operator rotation.first_rise
rotation.half_shift_operator rotation.repair_shift rotation.shift_operator
shaw.repair_attention sinusoidal.cosine_first_encoding sinusoidal.dials_needed
sinusoidal.repair_adding sinusoidal.repair_encoding
sinusoidal.sinusoidal_encoding sinusoidal.turning_pairs
swin.column_major_index swin.relative_position_index swin.repair_bias
swin.row_uses t5.enough_distance
"""
_FEW_RESULTS = """
checkpoint.slow_planes_of convolutional.layers_to_middle rotation.first_rise
sinusoidal.dials_needed sinusoidal.turning_pairs swin.offset_of_row
swin.row_uses t5.enough_distance t5.relative_position_bucket t5.repair_bucket
t5.two_sided_bucket t5.unused_buckets transformer_xl.layers_needed
"""
_OTHERS = {
    "attention.windowed_attention": _sizes_of("window"),
    "shaw.graph_labels": _sizes_of("heads"),
    "music_transformer.source_of": _sizes_of("i", "c", "seq_len"),
    "music_transformer.queries_that_see": _sizes_of("j", "block", "seq_len"),
    "transformer_xl.layers_needed": _sizes_of(
        "position", "target", "segment_len", "memory_len"
    ),
    # float32 does not tell the logits of hundreds of numbers apart.
    "cape.counting_layer": {"most: 8 bits, unsigned", "most: at most 500"},
    "linear_attention.causal_attention": {"chunk"},
    "t5.unused_buckets": {"max_distance"},
    "t5.repair_decoding": {"max_distance", "num_steps"},
    "cape.ctc_probability": {"target"},
    "convolutional.layers_to_middle": _sizes_of("seq_len"),
}


def narrow_answers(name, right, calls):
    """Yield a name and a function for each way to be too narrow.

    `calls` are pairs of arguments and options that the check was seen to use.
    """
    never = _OTHERS.get(name, set())
    never = never | {"counts"} if name in _FEW_COUNTED.split() else set()
    never = never | {"result"} if name in _FEW_RESULTS.split() else set()
    names = list(inspect.signature(right).parameters)
    for place in [*range(len(calls[0][0])), *calls[0][1]]:
        word = names[place] if isinstance(place, int) else place
        values = [(a[place] if isinstance(place, int) else k[place]) for a, k in calls]
        tried = word in _SIGNED or any(map(_is_whole, values))
        if word in _WIDTHS | never or not tried:
            continue
        for words, change in (_SIGNED_SIZES if word in _SIGNED else _SIZES).items():
            if f"{word}: {words}" in never:
                continue
            if words == "8 bits" and isinstance(values[0], int):
                continue
            yield f"{word}: {words}", _with_argument(right, place, change)
    if "counts" not in never and _counts(right.__code__):
        change = _SIZES["8 bits"]
        yield "counts: 8 bits", _counting(right, change)
    if "result" not in never and _is_whole(right(*calls[-1][0], **calls[-1][1])):
        for words in ("8 bits", "8 bits, unsigned"):
            change = _changed(_SIZES[words])
            yield f"result: {words}", _then(right, change)


def calls_of(check, name, right):
    """Arguments and options of all calls that a check makes."""
    seen = []

    @functools.wraps(right)
    def spy(*args, **options):
        seen.append((args, options))
        return right(*args, **options)

    assert check(name, spy)
    longest = max(len(args) for args, _ in seen)
    return [
        call
        for call in seen
        if len(call[0]) == longest and call[1].keys() == seen[-1][1].keys()
    ]


def _is_whole(value):
    if isinstance(value, bool | np.bool_):
        return False
    if isinstance(value, list):
        flat = value[0] if value and isinstance(value[0], list) else value
        return bool(flat) and all(type(entry) is int for entry in flat)
    if isinstance(value, torch.Tensor):
        kind = value.dtype
        return not (kind.is_floating_point or kind.is_complex or kind == torch.bool)
    return isinstance(value, int | np.integer) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "iu"
    )


def _changed(change):
    def changed(value):
        if isinstance(value, torch.Tensor):
            return torch.from_numpy(np.asarray(change(value.numpy()))).to(value.dtype)
        if isinstance(value, list):
            return change(np.asarray(value)).tolist()
        if isinstance(value, np.ndarray):
            return np.asarray(change(value.astype(np.int64))).astype(value.dtype)
        # No length is 0 or less: loops might never end.
        return max(int(change(value)), 1) if value > 0 else int(change(value))

    return changed


def _with_argument(right, place, change):
    change = _changed(change)

    @functools.wraps(right)
    def narrow(*args, **options):
        if isinstance(place, int):
            args = [change(v) if i == place else v for i, v in enumerate(args)]
        else:
            options = {k: change(v) if k == place else v for k, v in options.items()}
        return right(*args, **options)

    return narrow


def _then(right, change):
    return functools.wraps(right)(lambda *args, **kw: change(right(*args, **kw)))


def _counts(code):
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return "arange" in code.co_names or any(map(_counts, inner))


class _Counting:
    """A library whose `arange` is narrow."""

    def __init__(self, library, change):
        self._library, self._change = library, _changed(change)

    def __getattr__(self, name):
        return getattr(self._library, name)

    def arange(self, *args, **options):
        """Count, and change what was counted."""
        return self._change(self._library.arange(*args, **options))


def _counting(right, change):
    libraries = {"np": _Counting(np, change), "torch": _Counting(torch, change)}
    narrow = types.FunctionType(
        right.__code__,
        right.__globals__ | libraries,
        right.__name__,
        right.__defaults__,
        right.__closure__,
    )
    narrow.__kwdefaults__ = right.__kwdefaults__
    return narrow
