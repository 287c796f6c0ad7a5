"""Rope parameters in their old and new spelling, as one set for each type of layer."""

from collections.abc import Callable, Sequence
from typing import Any

from posenc.core.checks import check_flag

from .keys import Keys
from .rope_types import Rotation

_KINDS = ("full_attention", "sliding_attention", "chunked_attention")
#: Types whose trained length stands in a key of its own.
_WITH_ORIGINAL = ("llama3", "yarn", "longrope")


def parameters(facts: Any, keys: Keys, kinds: Sequence[str]) -> dict[str, Keys]:
    """Return parameters of each type of layer, with base, share and length."""
    if facts["spelling"] == "fixed":
        return dict.fromkeys(kinds, Keys({"rope_theta": facts["base"]}))
    if facts["spelling"] == "flat":
        return dict.fromkeys(kinds, _one_for_all(facts, keys))
    return {kind: _of_type(facts, keys, kind) for kind in kinds}


def _one_for_all(facts: Any, keys: Keys) -> Keys:
    place, table = _flat_table(facts, keys)
    for kind in _KINDS:
        if kind in table:
            msg = (
                f"{place}{kind} must not be there, got one set of parameters per type "
                f"of layer: {facts['name']} has one set for all of them"
            )
            raise ValueError(msg)
    _default(
        table, "rope_theta", keys, facts.get("base_key", "rope_theta"), facts["base"]
    )
    if "part" in facts:
        share = facts.get("part_key", "partial_rotary_factor")
        _default(table, "partial_rotary_factor", keys, share, facts["part"])
    used = rope_type(facts, Keys(table, where=place))
    _default_share(used, table, keys)
    _take_outer_length(used, facts, table, keys, place)
    return Keys(table, where=place)


def _default_share(used: str, table: dict[str, Any], keys: Keys) -> None:
    """Give a "proportional" table without a share the one that stands beside it."""
    name = "partial_rotary_factor"
    if used == "proportional" and name not in table and keys.has(name):
        table[name] = keys.get(name)


def _take_outer_length(
    used: str, facts: Any, table: dict[str, Any], keys: Keys, place: str
) -> None:
    """Replace a table's original length by the one at the top, which wins."""
    name = "original_max_position_embeddings"
    if not keys.has(name) or used not in _WITH_ORIGINAL:
        return
    # A family with a default checks the type of its key, and so refuses 4096.0.
    whole = keys.whole if name in facts["defaults"] else keys.length
    inner, outer = table.get(name), whole(name)
    if inner not in (None, outer):
        default = "" if name in keys.table else ", the family's default,"
        keys.warnings.append(
            f"{place}{name} is {inner}, but {outer} at the top{default} wins."
        )
    table[name] = outer


def _flat_table(facts: Any, keys: Keys) -> tuple[str, dict[str, Any]]:
    old, new = keys.table_of("rope_scaling"), keys.table_of("rope_parameters")
    if old and new:
        both = f"{keys.where}rope_scaling and rope_parameters are both there"
        keys.warnings.append(f"{both}: the former is read alone.")
    if old:
        return f"{keys.where}rope_scaling.", old
    if new:
        return f"{keys.where}rope_parameters.", new
    if "rope" in facts:
        keys.assumed["rope_parameters"] = facts["rope"]
    return keys.where, dict(facts.get("rope", {}))


