"""A checkpoint in sentences and in numbers, as the command line prints them."""

import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from posenc import t5

from .layers import (
    Checkpoint,
    Group,
    Layer,
    beyond_window,
    check_checkpoint,
    first_untrained,
    groups,
    planes,
)
from .rope_types import Rotation

METHODS = {
    "rope": "rotary embedding: queries and keys turn with their position",
    "learned": "learned vectors, one per position, added to the input",
    "sinusoidal": "sines and cosines added to the input",
    "t5": "learned biases of the scores, one per bucket of distances",
    "alibi": "ALiBi: scores lose in proportion to the distance",
    "none": "no encoding of positions",
    "swin": "learned biases of the scores inside windows of a picture",
    "convolutional": "a convolution of the input",
    "transformer_xl": "sinusoids of the distance in the scores, as in Transformer-XL",
    "shaw": "learned vectors of the distance in the scores, as in Shaw's method",
}
_WINDOWS = {
    "sliding": "A query sees {:,} tokens, its own with them.",
    "both sides": "A query sees {:,} tokens on each side.",
    "chunk": "A query sees no further than its block of {:,} tokens.",
    "block": "{:,} patches look into each other.",
}


def of_layer(layer: Layer, checkpoint: Checkpoint) -> Iterator[str]:
    """Yield sentences on a layer."""
    yield from _WORDS[layer.method](layer)
    if layer.window:
        yield _WINDOWS[layer.window_shape].format(layer.window)
    turns = layer.method == "rope" and (layer.frequencies() > 0).any()
    if turns and layer.rotation:
        yield from _pairs(layer, layer.rotation, checkpoint)
        kind, factor = layer.rotation.rope_type, layer.rotation.factor
        if kind != "default" and (kind != "proportional" or factor > 1):
            yield from _stretching(layer, layer.rotation, checkpoint)


def _pairs(layer: Layer, rule: Rotation, checkpoint: Checkpoint) -> Iterator[str]:
    waves = planes(layer, None).wavelengths
    turning = waves[np.isfinite(waves)]
    still = len(waves) - len(turning)
    yield (
        f"{len(waves)} planes: the fastest needs {_tokens(turning.min())} tokens for a "
        f"turn, the slowest {_tokens(turning.max())}"
        + (f"; {still} stand still." if still else ".")
    )
    length = first_untrained(layer, checkpoint)
    them = f"the {len(turning)} that turn" if still else "them"
    if length is None and checkpoint.max_len:
        promised = checkpoint.max_len
        slow = (turning > promised).sum()
        yield (
            f"{slow} of {them} make no whole turn within the promised {promised:,} "
            "tokens."
        )
    if length:
        unsure = "" if rule.trained_len else ", if training was as long as that"
        window = ", its window" if length == beyond_window(layer) else ""
        plain = rule.rope_type in ("default", "proportional")
        when = "in training" if plain else "before stretching"
        yield (
            f"{planes(layer, length).never_round} of {them} made no whole turn {when}, "
            f"within {length:,} tokens{window}{unsure}."
        )


def _stretching(layer: Layer, rule: Rotation, checkpoint: Checkpoint) -> Iterator[str]:
    seen = planes(layer, None, checkpoint.max_len)
    fast, slow = float(seen.slower[0]), float(seen.slower.max())
    fastest = f"is slowed down by {fast:.4g}" if fast > 1 else "keeps its speed"
    moving = int(np.isfinite(seen.wavelengths).sum())
    between = moving - seen.kept - seen.divided
    yield (
        f"Stretching: {rule.rope_type}, factor {rule.factor:.6g}. At the promised "
        f"length the fastest plane {fastest}, and none is slowed down by more than "
        f"{slow:.4g}; {seen.kept} of {moving} planes keep their speed, {seen.divided} "
        f"are slowed down by the whole factor, {between} by another number."
    )
    factor = layer.attention_factor(checkpoint.max_len)
    if factor != 1:
        part = layer.rotary_dim < layer.head_dim
        turning = "The part of queries and keys that turns is"
        whose = turning if part else "Queries and keys are"
        scores = "its part of the scores is" if part else "scores are"
        square = f"{factor**2:.6g}"
        yield f"{whose} multiplied by {factor:.6g}, so {scores} multiplied by {square}."
    if layer.score_factor != 1:
        yield f"Scores are multiplied by {layer.score_factor:.6g} besides."


def _tokens(number: float) -> str:
    """Write four digits of a number, without exponent."""
    return f"{float(f'{number:.4g}'):,.10g}"


def _rope(layer: Layer) -> Iterator[str]:
    place = f" from feature {layer.first_turned} on" if layer.first_turned else ""
    base = layer.rotation.base if layer.rotation else 0.0
    turning = 2 * int((layer.frequencies() > 0).sum())
    yield (
        f"{turning} of {layer.head_dim} features turn{place}, "
        f"layout {layer.layout!r}, base {base:,.10g}."
    )
    if layer.sections:
        order = "in turns" if layer.sections_interleaved else "one after the other"
        listed = ", ".join(map(str, layer.sections))
        yield f"Pairs for time, row and column, {order}: {listed}."
    if layer.details.get("values_turn"):
        yield "Values turn as well."


