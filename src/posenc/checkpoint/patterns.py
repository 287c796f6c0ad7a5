"""Which layers look how far, and which of them turn."""

from collections.abc import Callable
from typing import Any, NamedTuple

from .keys import Keys

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
#: Older names of types of layers.
_RENAMED = {"attention": FULL}


class Span(NamedTuple):
    """How far a layer looks: `window` is None if it looks everywhere."""

    kind: str
    window: int | None = None
    shape: str = ""  #: "sliding", "both sides" or "chunk"


def turned_layers(facts: Any, keys: Keys, num_layers: int) -> list[bool]:
    """Whether each layer turns, by the list of the configuration, else all do."""
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
    """Type and window of each layer."""
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
    """Say so if the pattern of an older key is not that of `layer_types`."""
    pattern = _PATTERNS[facts["pattern"]](facts, keys, turned)
    older = facts.get("period_key")
    if older and keys.has(older) and pattern != kinds:
        text = f"{keys.where}layer_types does not follow {older}: layer_types wins."
        keys.said.append(text)


def _check_length(key: str, given: list[Any], num_layers: int, keys: Keys) -> None:
    if len(given) != num_layers:
        msg = (
            f"{keys.name(key)} must have one entry for each of the {num_layers} "
            f"layers, got {len(given)}"
        )
        raise ValueError(msg)


def _period(facts: Any, keys: Keys, turned: list[bool]) -> list[str]:
    """One full layer in each period, the last or the first of it."""
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
    return [narrow if one == kind else Span(one) for one in kinds]


_WINDOWS: dict[str, Callable[[Any, Keys, list[str]], list[Span]]] = {
    "": _everywhere,
    "every": _every,
    "sliding": _sliding,
    "asked": _asked,
    "chunked": _chunks,
    "both_sides": _both_sides,
}
