"""Look into a trained model: where each of its heads looks."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from posenc.attention import attend
from posenc.attention.nn import MultiHeadAttention
from posenc.core import data
from posenc.shaw.nn import ShawAttention

from .encodings import Sizes, causal
from .model import Block, Transformer
from .tasks import task_named


def trained(name: str) -> Transformer:
    """Return the model of a run whose weights were kept, ready to answer.

    Parameters
    ----------
    name : str
        Of the run, such as ``"copy-rope-0.003-1"``.

    Raises
    ------
    ValueError
        If no such run is there, or its weights were not kept.
    """
    weights = data.load_arrays(f"lab_runs/{name}")
    plan = data.load_folder("lab_runs")[name]["plan"]
    sizes = Sizes(**plan["sizes"])
    model = Transformer(task_named(plan["task"]).vocab_size, plan["encoding"], sizes)
    model.load_state_dict({k: torch.from_numpy(v).float() for k, v in weights.items()})
    return model.eval()


@torch.inference_mode()
def attention_maps(model: Transformer, tokens: Any) -> Any:
    """Return the attention weights of every head on one text.

    Parameters
    ----------
    model : Transformer
        Any of the laboratory whose heads add nothing to the values.
    tokens : integer array of shape (seq_len,)
        The text.

    Returns
    -------
    NumPy array of shape (num_layers, num_heads, seq_len, seq_len)
        Rows are queries, columns are keys.
    """
    x = model.embed(torch.as_tensor(np.asarray(tokens))[None])
    maps = []
    for block in model.blocks:
        assert isinstance(block, Block)
        maps.append(_weights(block.attention, block.norms[0](x))[0])
        x = block(x)
    return torch.stack(maps).numpy()


def _weights(attention: Any, x: Tensor) -> Tensor:
    """Return the output for values that tell the keys apart: a number for each key."""
    heads = getattr(attention, "heads", attention)
    if isinstance(attention, MultiHeadAttention) and not isinstance(
        heads, ShawAttention
    ):
        length = x.shape[-2]
        q, k, v = attention.project(x)
        mark = torch.eye(length).expand(*v.shape[:-1], length)
        mask = causal(length, x.device)
        if heads is not attention:
            return torch.as_tensor(heads(q, k, mark, mask=mask))
        bias = attention.bias and attention.bias(length, length)
        return attend(q, k, mark, bias=bias, mask=mask)
    msg = (
        "model must have heads that give back nothing but their values, got "
        f"{type(heads).__name__}: open one with other encodings"
    )
    raise ValueError(msg)


def weight_on(maps: Any, keys: Any) -> Any:
    """Return the mean weight that each head puts on each query's target key.

    Parameters
    ----------
    maps : array of shape (num_layers, num_heads, seq_len, seq_len)
        From `attention_maps`.
    keys : integer array of shape (seq_len,)
        Place of the key for each query; −1 where none is wanted.

    Returns
    -------
    array of shape (num_layers, num_heads)
        Between 0 and 1.
    """
    keys = np.asarray(keys)
    (asked,) = np.nonzero(keys >= 0)
    return maps[..., asked, keys[asked]].mean(axis=-1)


def comes_first(maps: Any, keys: Any) -> Any:
    """Return the share of queries whose target key has the largest weight.

    Parameters and result are those of `weight_on`.
    """
    keys = np.asarray(keys)
    (asked,) = np.nonzero(keys >= 0)
    return (maps[..., asked, :].argmax(axis=-1) == keys[asked]).mean(axis=-1)


def previous(tokens: Any) -> Any:
    """Return the place of the token before each one; −1 for the first."""
    return np.arange(len(tokens)) - 1


def after_the_same(tokens: Any) -> Any:
    """Return the place after the last earlier token that equals this one; −1 if none.

    An induction head looks there: what followed once may follow again.
    """
    places, last = [], dict[int, int]()
    for place, token in enumerate(np.asarray(tokens).tolist()):
        places.append(last.get(token, -2) + 1)
        last[token] = place
    return np.array(places)