def _of_type(facts: Any, keys: Keys, kind: str) -> Keys:
    rule = facts["by_type"][kind]
    given = keys.table_of("rope_parameters")
    if not facts["scaled"] and keys.table_of("rope_scaling"):
        msg = (
            f"{keys.name('rope_scaling')} must not be there for {facts['name']}: it "
            "replaces rope_parameters, which has a part for each type of layer"
        )
        raise ValueError(msg)
    others = sorted(map(str, set(given or ()) - set(_KINDS)))
    if others and facts.get("types_alone"):
        msg = (
            f"{keys.name('rope_parameters')} must hold a part for each type of layer "
            f"and nothing else for {facts['name']}, got {', '.join(others)}"
        )
        raise ValueError(msg)
    if given and not set(given) & set(_KINDS):
        message = (
            f"{keys.where}rope_parameters has no part for each type of layer, which "
            f"{facts['name']} reads: it changes nothing."
        )
        keys.warnings.append(message)
        if "rope" in rule or keys.table_of("rope_scaling"):
            raise ValueError(message)
    nested = Keys(given or {}, where=f"{keys.where}rope_parameters.")
    table = nested.table_of(kind)
    place = f"{nested.where}{kind}."
    if table is None and given and "rope" in rule:
        msg = f"{place[:-1]} must be a table of keys, got nothing: its layers turn"
        raise ValueError(msg)
    if table is None:
        table = dict(rule.get("rope", {}))
        if table:
            keys.assumed[f"rope_parameters.{kind}"] = rule["rope"]
    if kind in facts["scaled"]:
        scaling = keys.table_of("rope_scaling") or {}
        place = f"{keys.where}rope_scaling." if scaling else place
        if not given and "rope_type" not in scaling:
            _leave_out_type(facts, scaling, keys, place)
        table |= scaling
    if "rope" not in rule:
        _default(table, "rope_theta", keys, rule.get("key", ""), rule["base"])
    used = rope_type(facts, Keys(table, where=place))
    _default_share(used, table, keys)
    if used == "yarn":
        _take_outer_truncate(table, keys, place)
    return Keys(table, where=place)


def _leave_out_type(
    facts: Any, scaling: dict[str, Any], keys: Keys, place: str
) -> None:
    """Remove the old name of `rope_type`, which stays "default" beside it."""
    kind = scaling.pop("type", None)
    if kind not in (None, "default"):
        keys.warnings.append(
            f"{place}type is {kind!r}, but transformers 5.23 reads rope_type alone "
            f"for {facts['name']}: its frequencies stay as they are."
        )


def _take_outer_truncate(table: dict[str, Any], keys: Keys, place: str) -> None:
    """Take `truncate` from beside the tables of the types, where it is not read."""
    outer = (keys.table_of("rope_parameters") or {}).get("truncate", True)
    check_flag(f"{keys.where}rope_parameters.truncate", outer)
    inner = table.get("truncate", outer)
    check_flag(f"{place}truncate", inner)
    if inner != outer:
        effect = "moved" if outer else "not moved"
        keys.warnings.append(
            f"{place}truncate is {str(inner).lower()}, which transformers 5.23 does "
            "not read for one type of layer: the ends of the ramp are "
            f"{effect} to whole planes."
        )
    table["truncate"] = outer


def _default(
    table: dict[str, Any], name: str, keys: Keys, outer: str, value: Any
) -> None:
    """Give `name` the value of the key `outer`, or `value`, unless it has one."""
    outside = keys.get(outer) if outer else None
    if outer and outside is None and outer in keys.table and name not in table:
        msg = f"{keys.name(outer)} must be a number, got null: leave the key out"
        raise TypeError(msg)
    if outer and outside is None and name not in table:
        keys.assumed[outer] = value
    table.setdefault(name, value if outside is None else outside)


def rope_type(facts: Any, given: Keys) -> str:
    """Return the type of the parameters, by today's name; raise if it is unknown."""
    name = given.get("rope_type", default=given.get("type", default="default"))
    name = facts.get("rename", {}).get(name, name) if isinstance(name, str) else name
    known = facts.get("only", list(_SETTINGS))
    if name not in known:
        msg = (
            f"{given.where}rope_type must be one of {', '.join(known)} for "
            f"{facts['name']}, got {name!r}: what another one does is not guessed"
        )
        raise ValueError(msg)
    return str(name)


def rotation(facts: Any, given: Keys, head_dim: int, max_len: int) -> Rotation:
    """Return the rule of a layer's pairs; raise if a parameter breaks its rule."""
    name = rope_type(facts, given)
    base = given.number("rope_theta")
    trained = _trained_len(name, given, max_len)
    ratio = max_len / (trained or max_len)
    settings = {key: read(given, ratio) for key, read in _SETTINGS[name].items()}
    _check_settings(name, settings, given, base)
    width = head_dim
    if "part" in facts:
        width = _turned(given, head_dim, name)
    rule = Rotation(name, base, width, trained, settings)
    try:
        rule.frequencies()
        rule.attention_factor()
    except (TypeError, ValueError) as error:
        msg = f"{given.where.rstrip('.') or facts['name']}: {error}"
        raise type(error)(msg) from None
    return rule


