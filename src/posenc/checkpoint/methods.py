"""Layers of each method, from the keys of a configuration."""

from collections.abc import Callable
from typing import Any

from posenc import alibi, t5
from posenc.core.checks import check_even

from .keys import Keys
from .layers import WIDEST, Layer, Model, head_dim, num_layers
from .rope_types import Rotation
from .rotary_layers import rotated_layers

# --- what is added to scores ---------------------------------------------------------


def _alibi(facts: Any, keys: Keys) -> Model:
    heads, size = keys.whole("num_attention_heads"), head_dim(keys)
    if heads > WIDEST:
        msg = (
            f"{keys.name('num_attention_heads')} must be at most {WIDEST}, got {heads}"
        )
        raise ValueError(msg)
    details: dict[str, Any] = {"slopes": alibi.alibi_slopes(heads).tolist()}
    if facts.get("score_rule") == "divided":
        details["divided_by"] = size**0.5
    max_len = None
    if "max_position_embeddings" in facts["defaults"]:
        max_len = keys.whole("max_position_embeddings")
    layer: Any = {"method": "alibi", "head_dim": size, "details": details}
    count = num_layers(keys)
    return Model([Layer(i, **layer) for i in range(count)], max_len, max_len)


def _t5(facts: Any, keys: Keys) -> Model:
    buckets = keys.whole("relative_attention_num_buckets")
    far = keys.whole("relative_attention_max_distance")
    stacks = {"encoder": num_layers(keys)}
    has_own = keys.has("num_decoder_layers")
    stacks["decoder"] = (
        num_layers(keys, "num_decoder_layers") if has_own else stacks["encoder"]
    )
    layers: list[Layer] = []
    for stack, count in stacks.items():
        both = stack == "encoder"
        setting = {"num_buckets": buckets, "max_distance": far, "bidirectional": both}
        _check_buckets(keys, setting)
        for i in range(count):
            own = i == 0 or not facts["shared_table"]
            layers.append(
                Layer(
                    len(layers),
                    "t5",
                    head_dim(keys),
                    stack=stack,
                    details={**setting, "own_table": own},
                )
            )
    return Model(layers)


def _check_buckets(keys: Keys, setting: Any) -> None:
    try:
        t5.bucket_starts(**setting)
    except ValueError as error:
        msg = f"{keys.name('relative_attention_num_buckets')}: {error}"
        raise ValueError(msg) from None


def _shaw(facts: Any, keys: Keys) -> Model:
    rows = keys.whole("max_position_embeddings")
    absolute = keys.flag("position_biased_input")
    if not keys.flag("relative_attention"):
        model = _learned(facts, keys)
        if not absolute:
            layers = enumerate(model.layers)
            return Model([Layer(i, "none", layer.head_dim) for i, layer in layers])
        return model
    far = keys.whole("max_relative_positions", minimum=-1)
    far = rows if far < 1 else far
    buckets = -1
    if facts.get("buckets"):
        buckets = keys.whole("position_buckets", minimum=-1)
    details = {
        "terms": _terms(keys),
        "max_distance": far,
        "rows": 2 * (buckets if buckets > 0 else far),
        "buckets": buckets if buckets > 0 else None,
        "absolute_rows": rows if absolute else 0,
        "absolute_width": keys.whole("hidden_size"),
    }
    layer: Any = {"method": "shaw", "head_dim": head_dim(keys), "details": details}
    return Model([Layer(i, **layer) for i in range(num_layers(keys))], rows, rows)


def _terms(keys: Keys) -> list[str]:
    """Return DeBERTa's terms of the score beside that of the contents."""
    given = keys.get("pos_att_type")
    listed = given.lower().split("|") if isinstance(given, str) else given
    terms = [str(term).strip() for term in listed] if isinstance(listed, list) else []
    if (given and not terms) or set(terms) - {"c2p", "p2c", ""}:
        msg = f"{keys.name('pos_att_type')} must hold c2p and p2c, got {given!r}"
        raise ValueError(msg)
    return [term for term in terms if term]


def _swin(facts: Any, keys: Keys) -> Model:
    depths, heads = keys.listing("depths") or [], keys.listing("num_heads") or []
    side, width = keys.whole("window_size"), keys.whole("embed_dim")
    if not depths or len(depths) != len(heads):
        msg = (
            f"{keys.name('num_heads')} must have one entry for each of the "
            f"{len(depths)} stages in depths, got {len(heads)}"
        )
        raise ValueError(msg)
    absolute = keys.flag("use_absolute_embeddings")
    layers: list[Layer] = []
    for stage, depth in enumerate(depths):
        of_stage = Keys(
            {"depths": depth, "num_heads": heads[stage]},
            where=f"{keys.where}stage {stage}: ",
        )
        count, split = num_layers(of_stage, "depths"), of_stage.whole("num_heads")
        if (width << min(stage, 40)) % split:
            name = of_stage.name("num_heads")
            msg = f"{name} must divide {width << stage}, got {split}"
            raise ValueError(msg)
        for block in range(count):
            details = {
                "side": side,
                "rows": (2 * side - 1) ** 2,
                "num_heads": split,
                "shift": side // 2 if block % 2 else 0,
                "absolute_rows": _patches(keys) if absolute else 0,
                "absolute_width": width,
            }
            size = (width << stage) // split
            layer: Any = {
                "window": side**2,
                "window_shape": "block",
                "details": details,
            }
            layers.append(Layer(len(layers), "swin", size, **layer))
    return Model(layers)


