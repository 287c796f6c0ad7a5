"""Warnings for a reader of a configuration, as sentences."""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .keys import Keys
from .layers import Layer, Model
from .published import cited, family

_PITFALLS = Path(__file__).with_name("pitfalls.toml")
#: Names that have to do with positions.
_OF_POSITIONS = re.compile(
    r"rope|rotary|rotate|alibi|position|pos_emb|window|sliding|yarn|ntk|mscale"
    r"|relative_|layer_types|(long|short|attention|attn)_factor|attention_chunk"
    r"|(^|_)nope(_|$)|neox_style|seq(uence)?_len|temperature_tuning|logn"
)
#: Switches, and the layers from which a False would take something away.
_SWITCHES: tuple[tuple[re.Pattern[str], Callable[[Layer], bool]], ...] = (
    (re.compile("(use_)?(rope|rotary)(_emb.*)?"), lambda x: x.method == "rope"),
    (re.compile("(use_)?alibi(_.*)?"), lambda x: x.method == "alibi"),
    (re.compile("use_sliding_window"), lambda x: x.window_shape == "sliding"),
    (re.compile("use_pos(ition)?_emb.*"), lambda x: x.method != "none"),
)
_SHARE = "partial_rotary_factor"
#: Types whose rules read this share, even if the family turns whole heads.
_SHORTENED = {"linear", "dynamic", "yarn", "longrope", "llama3"}
#: Values of `position_embedding_type` that mean the method, or as much as its absence.
_SAME = {"rope": ("absolute", "rope", "rotary"), "alibi": ("absolute", "alibi")}


def warnings(facts: Mapping[str, Any], keys: Keys, model: Model) -> tuple[str, ...]:
    """Return all warnings, each once."""
    sentences = [
        *keys.warnings,
        *_contradictions(facts, keys, model),
        *_unread(facts, keys, model),
        *_unread_parameters(facts, model),
        *_pitfalls(facts, keys, model),
    ]
    return tuple(dict.fromkeys(sentences))


def _unread(facts: Mapping[str, Any], keys: Keys, model: Model) -> Iterator[str]:
    missing = sorted(k for k in keys.seen - set(keys.table) if _OF_POSITIONS.search(k))
    # Layers of one type may read a share that is wrong for those of another.
    harmful = set() if "part" in facts or not _stretched(model) else {_SHARE}
    for key, value in keys.table.items():
        read = key in keys.seen - harmful
        if not isinstance(key, str) or read or key.endswith("_config"):
            continue
        if _is_harmless(key, value, model):
            continue
        near = difflib.get_close_matches(key, missing, 1, 0.8)
        if _OF_POSITIONS.search(key) or near:
            meant = f" Did you mean {near[0]}?" if near else ""
            method = model.layers[0].method
            yield (
                f"{keys.where}{key} is not read by {facts['name']} "
                f"(method {method}): {_effect(key, model)}.{meant}"
            )


def _is_harmless(key: str, value: Any, model: Model) -> bool:
    """Return True if the value means no more than the absence of its key."""
    if key == "position_embedding_type":
        method = model.layers[0].method
        return value is None or value in _SAME.get(method, ("absolute",))
    if value is not False:
        return value is None
    return not any(
        switch.fullmatch(key) and any(map(has, model.layers))
        for switch, has in _SWITCHES
    )


def _unread_parameters(facts: Mapping[str, Any], model: Model) -> Iterator[str]:
    for given in model.given:
        kind = given.get("rope_type") or given.get("type") or "default"
        for key, value in given.table.items():
            fits = key == "mrope_interleaved" and value is bool(
                facts.get("interleaved")
            )
            if key in given.seen or value is None or fits:
                continue
            yield (
                f"{given.where}{key} is not read by {facts['name']} with type "
                f"{kind!r}: {_effect(key, model)}."
            )


def _effect(key: str, model: Model) -> str:
    """Describe what transformers does with a key that the family does not read."""
    if key == _SHARE and (stretched := _stretched(model)):
        kind = stretched[0]
        return f"with type {kind!r} transformers 5.23 makes too few frequencies of it"
    return "it changes nothing"


def _stretched(model: Model) -> list[str]:
    """Return the types of the layers whose rules read a share."""
    types = {layer.rotation.rope_type for layer in model.layers if layer.rotation}
    return sorted(types & _SHORTENED)