def _still(layer: Layer) -> Iterator[str]:
    yield f"None of {layer.head_dim} features turns: no position in the scores."
    if layer.details:
        yield (
            "Queries are multiplied by a factor that grows with their position, "
            f"{layer.details['query_factor']}."
        )


def _learned(layer: Layer) -> Iterator[str]:
    details = layer.details
    yield (
        f"A table of {details['rows']:,} rows and {details['width']:,} columns at the "
        f"input; position 0 is row {details['first_row']}."
    )


def _sinusoidal(layer: Layer) -> Iterator[str]:
    exact = layer.rotation is not None and layer.rotation.rope_type == "tensor2tensor"
    ends = "from 1 to 1/10,000 exactly" if exact else "as in the paper"
    yield (
        f"{layer.rotary_dim:,} features at the input: all sines, then all cosines; "
        f"frequencies {ends}."
    )


def _t5(layer: Layer) -> Iterator[str]:
    details = layer.details
    sides = "both directions" if details["bidirectional"] else "the past"
    yield (
        f"{details['num_buckets']} buckets for {sides}, on a scale that ends at "
        f"{details['max_distance']:,} tokens."
    )
    yield (
        "It has a table of its own."
        if details["own_table"]
        else "It uses the table of the stack's first layer."
    )


def _alibi(layer: Layer) -> Iterator[str]:
    slopes = layer.details["slopes"]
    yield (
        f"{len(slopes)} heads with slopes from {max(slopes):.6g} to {min(slopes):.6g} "
        "per token."
    )
    if "divided_by" in layer.details:
        divisor = layer.details["divided_by"]
        yield f"The penalty is divided by {divisor:.6g}, with the scores."


def _swin(layer: Layer) -> Iterator[str]:
    details = layer.details
    yield (
        f"Windows of {details['side']} × {details['side']} patches, moved by "
        f"{details['shift']}; a table of {details['rows']:,} rows and "
        f"{details['num_heads']} columns."
    )
    yield from _absolute(details)


def _convolutional(layer: Layer) -> Iterator[str]:
    details = layer.details
    yield (
        f"A kernel of {details['kernel']} tokens over {details['width']:,} features in "
        f"{details['groups']} groups, at the input."
    )


def _transformer_xl(layer: Layer) -> Iterator[str]:
    details, clamp = layer.details, layer.details["clamp"]
    yield (
        f"Distances have {layer.rotary_dim:,} sines and cosines; {details['memory']:,} "
        "tokens are remembered."
    )
    if clamp:
        yield f"Distances beyond {clamp:,} count as {clamp:,}."


def _shaw(layer: Layer) -> Iterator[str]:
    details = layer.details
    terms = ", ".join(details["terms"]) or "none"
    yield f"A table of {details['rows']:,} rows for distances; its terms: {terms}."
    if details["buckets"]:
        yield (
            f"From {details['buckets'] // 2} tokens on, distances share rows, on a "
            f"scale that ends at {details['max_distance']:,}."
        )
    yield from _absolute(details)


def _absolute(details: Mapping[str, Any]) -> Iterator[str]:
    if rows := details["absolute_rows"]:
        yield f"Learned vectors are added to the input as well: {rows:,} rows."


_WORDS: dict[str, Callable[[Layer], Iterator[str]]] = {
    "rope": _rope,
    "none": _still,
    "learned": _learned,
    "sinusoidal": _sinusoidal,
    "t5": _t5,
    "alibi": _alibi,
    "swin": _swin,
    "convolutional": _convolutional,
    "transformer_xl": _transformer_xl,
    "shaw": _shaw,
}


#: Tokens for the memory of a configuration without a length.
_TOKENS = 2048
_COLUMNS = 88