def _transformer_xl(facts: Any, keys: Keys) -> Model:
    if keys.whole("attn_type", minimum=0):
        msg = (
            f"{keys.name('attn_type')} must be 0, got {keys.get('attn_type')}: the "
            "others are not the method of the paper, and not guessed"
        )
        raise ValueError(msg)
    width = keys.whole("hidden_size")
    check_even(keys.name("hidden_size"), width, remedy="sines and cosines are pairs")
    clamp = keys.whole("clamp_len", minimum=-1)
    details = {
        "memory": keys.whole("mem_len", minimum=0),
        "clamp": clamp if clamp > 0 else None,
        "own_vectors": keys.flag("untie_r"),
        "same_length": keys.flag("same_length"),
    }
    layer: Any = {
        "head_dim": head_dim(keys),
        "rotary_dim": _narrow(keys, width),
        "layout": "half",
        "details": details,
        "rotation": Rotation("default", facts["base"], width),
    }
    count = num_layers(keys)
    return Model([Layer(i, "transformer_xl", **layer) for i in range(count)])


# --- what is added to the input ------------------------------------------------------


def _learned(facts: Any, keys: Keys) -> Model:
    first = facts.get("more_rows", 0)
    if facts.get("patches"):
        rows = _patches(keys) + 1  # one for the class
    else:
        rows = keys.whole("max_position_embeddings") + first
    if facts.get("after_padding"):
        first = keys.whole("pad_token_id", minimum=0) + 1
    if first >= rows:
        name = keys.name("max_position_embeddings")
        msg = f"{name} must be above pad_token_id + 1 = {first}, got {rows}"
        raise ValueError(msg)
    details = {"rows": rows, "first_row": first, "width": keys.whole("hidden_size")}
    layer: Any = {"method": "learned", "head_dim": head_dim(keys), "details": details}
    count = num_layers(keys)
    layers = [Layer(i, **layer) for i in range(count)]
    return Model(layers, rows - first, rows - first)


def _patches(keys: Keys) -> int:
    """Return the number of patches of a picture."""
    sides = [_pair(keys, key) for key in ("image_size", "patch_size")]
    counts = [image // patch for image, patch in zip(*sides, strict=True)]
    if not all(counts):
        name = keys.name("patch_size")
        msg = f"{name} must be at most the image's size {sides[0]}, got {sides[1]}"
        raise ValueError(msg)
    return counts[0] * counts[1]


def _pair(keys: Keys, key: str) -> tuple[int, int]:
    value = keys.get(key)
    if isinstance(value, list | tuple) and len(value) == 2:
        rows, columns = (Keys({key: n}, where=keys.where).whole(key) for n in value)
        return rows, columns
    return keys.whole(key), keys.whole(key)


def _sinusoidal(facts: Any, keys: Keys) -> Model:
    width = keys.whole("hidden_size")
    check_even(keys.name("hidden_size"), width, remedy="sines and cosines are pairs")
    rule = "default" if facts["frequencies"] == "paper" else "tensor2tensor"
    learned = facts["decoder"] == "learned"
    rows = keys.whole("max_source_positions" if learned else "max_position_embeddings")
    table: Any = {
        "rotary_dim": _narrow(keys, width),
        "layout": "half",
        "details": {"rows": rows, "first_row": 0, "width": width},
        "rotation": Rotation(rule, facts["base"], width, rows),
    }
    last: Any = table
    if learned:
        target = keys.whole("max_target_positions")
        last = {"details": {"rows": target, "first_row": 0, "width": width}}
    size, count = head_dim(keys), num_layers(keys)
    layers = [
        Layer(i, "sinusoidal", size, stack="encoder", **table) for i in range(count)
    ]
    size, method = head_dim(keys, heads="decoder_attention_heads"), facts["decoder"]
    for i in range(num_layers(keys, "decoder_layers")):
        layers.append(Layer(count + i, method, size, stack="decoder", **last))
    return Model(layers, rows, rows)


def _narrow(keys: Keys, width: int) -> int:
    if width > WIDEST * 16:
        name, most = keys.name("hidden_size"), WIDEST * 16
        msg = f"{name} must be at most {most}, got {width}"
        raise ValueError(msg)
    return width


def _convolutional(facts: Any, keys: Keys) -> Model:
    kernel = keys.whole("num_conv_pos_embeddings")
    groups, hidden = (
        keys.whole("num_conv_pos_embedding_groups"),
        keys.whole("hidden_size"),
    )
    if hidden % groups:
        name = keys.name("num_conv_pos_embedding_groups")
        msg = f"{name} must divide hidden_size={hidden}, got {groups}"
        raise ValueError(msg)
    details = {"kernel": kernel, "groups": groups, "width": hidden}
    layer: Any = {
        "method": "convolutional",
        "head_dim": head_dim(keys),
        "details": details,
    }
    return Model([Layer(i, **layer) for i in range(num_layers(keys))])


BUILDERS: dict[str, Callable[[Any, Keys], Model]] = {
    "rope": rotated_layers,
    "alibi": _alibi,
    "t5": _t5,
    "shaw": _shaw,
    "swin": _swin,
    "transformer_xl": _transformer_xl,
    "learned": _learned,
    "sinusoidal": _sinusoidal,
    "convolutional": _convolutional,
}
