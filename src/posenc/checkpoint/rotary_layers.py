"""Layers that turn queries and keys."""

from typing import Any

import numpy as np

from posenc import rope
from posenc.core.checks import check_even

from .keys import Keys
from .layers import Layer
from .patterns import FULL, spans, turned_layers
from .rope_parameters import parameters, rotation
from .rope_types import Rotation
from .sizes import Found, head_dim, num_layers


def rotated_layers(facts: Any, keys: Keys) -> Found:
    """Layers of a model that turns queries and keys."""
    count, max_len = num_layers(keys), keys.whole("max_position_embeddings")
    turned = turned_layers(facts, keys, count)
    wide = spans(facts, keys, turned)
    if facts.get("rotated") == "windowed":
        turned = [span.window is not None for span in wide]
    kinds = list(dict.fromkeys(span.kind for span in wide))
    given = parameters(facts, keys, kinds)
    plan = {kind: _plan(facts, keys, kind, given[kind], max_len) for kind in kinds}
    layers = [
        Layer(
            number,
            window=span.window,
            window_shape=span.shape,
            **(plan[span.kind] if turns else _still(keys, plan[span.kind])),
        )
        for number, (span, turns) in enumerate(zip(wide, turned, strict=True))
    ]
    rules = [plan[kind]["rotation"] for kind in kinds]
    stretched = [r for r in rules if r.rope_type != "default"]
    trained = (stretched or rules)[0].trained_len
    return Found(layers, trained, max_len, list(given.values()))


def _plan(facts: Any, keys: Keys, kind: str, given: Keys, max_len: int) -> Any:
    """Return what the layers of one type have in common."""
    width, first = _turned_part(facts, keys, kind)
    rule = rotation(facts, given, width, max_len)
    if "rotary_dim" in facts["defaults"]:
        whole, width = width, keys.whole("rotary_dim")
        if width > whole or width % 2:
            name = keys.name("rotary_dim")
            msg = f"{name} must be even and at most head_dim={whole}, got {width}"
            raise ValueError(msg)
        rule, size = Rotation("default", rule.base, width, max_len), whole
    else:
        size = first + width
    layout = facts["layout"]
    if "layout_key" in facts:
        layout = "interleaved" if keys.flag(facts["layout_key"]) else "half"
    details = {"values_turn": True} if keys.flag("rotary_value") else {}
    return {
        "method": "rope",
        "head_dim": size,
        "rotary_dim": rule.width,
        "layout": layout,
        "first_turned": first,
        "sections": _sections(facts, given, rule.width),
        "sections_interleaved": bool(facts.get("interleaved")),
        "score_factor": _score_factor(facts, given, rule),
        "details": details,
        "rotation": rule,
    }


def _turned_part(facts: Any, keys: Keys, kind: str) -> tuple[int, int]:
    """Features of a head that may turn, and how many stand before them."""
    if facts.get("latent"):
        first = keys.whole("qk_nope_head_dim", minimum=0)
        width = head_dim(keys, "qk_rope_head_dim")
        _compare_head_dim(facts, keys, width)
    else:
        own = "global_head_dim" in facts["defaults"] and kind == FULL
        first, width = 0, head_dim(keys, "global_head_dim" if own else "head_dim")
    check_even(f"{keys.where}head_dim", width, remedy="features turn in pairs")
    return width, first


def _compare_head_dim(facts: Any, keys: Keys, turned: int) -> None:
    """Warn of a `head_dim` that transformers takes for the features that turn."""
    given = keys.table.get("head_dim")
    if facts.get("reads_head_dim") and given not in (None, turned):
        keys.said.append(
            f"head_dim is {given}, not qk_rope_head_dim={turned}: transformers 5.23 "
            "makes its frequencies of the former, and crashes."
        )


def _still(keys: Keys, plan: Any) -> Any:
    """Return what the layers that do not turn have in common."""
    details: dict[str, Any] = {}
    if keys.get("attn_temperature_tuning"):
        details = {
            "query_factor": "log(floor((position + 1) / floor_scale) + 1) * attn_scale "
            "+ 1",
            "floor_scale": keys.number("floor_scale"),
            "attn_scale": keys.number("attn_scale"),
        }
    return {"method": "none", "head_dim": plan["head_dim"], "details": details}


def _sections(facts: Any, given: Keys, width: int) -> tuple[int, ...] | None:
    if "sections" not in facts:
        return None
    listed = given.listing("mrope_section")
    sections = facts["sections"] if listed is None else listed
    name = given.name("mrope_section")
    if len(sections) != 3:
        msg = f"{name} must hold pairs for time, row and column, got {sections}"
        raise ValueError(msg)
    settings: Any = {
        "sections": sections,
        "interleaved": bool(facts.get("interleaved")),
    }
    try:
        rope.multimodal_angles(np.zeros((3, 1)), width, **settings)
    except (TypeError, ValueError) as error:
        said = "" if listed else " (it is absent, and this is the default)"
        msg = f"{name}: {error}{said}"
        raise type(error)(msg) from None
    return tuple(int(size) for size in sections)


def _score_factor(facts: Any, given: Keys, rule: Rotation) -> float:
    """DeepSeek's factor on the scores, the square of its ``mscale``."""
    if not facts.get("latent") or rule.rope_type == "default":
        return 1.0
    weight = given.number_or_none("mscale_all_dim", minimum=0.0) or 0.0
    if weight and given.get("factor") is None:
        msg = (
            f"{given.name('factor')} must be a number beside mscale_all_dim, got "
            f"nothing: transformers 5.23 cannot build a model of {facts['name']} then"
        )
        raise ValueError(msg)
    return rope.yarn_attention_factor(rule.factor, mscale=weight) ** 2
