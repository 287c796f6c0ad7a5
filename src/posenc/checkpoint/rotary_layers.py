"""Layers that turn queries and keys, and how far each of them looks."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from posenc import rope
from posenc.core.checks import check_even

from .keys import Keys
from .layers import Layer, Model, head_dim, num_layers
from .rope_parameters import parameters, rotation
from .rope_types import Rotation

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
#: Older names of types of layers.
_RENAMED = {"attention": FULL}


class Span(NamedTuple):
    """Window of a layer: `window` is None if it looks everywhere."""

    kind: str
    window: int | None = None
    shape: str = ""  #: "sliding", "both sides" or "chunk"


def turned_layers(facts: Any, keys: Keys, num_layers: int) -> list[bool]:
    """Return True for layers that turn by the configuration's list, else for all."""
    if facts.get("rotated") != "listed":
        return [True] * num_layers
    given = keys.listing("no_rope_layers")
    every = keys.whole("no_rope_layer_interval")
    if given is None or (not given and facts.get("empty_list")):
        return [bool((i + 1) % every) for i in range(num_layers)]
    _check_length("no_rope_layers", given, num_layers, keys)
    for value in given:
        if value not in (0, 1):
            msg = (
                f"{keys.name('no_rope_layers')} must hold 1 (the layer turns, in spite "
                f"of the name) and 0 (it does not), got {value!r}"
            )
            raise ValueError(msg)
    return [bool(value) for value in given]


def spans(facts: Any, keys: Keys, turned: list[bool]) -> list[Span]:
    """Return the type and window of each layer."""
    kinds = _kinds(facts, keys, turned)
    return _WINDOWS[facts.get("windows", "")](facts, keys, kinds)


def _kinds(facts: Any, keys: Keys, turned: list[bool]) -> list[str]:
    rule = facts.get("pattern")
    if rule is None:
        return [FULL] * len(turned)
    given = keys.listing("layer_types")
    if given is None:
        kinds = _PATTERNS[rule](facts, keys, turned)
    else:
        _check_length("layer_types", given, len(turned), keys)
        kinds = [_RENAMED.get(str(kind), str(kind)) for kind in given]
        known = {FULL, CHUNKED if rule == "chunked" else SLIDING}
        for kind in kinds:
            if kind not in known:
                msg = (
                    f"{keys.name('layer_types')} must hold "
                    f"{' and '.join(sorted(known))} for {facts['name']}, got {kind!r}"
                )
                raise ValueError(msg)
        _compare(facts, keys, turned, kinds)
    if facts.get("last_full"):
        kinds[-1] = FULL
    return kinds


def _compare(facts: Any, keys: Keys, turned: list[bool], kinds: list[str]) -> None:
    """Warn if the pattern of an older key is not that of `layer_types`."""
    pattern = _PATTERNS[facts["pattern"]](facts, keys, turned)
    older = facts.get("period_key")
    if older and keys.has(older) and pattern != kinds:
        text = f"{keys.where}layer_types does not follow {older}: layer_types wins."
        keys.warnings.append(text)


def _check_length(key: str, given: list[Any], num_layers: int, keys: Keys) -> None:
    if len(given) != num_layers:
        msg = (
            f"{keys.name(key)} must have one entry for each of the {num_layers} "
            f"layers, got {len(given)}"
        )
        raise ValueError(msg)


def _period(facts: Any, keys: Keys, turned: list[bool]) -> list[str]:
    """Return one full layer in each period, the last or the first of it."""
    period, key = facts["period"], facts.get("period_key")
    if key and keys.has(key):
        period = keys.whole(key)
    first = 0 if facts.get("first_full") else period - 1
    return [FULL if i % period == first else SLIDING for i in range(len(turned))]


def _from_layer(facts: Any, keys: Keys, turned: list[bool]) -> list[str]:
    first = keys.whole("max_window_layers", minimum=0)
    return [SLIDING if i >= first else FULL for i in range(len(turned))]


def _chunked(facts: Any, keys: Keys, turned: list[bool]) -> list[str]:
    return [CHUNKED if turns else FULL for turns in turned]


def _unrotated(facts: Any, keys: Keys, turned: list[bool]) -> list[str]:
    return [FULL if turns else SLIDING for turns in turned]


_PATTERNS: dict[str, Callable[[Any, Keys, list[bool]], list[str]]] = {
    "period": _period,
    "from_layer": _from_layer,
    "chunked": _chunked,
    "unrotated": _unrotated,
}


def _everywhere(facts: Any, keys: Keys, kinds: list[str]) -> list[Span]:
    return [Span(kind) for kind in kinds]


def _every(facts: Any, keys: Keys, kinds: list[str]) -> list[Span]:
    window = keys.whole_or_none("sliding_window")
    return [Span(kind, window, "sliding" if window else "") for kind in kinds]


def _sliding(facts: Any, keys: Keys, kinds: list[str]) -> list[Span]:
    window, shape = keys.whole_or_none("sliding_window"), "sliding"
    both_ways = facts.get("both_ways")
    asked = keys.get("use_bidirectional_attention")
    if window is not None and both_ways is not None and asked == both_ways:
        window, shape = window // 2, "both sides"
    return _where(SLIDING, kinds, window, shape)


def _asked(facts: Any, keys: Keys, kinds: list[str]) -> list[Span]:
    keys.get("sliding_window")
    asked = keys.flag("use_sliding_window")
    window = keys.whole_or_none("sliding_window") if asked else None
    return _where(SLIDING, kinds, window, "sliding")


def _chunks(facts: Any, keys: Keys, kinds: list[str]) -> list[Span]:
    return _where(CHUNKED, kinds, keys.whole_or_none("attention_chunk_size"), "chunk")


def _both_sides(facts: Any, keys: Keys, kinds: list[str]) -> list[Span]:
    return _where(SLIDING, kinds, keys.whole("local_attention") // 2, "both sides")


def _where(kind: str, kinds: list[str], window: int | None, shape: str) -> list[Span]:
    narrow = Span(kind, window, shape if window is not None else "")
    return [narrow if k == kind else Span(k) for k in kinds]


_WINDOWS: dict[str, Callable[[Any, Keys, list[str]], list[Span]]] = {
    "": _everywhere,
    "every": _every,
    "sliding": _sliding,
    "asked": _asked,
    "chunked": _chunks,
    "both_sides": _both_sides,
}


def rotated_layers(facts: Any, keys: Keys) -> Model:
    """Return the layers of a model that turns queries and keys."""
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
    return Model(layers, trained, max_len, list(given.values()))


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
    """Return the features of a head that may turn, and the number before them."""
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
        keys.warnings.append(
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
        remark = "" if listed else " (it is absent, and this is the default)"
        msg = f"{name}: {error}{remark}"
        raise type(error)(msg) from None
    return tuple(int(size) for size in sections)


def _score_factor(facts: Any, given: Keys, rule: Rotation) -> float:
    """Return DeepSeek's factor on the scores, the square of its ``mscale``."""
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