def _contradictions(
    facts: Mapping[str, Any], keys: Keys, model: Model
) -> Iterator[str]:
    for given in model.given:
        old, new = given.table.get("type"), given.table.get("rope_type")
        if old and new and old != new:
            where = given.where
            yield f"{where}rope_type is {new!r} and type {old!r}: rope_type wins."
        outer = facts.get("base_key", "rope_theta")
        inner = given.table.get("rope_theta")
        differs = keys.table.get(outer) not in (None, inner)
        if differs and facts["spelling"] == "flat":
            yield (
                f"{given.where}rope_theta is {inner} and {keys.where}{outer} is "
                f"{keys.table[outer]}: the inner one wins."
            )
    yield from _of_lengths(model)
    rules = [x.rotation for x in model.layers if x.rotation and x.method == "rope"]
    unknown = [rule.rope_type for rule in rules if rule.trained_len is None]
    if unknown:
        yield (
            f"The type {unknown[0]!r} does not say whether "
            f"max_position_embeddings={model.max_len} counts tokens before or "
            "after stretching: the trained length is unknown."
        )
    yield from _of_table(facts, keys, model)


def _of_lengths(model: Model) -> Iterator[str]:
    rules = {
        layer.rotation.rope_type: layer.rotation
        for layer in model.layers
        if layer.rotation
    }
    rule = rules.get("yarn") or rules.get("llama3")
    if rule is None or not model.max_len or not rule.trained_len:
        return
    ratio = model.max_len / rule.trained_len
    if ratio == 1:
        yield (
            "original_max_position_embeddings is absent or equals "
            f"max_position_embeddings: {rule.trained_len} is taken as the trained "
            "length."
        )
    elif rule.rope_type == "yarn" and abs(ratio - rule.factor) > 1e-9 * ratio:
        yield (
            f"factor is {rule.factor:g}, but max_position_embeddings / "
            f"original_max_position_embeddings is {ratio:g}: the factor is used; "
            "earlier versions of transformers used the ratio"
            f"{cited(['huggingface/transformers#38224'])}."
        )
    elif ratio < 1:
        yield (
            f"original_max_position_embeddings={rule.trained_len} is above "
            f"max_position_embeddings={model.max_len}."
        )


def _of_table(facts: Mapping[str, Any], keys: Keys, model: Model) -> Iterator[str]:
    """Yield what one family makes of its keys against what one would expect."""
    table, name = keys.table, facts["name"]
    if name == "olmo3" and "rope_theta" in table:
        base = facts["by_type"]["sliding_attention"]["base"]
        own = isinstance(table.get("rope_parameters"), Mapping)
        if table["rope_theta"] != base and not own:
            yield (
                f"rope_theta is {table['rope_theta']}, which transformers 5.23 gives "
                f"the full layers alone; sliding layers get {base:g}."
            )
    if name == "mpt":
        inner = table.get("attn_config")
        inner = inner if isinstance(inner, Mapping) else {}
        if inner.get("alibi") is False:
            yield (
                "attn_config.alibi is false, which transformers does not read: it adds "
                "ALiBi."
            )
        if inner.get("rope"):
            yield (
                "attn_config.rope is not read by transformers, which adds ALiBi and "
                "turns nothing."
            )
        if inner.get("alibi_bias_max", 8) != 8:
            yield (
                "attn_config.alibi_bias_max is not read by transformers: slopes end at "
                "2^-8."
            )
    if any(layer.details.get("terms") == [] for layer in model.layers):
        yield (
            "relative_attention is true, but pos_att_type names no term: distances "
            "change nothing."
        )
    if "divided_by" in model.layers[0].details:
        yield "Falcon divides the penalty by the root of head_dim, with the scores."


def _pitfalls(facts: Mapping[str, Any], keys: Keys, model: Model) -> Iterator[str]:
    types = {x.rotation.rope_type for x in model.layers if x.rotation}
    methods = {layer.method for layer in model.layers}
    layers = "unrotated" if {"none", "rope"} <= methods else ""
    parameters: dict[str, Any] = {}
    for given in model.given:
        if given.where:
            parameters |= {k: v for k, v in given.table.items() if v is not None}
    present = {k: v for k, v in keys.table.items() if v is not None}
    for pitfall in _table():
        holds = (
            not (ours := pitfall.get("families"))
            or bool(set(ours) & set(_line(facts))),
            not (kinds := pitfall.get("types")) or bool(set(kinds) & types),
            _has(parameters, pitfall.get("parameter", [])),
            _has(present, pitfall.get("key", [])),
            not set(pitfall.get("missing", [])) & set(present),
            pitfall.get("layers", layers) == layers,
        )
        if all(holds):
            yield f"{pitfall['says'].removesuffix('.')}{cited(pitfall['at'])}."


def _line(facts: Mapping[str, Any]) -> Iterable[str]:
    """Name the family and those that it is like."""
    while True:
        yield facts["name"]
        if "like" not in facts:
            return
        facts = family(facts["like"])


def _has(table: Mapping[str, Any], needed: Any) -> bool:
    if isinstance(needed, Mapping):
        return all(
            key in table and table[key] == value for key, value in needed.items()
        )
    return all(key in table for key in needed)


@cache
def _table() -> list[dict[str, Any]]:
    return list(tomllib.loads(_PITFALLS.read_text(encoding="utf-8"))["pitfall"])
