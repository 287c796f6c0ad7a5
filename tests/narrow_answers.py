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
_PAIRS = "counts of pairs of features"
_DIGITS = "a number of digits or turns, never above a hundred"
_BUCKETS = "counts of buckets, which are few"
_CELLS = "counts of cells of a window"
_SLOW = "a sentence this long takes the judge's loops too long"
#: By exercise: arguments, ways to be narrow, "counts" or "result" that no input of the
#: exercise's makes large, and why.
NEVER_LARGE = {
    "attention.windowed_attention": {"window: at most 500": _SLOW, "counts": _SLOW},
    "sinusoidal.dials_needed": {"result": _DIGITS, "counts": _DIGITS},
    "sinusoidal.sinusoidal_encoding": {"counts": _PAIRS},
    "sinusoidal.repair_encoding": {"counts": _PAIRS},
    "sinusoidal.turning_pairs": {"result": _PAIRS, "counts": _PAIRS},
    "rotation.shift_operator": {"counts": _PAIRS},
    "rotation.half_shift_operator": {"counts": _PAIRS},
    "rotation.repair_shift": {"counts": _PAIRS},
    "rotation.cosine_first_operator": {"counts": _PAIRS},
    "rotation.first_rise": {"result": _DIGITS, "counts": _PAIRS},
    "shaw.graph_labels": {"heads: at most 500": _SLOW},
    "shaw.repair_attention": {"counts": _SLOW},
    "music_transformer.source_of": dict.fromkeys(
        ("i: at most 500", "c: at most 500", "seq_len: at most 500"), _SLOW
    ),
    "music_transformer.queries_that_see": dict.fromkeys(
        ("j: at most 500", "block: at most 500", "seq_len: at most 500"), _SLOW
    ),
    "transformer_xl.layers_needed": dict.fromkeys(
        (
            *("position: at most 500", "target: at most 500"),
            *("segment_len: at most 500", "memory_len: at most 500"),
        ),
        _SLOW,
    )
    | {"result": _DIGITS},
    "cape.counting_layer": dict.fromkeys(
        ("most: 8 bits, unsigned", "most: at most 500"),
        "float32 does not tell the logits of hundreds of numbers apart",
    ),
    "linear_attention.causal_attention": {"chunk": "no result depends on it"},
    "linear_attention.repair_decoder": {"counts": _SLOW},
    "linear_attention.backward_attention": {"counts": _SLOW},
    "t5.relative_position_bucket": {"result": _BUCKETS},
    "t5.repair_bucket": {"result": _BUCKETS},
    "t5.enough_distance": {"result": _BUCKETS, "counts": _BUCKETS},
    "t5.unused_buckets": dict.fromkeys(("max_distance", "result"), _BUCKETS),
    "t5.repair_decoding": dict.fromkeys(("num_steps", "max_distance"), _SLOW),
    "t5.two_sided_bucket": {"result": _BUCKETS},
    "rope.cached_scores": {"counts": "counts of new tokens"},
    "alibi.one_row": {"counts": "counts of heads"},
    "alibi.slopes_down_to": {"counts": "counts of heads"},
    "checkpoint.slow_planes_of": {"counts": _PAIRS, "result": _PAIRS},
    "checkpoint.repair_layers": {"counts": "counts of layers"},
    "cape.move_stamps": {"counts": "counts of sequences"},
    "cape.ctc_probability": {"target": "labels of three symbols"},
    "swin.relative_position_index": {"counts": _CELLS},
    "swin.offset_of_row": {"result": "rows and columns of a window"},
    "sinusoidal.repair_adding": {"counts": _SLOW},
    "music_transformer.repair_test": {"counts": _SLOW},
    "swin.repair_bias": {"counts": _CELLS},
    "swin.row_uses": {"counts": _CELLS, "result": _CELLS},
    "swin.column_major_index": {"counts": _CELLS},
    "convolutional.layers_to_middle": {
        "seq_len: at most 500": _SLOW,
        "result": "counts of layers",
    },
    "rope.apply_rotary": {"counts": _PAIRS},
    "rope.repair_layout": {"counts": _PAIRS},
    "rope.repair_directions": {"counts": _PAIRS},
    "rope.partial_rotary": {"counts": _PAIRS},
    "rope.axial_rotary": {"counts": _PAIRS},
    "sinusoidal.cosine_first_encoding": {"counts": _PAIRS},
    "rope.repair_cache": {"counts": _PAIRS},
    "alibi.alibi_slopes": {"counts": "counts of heads"},
}


def narrow_answers(name, right, calls):
    """Yield a name and a function for each way to be too narrow.

    `calls` are pairs of arguments and options that the check was seen to use.
    """
    never = NEVER_LARGE.get(name, {})
    names = list(inspect.signature(right).parameters)
    for place in [*range(len(calls[0][0])), *calls[0][1]]:
        word = names[place] if isinstance(place, int) else place
        values = [(a[place] if isinstance(place, int) else k[place]) for a, k in calls]
        tried = word in _SIGNED or any(map(_is_whole, values))
        if word in _WIDTHS | never.keys() or not tried:
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