def _trained_len(name: str, given: Keys, max_len: int) -> int | None:
    key = "original_max_position_embeddings"
    original = given.length_or_none(key) if name not in ("default", "dynamic") else None
    if name in ("linear", "proportional"):
        return original or (max_len if given.get("factor") in (None, 1, 1.0) else None)
    return original or max_len


def _turned(given: Keys, head_dim: int, name: str) -> int:
    share = given.number("partial_rotary_factor")
    key = given.name("partial_rotary_factor")
    if share > 1 or name == "proportional":
        msg = f"{key} must be at most 1 and its type not 'proportional', got {share}"
        raise ValueError(msg)
    turned = int(head_dim * share)
    if turned < 2 or turned % 2:
        msg = (
            f"{key} must leave an even number of features that turn, got "
            f"int({head_dim} * {share}) = {turned}: features turn in pairs"
        )
        raise ValueError(msg)
    return turned


def _check_settings(name: str, settings: Any, given: Keys, base: float) -> None:
    for rule, upper, lower in (
        ("yarn", "beta_fast", "beta_slow"),
        ("llama3", "high_freq_factor", "low_freq_factor"),
    ):
        if name == rule and settings[upper] <= settings[lower]:
            low, high = settings[lower], settings[upper]
            msg = f"{given.name(upper)} must be above {lower}={low}, got {high}"
            raise ValueError(msg)
    if name == "yarn" and base <= 1:
        msg = f"{given.name('rope_theta')} must be above 1 for yarn, got {base}"
        raise ValueError(msg)


Read = Callable[[Keys, float], Any]


def _factor(given: Keys, ratio: float) -> float:
    return given.number("factor", minimum=1.0)


def _factor_or_ratio(given: Keys, ratio: float) -> float:
    """Return `factor`; null stands for the ratio of the lengths."""
    read = _factor_if_any if "factor" in given.table else _factor
    return read(given, ratio)


def _factor_if_any(given: Keys, ratio: float) -> float:
    """Return `factor`; null or its absence stands for the ratio of the lengths."""
    return given.number_or_none("factor", minimum=1.0) or max(ratio, 1.0)


def _number(key: str, default: float | None = None) -> Read:
    def read(given: Keys, ratio: float) -> Any:
        if default is None:
            return given.number(key, minimum=0.0)
        return given.number_or_none(key, minimum=0.0) or default

    return read


def _attention(given: Keys, ratio: float) -> Any:
    return given.number_or_none("attention_factor")


def _numbers(key: str) -> Read:
    def read(given: Keys, ratio: float) -> list[Any]:
        value = given.listing(key)
        if value is None:
            msg = (
                f"{given.name(key)} must be a list of one number per pair, got nothing"
            )
            raise ValueError(msg)
        return value

    return read


def _truncate(given: Keys, ratio: float) -> bool:
    value = given.get("truncate", default=True)
    check_flag(given.name("truncate"), value)
    return bool(value)


def _share(given: Keys, ratio: float) -> float:
    share = given.number_or_none("partial_rotary_factor", minimum=0.0)
    return 1.0 if share is None else share


#: Settings of each type, beside its base and the trained length.
_SETTINGS: dict[str, dict[str, Read]] = {
    "default": {},
    "linear": {"factor": _factor},
    "dynamic": {"factor": _factor},
    "yarn": {
        "factor": _factor_or_ratio,
        "attention_factor": _attention,
        "beta_fast": _number("beta_fast", 32.0),
        "beta_slow": _number("beta_slow", 1.0),
        "mscale": _number("mscale", 0.0),
        "mscale_all_dim": _number("mscale_all_dim", 0.0),
        "truncate": _truncate,
    },
    "longrope": {
        "factor": _factor_if_any,
        "attention_factor": _attention,
        "short_factor": _numbers("short_factor"),
        "long_factor": _numbers("long_factor"),
    },
    "llama3": {
        "factor": _factor,
        "low_freq_factor": _number("low_freq_factor"),
        "high_freq_factor": _number("high_freq_factor"),
    },
    "proportional": {
        "factor": lambda given, ratio: (
            given.number_or_none("factor", minimum=1.0) or 1.0
        ),
        "partial_rotary_factor": _share,
    },
}
