"""A checkpoint in words and in numbers: what the command line prints."""

import textwrap
from collections.abc import Iterator
from typing import Any

from posenc import t5

from .groups import Group, beyond_window, first_untrained, groups
from .layers import Checkpoint, check_checkpoint
from .sentences import METHODS, of_layer

#: Tokens for which memory is told if the configuration names no length.
_TOKENS = 2048
_COLUMNS = 88


def as_dict(checkpoint: Checkpoint) -> dict[str, Any]:
    """Everything as numbers, texts, lists and tables, for JSON.

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
    found = groups(checkpoint)
    lines = [f"{checkpoint.family}: {METHODS[checkpoint.method]}"]
    lines += [f"    {line}" for line in _lengths(checkpoint)]
    lines += ["", f"Layers: {checkpoint.num_layers}"]
    for group in found:
        stack = f" ({group.layer.stack})" if group.layer.stack else ""
        lines.append(f"    {group.names}{stack}")
        lines += [f"        {line}" for line in of_layer(group.layer, checkpoint)]
    sections = {
        "Distances": dict.fromkeys(_distances(checkpoint, found)),
        "Memory": dict.fromkeys(_memory(checkpoint, found)),
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


def _distances(checkpoint: Checkpoint, found: list[Group]) -> Iterator[str]:
    for group in found:
        told = _distance(group, checkpoint)
        told = f"{group.title}: {told}" if len(found) > 1 else told
        yield told[0].upper() + told[1:]


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


def _memory(checkpoint: Checkpoint, found: list[Group]) -> Iterator[str]:
    tokens, heads = checkpoint.max_len or _TOKENS, checkpoint.num_heads
    for layer in (group.layer for group in found):
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