def as_dict(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return everything as numbers, texts, lists and tables, for JSON.

    Layers that are alike stand together, under ``layers`` with their ``numbers``;
    ``frequencies`` are radians per token, of a text within the trained length and of
    one of `Checkpoint.max_len` tokens.

    Examples
    --------
    >>> from posenc.checkpoint import describe
    >>> as_dict(describe({"model_type": "olmo"}))["layers"][0]["base"]
    10000.0
    """
    check_checkpoint(checkpoint)
    keys = ("family", "method", "num_layers", "num_heads", "trained_len", "max_len")
    return {
        **{key: getattr(checkpoint, key) for key in keys},
        "warnings": list(checkpoint.warnings),
        "assumed": dict(checkpoint.assumed),
        "layers": [_as_dict(checkpoint, group) for group in groups(checkpoint)],
    }


def _as_dict(checkpoint: Checkpoint, group: Group) -> dict[str, Any]:
    layer, rule = group.layer, group.layer.rotation
    facts = {k: v for k, v in vars(layer).items() if k not in ("number", "rotation")}
    facts |= {"numbers": list(group.numbers), "details": dict(layer.details)}
    facts["sections"] = list(layer.sections) if layer.sections else None
    if rule:
        longest = checkpoint.max_len
        facts |= {
            "rope_type": rule.rope_type,
            "base": rule.base,
            "factor": rule.factor,
            "frequencies": layer.frequencies().tolist(),
            "frequencies_at_max_len": layer.frequencies(longest).tolist(),
            "attention_factor": layer.attention_factor(longest),
        }
    return facts


def report(checkpoint: Checkpoint) -> str:
    """Report what a checkpoint does about positions, as text.

    Examples
    --------
    >>> from posenc.checkpoint import describe
    >>> print(report(describe({"model_type": "gpt2", "n_positions": 1024}))[:58])
    gpt2: learned vectors, one per position, added to the inpu
    """
    alike = groups(checkpoint)
    lines = [f"{checkpoint.family}: {METHODS[checkpoint.method]}"]
    lines += [f"    {line}" for line in _lengths(checkpoint)]
    lines += ["", f"Layers: {checkpoint.num_layers}"]
    for group in alike:
        stack = f" ({group.layer.stack})" if group.layer.stack else ""
        lines.append(f"    {group.names}{stack}")
        lines += [f"        {line}" for line in of_layer(group.layer, checkpoint)]
    sections = {
        "Distances": dict.fromkeys(_distances(checkpoint, alike)),
        "Memory": dict.fromkeys(_memory(checkpoint, alike)),
        "Keys that are absent, with the values that transformers takes": [
            f"{key} = {value}" for key, value in checkpoint.assumed.items()
        ],
        "Warnings": [f"! {warning}" for warning in checkpoint.warnings],
    }
    for title, body in sections.items():
        lines += ["", title, *(f"    {line}" for line in body)] if body else []
    return "\n".join(_wrapped(line) for line in lines)


def _wrapped(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())] + "  "
    options: Any = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(line, _COLUMNS, subsequent_indent=indent, **options)


def _lengths(checkpoint: Checkpoint) -> Iterator[str]:
    trained, longest = checkpoint.trained_len, checkpoint.max_len
    known = "not told by the configuration"
    if trained:
        promise = "if training was as long as the configuration promises"
        which = promise if trained == longest else "before stretching"
        known = f"{trained:,} tokens, {which}"
    yield f"Trained length: {known}"
    if longest and longest != trained:
        yield f"Length that is promised: {longest:,} tokens"


def _distances(checkpoint: Checkpoint, alike: list[Group]) -> Iterator[str]:
    for group in alike:
        text = _distance(group, checkpoint)
        text = f"{group.title}: {text}" if len(alike) > 1 else text
        yield text[0].upper() + text[1:]


def _distance(group: Group, checkpoint: Checkpoint) -> str:
    layer, first = group.layer, first_untrained(group.layer, checkpoint)
    if layer.method == "learned":
        rows = layer.details["rows"] - layer.details["first_row"]
        return f"the first position without a vector is {rows:,}."
    if layer.method == "t5":
        keys = ("bidirectional", "num_buckets", "max_distance")
        far = int(t5.bucket_starts(**{key: layer.details[key] for key in keys})[-1])
        return (
            f"every distance has a bucket; from {far:,} tokens on all share the last."
        )
    if layer.method == "shaw":
        far = layer.details["max_distance"]
        return f"from {far:,} tokens on, all distances share a row."
    if layer.method == "convolutional":
        return (
            "the convolution reaches tokens up to half its kernel away; no distance "
            "enters the scores."
        )
    if layer.window_shape == "block":
        return "they end with the window."
    if first is None:
        return "the first distance that was never trained is not told."
    ends = first == beyond_window(layer)
    window = ", where the window ends" if ends else ""
    rule = layer.rotation
    when = " before stretching" if rule and rule.factor > 1 and not ends else ""
    return f"the first distance that was never trained{when} is {first:,}{window}."


def _memory(checkpoint: Checkpoint, alike: list[Group]) -> Iterator[str]:
    tokens, heads = checkpoint.max_len or _TOKENS, checkpoint.num_heads
    for layer in (group.layer for group in alike):
        details = layer.details
        if layer.method == "rope" and (rule := layer.rotation):
            size = _bytes(tokens * layer.rotary_dim * 4)
            yield (
                f"Cosines and sines of {layer.rotary_dim // 2} pairs for {tokens:,} "
                f"tokens: {size} in float32, if they are kept, once for all layers "
                f"with base {rule.base:,.10g} and type {rule.rope_type}."
            )
        elif layer.method in ("learned", "sinusoidal"):
            size = _bytes(details["rows"] * details["width"] * 4)
            yield f"The table at the input: {size} in float32."
        elif layer.method in ("alibi", "t5"):
            size = _bytes(heads * tokens**2 * 4)
            yield (
                f"Biases of {heads} heads for {tokens:,} tokens, if they are written "
                f"out: {size} in float32."
            )
        elif layer.method in ("swin", "shaw"):
            columns = details.get("num_heads") or heads * layer.head_dim
            size = _bytes(details["rows"] * columns * 4)
            yield f"A table of distances: {size} in float32."
            if details["absolute_rows"]:
                size = _bytes(details["absolute_rows"] * details["absolute_width"] * 4)
                yield f"The table at the input: {size} in float32."


def _bytes(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:,.4g} TiB"
