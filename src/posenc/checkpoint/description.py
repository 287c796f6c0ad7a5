"""Read a configuration: a table, or the path of a config.json."""

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from .keys import Keys
from .layers import Checkpoint
from .methods import BUILDERS
from .published import check_family, families, family
from .remarks import warnings


def describe(config: Mapping[str, Any] | str | PathLike[str]) -> Checkpoint:
    """Describe what a checkpoint's configuration means for positions.

    Parameters
    ----------
    config : mapping or path
        The keys of a ``config.json`` as transformers has them, in their old spelling
        (``rope_theta``, ``rope_scaling``) or the new one (``rope_parameters``); or the
        path of such a file. Of a model of pictures and text, the text is described.

    Returns
    -------
    Checkpoint
        Method, layers, trained length and warnings.

    Raises
    ------
    TypeError, ValueError
        If `config` is no configuration, its family or one of its methods is not known
        here, or a key breaks its rule. Nothing is guessed.

    Notes
    -----
    A key means what it does in transformers 5.23, with the same values for absent keys
    (`Checkpoint.assumed`). A warning names keys of which this is not the plain meaning,
    or that other loaders read otherwise.

    References
    ----------
    ``models/*/configuration_*.py``, ``models/*/modeling_*.py`` and
    ``modeling_rope_utils.py`` of https://github.com/huggingface/transformers, 5.23.

    Examples
    --------
    >>> config = {
    ...     "model_type": "llama",
    ...     "hidden_size": 64,
    ...     "num_attention_heads": 8,
    ...     "num_hidden_layers": 2,
    ...     "max_position_embeddings": 2048,
    ...     "rope_theta": 10_000.0,
    ... }
    >>> checkpoint = describe(config)
    >>> checkpoint.method, checkpoint.trained_len, checkpoint.layer(0).layout
    ('rope', 2048, 'half')
    >>> checkpoint.layer(1).frequencies()
    array([1.   , 0.1  , 0.01 , 0.001])
    """
    table = _load(config)
    facts, keys = _locate(table)
    other = "alibi_key" in facts and keys.flag(facts["alibi_key"])
    model = BUILDERS["alibi" if other else facts["method"]](facts, keys)
    layers = tuple(model.layers)
    heads = layers[0].details.get("num_heads")
    return Checkpoint(
        family=facts["name"],
        method=next((x.method for x in layers if x.method != "none"), "none"),
        num_layers=len(layers),
        num_heads=heads or keys.whole("num_attention_heads"),
        trained_len=model.trained_len,
        max_len=model.max_len,
        warnings=(*_beside(table, keys, facts["name"]), *warnings(facts, keys, model)),
        assumed=dict(sorted(keys.assumed.items())),
        layers=layers,
    )


def _load(config: Any) -> Mapping[str, Any]:
    if isinstance(config, Mapping):
        return config
    if not isinstance(config, str | PathLike):
        kind = type(config).__name__
        msg = f"config must be a table of keys or the path of one, got a {kind}"
        raise TypeError(msg)
    path = Path(config)
    try:
        path = path / "config.json" if path.is_dir() else path
        table = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        name, why = str(path), error.strerror
        msg = f"config must be a file that can be read, got {name!r}: {why}"
        raise ValueError(msg) from None
    except (ValueError, RecursionError) as error:
        msg = f"config must be a file of JSON, got {str(path)!r}: {error}"
        raise ValueError(msg) from None
    if not isinstance(table, Mapping):
        msg = f"{path} must hold a table of keys, got a {type(table).__name__}"
        raise TypeError(msg)
    return table


def _locate(table: Mapping[str, Any]) -> tuple[dict[str, Any], Keys]:
    """Return facts of the family and the keys that it reads, of the text if nested."""
    name, text = table.get("model_type"), table.get("text_config")
    known = isinstance(name, str) and name in families()
    container = family(name) if known else {}
    if known and "text" not in container:
        return container, Keys(table, container)
    if text is None and container.get("flat"):
        facts = family(container["text"])
        return facts, Keys(table, facts)
    if text is None:
        check_family(name)
        msg = f"text_config must be there for {name}, got nothing: it has the keys"
        raise ValueError(msg)
    if not isinstance(text, Mapping):
        msg = f"text_config must be a table of keys, got a {type(text).__name__}"
        raise TypeError(msg)
    facts = family(check_family(text.get("model_type") or name))
    facts = family(facts["text"]) if "text" in facts else facts
    return facts, Keys(text, facts, "text_config.")


def _beside(table: Mapping[str, Any], keys: Keys, name: str) -> list[str]:
    """Return warnings on keys outside the table that is described."""
    messages = []
    if keys.table.get("text_config"):
        messages.append(
            f"{keys.where}text_config is not read by {name}: its keys change nothing."
        )
    if not keys.where:
        return messages
    outer = table.get("model_type")
    if outer not in families():
        messages.append(
            f"model_type {outer!r} is not known here: text_config alone is described."
        )
    messages += [
        f"{key} stands beside text_config, where it is not read."
        for key in table
        if key in keys.seen and table[key] is not None and "rope" in key
    ]
    return messages
