"""Sizes that every method needs, within reason, and what a method's builder finds."""

from dataclasses import dataclass, field

from .keys import Keys
from .layers import Layer

_MOST_LAYERS = 10_000
WIDEST = 2**16


@dataclass
class Found:
    """Layers, and what is known about the context."""

    layers: list[Layer]
    trained_len: int | None = None
    max_len: int | None = None
    given: list[Keys] = field(default_factory=list)  # rope parameters that were read


def num_layers(keys: Keys, key: str = "num_hidden_layers") -> int:
    """Return the number of layers, within reason."""
    count = keys.whole(key)
    if count > _MOST_LAYERS:
        msg = f"{keys.name(key)} must be at most {_MOST_LAYERS}, got {count}"
        raise ValueError(msg)
    return count


def head_dim(
    keys: Keys, key: str = "head_dim", heads: str = "num_attention_heads"
) -> int:
    """Features of a head: as the key says, else hidden size / heads."""
    if key in keys.defaults and key not in keys.nullable:
        size: int | None = keys.whole(key)
    else:
        size = keys.whole_or_none(key)
    if size is None:
        hidden, count = keys.whole("hidden_size"), keys.whole(heads)
        if hidden % count:
            msg = (
                f"{keys.name('hidden_size')} must be a multiple of {keys.name(heads)}="
                f"{count} if there is no head_dim, got {hidden}"
            )
            raise ValueError(msg)
        size = hidden // count
    if size > WIDEST:
        msg = f"{keys.name(key)} must be at most {WIDEST}, got {size}"
        raise ValueError(msg)
    return size
