"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import numpy as np
import torch
from answer_sources import mistake

FEATURES = [20, 32, 32, 128, 128, 96]


def features(**changed):
    return [
        changed.get(letter, value)
        for letter, value in zip("abcdef", FEATURES, strict=True)
    ]


def slow_planes_of(rotary_dim, base, trained_len):
    i = torch.arange(rotary_dim // 2, dtype=torch.float64)
    return (2 * math.pi * base ** (2 * i / rotary_dim) > trained_len).sum()


def slow_by_share(rotary_dim, base, trained_len):
    share = 1 - math.log(trained_len / (2 * math.pi), base)
    return int(rotary_dim / 2 * share)  # below 0 where every plane makes a turn


def slow_rounded(rotary_dim, base, trained_len):
    share = 1 - math.log(trained_len / (2 * math.pi), base)
    return max(round(rotary_dim / 2 * share), 0)


def base_for_length(rotary_dim, trained_len):
    ratio = torch.tensor(trained_len / (2 * math.pi), dtype=torch.float64)
    return ratio ** (rotary_dim / (rotary_dim - 2))


def factor_none(scaling):
    if "attention_factor" in scaling:
        return scaling["attention_factor"]
    return factor_plain(scaling)


def factor_plain(scaling):
    given = scaling.get("attention_factor")
    if given is not None:
        return given
    logarithm = math.log(max(scaling["factor"], 1.0))
    weights = [scaling.get(key) for key in ("mscale", "mscale_all_dim")]
    if all(weights):
        top, bottom = (0.1 * weight * logarithm + 1 for weight in weights)
        return top / bottom
    return 0.1 * logarithm + 1


def repair_factor(scaling):
    return torch.tensor(factor_plain(scaling), dtype=torch.float64)


def layers_numpy(config):
    listed = config.get("no_rope_layers")
    if listed is not None:
        return np.asarray(listed) == 1
    number = np.arange(1, config["num_hidden_layers"] + 1)
    return number % config.get("no_rope_layer_interval", 4) != 0


def layers_none(config):
    listed = config.get("no_rope_layers", [1, 1, 1, 0] * config["num_hidden_layers"])
    return [value == 1 for value in listed][: config["num_hidden_layers"]]


def repair_layers(config):
    return torch.as_tensor(layers_numpy(config))


def repair_conversion(weight, num_heads, rotary_dim):
    heads = weight.reshape(num_heads, -1, weight.shape[1])
    turned, rest = heads[:, :rotary_dim], heads[:, rotary_dim:]
    parts = [turned[:, 0::2], turned[:, 1::2], rest]
    return torch.cat(parts, dim=1).reshape(weight.shape)


def multimodal_positions(before, frames, rows, columns, after):
    text = torch.arange(before).expand(3, -1)
    axes = [torch.arange(n) for n in (frames, rows, columns)]
    patches = before + torch.stack(torch.meshgrid(*axes, indexing="ij")).flatten(1)
    rest = before + max(frames, rows, columns) + torch.arange(after)
    return torch.cat([text, patches, rest.expand(3, -1)], dim=1)


WRONG = {
    "checkpoint.turned_by_hand": [
        (features(b=16), "Config b"),
    ],
    "checkpoint.slow_planes_of": [
        (slow_by_share, "below 0 where every plane finishes"),
        (slow_rounded, "the share in the text is only about right"),
        (lambda *_: 7, "number of planes is not right"),
    ],
    "checkpoint.repair_factor": [
        (factor_none, "A key may be None, as here"),
    ],
    "checkpoint.repair_layers": [
        (layers_none, "A key may be None, as here"),
    ],
    "checkpoint.repair_conversion": [
        (mistake("checkpoint.repair_conversion"), "looks for it"),
    ],
    "checkpoint.never_round": [
        ([25, 25, 23, 15], "not 15"),
        ([26, 25, 23, 14], "not 26"),
    ],
}
