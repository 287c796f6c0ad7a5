"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import numpy as np
import torch
from answer_sources import made, mistake

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


def slow_below_zero(rotary_dim, base, trained_len):
    bound = rotary_dim / 2 * math.log(trained_len / (2 * math.pi), base)
    return rotary_dim // 2 - 1 - math.floor(bound)


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


def first_head_alone(weight, num_heads, rotary_dim):
    size = len(weight) // num_heads
    return torch.cat([repair_conversion(weight[:size], 1, rotary_dim), weight[size:]])


def multimodal_positions(before, frames, rows, columns, after):
    text = torch.arange(before).expand(3, -1)
    axes = [torch.arange(n) for n in (frames, rows, columns)]
    patches = before + torch.stack(torch.meshgrid(*axes, indexing="ij")).flatten(1)
    rest = before + max(frames, rows, columns) + torch.arange(after)
    return torch.cat([text, patches, rest.expand(3, -1)], dim=1)


def factor_of_one_key(scaling):
    if scaling.get("attention_factor") is not None:
        return scaling["attention_factor"]
    m, n = scaling.get("mscale") or 1, scaling.get("mscale_all_dim") or 0
    logarithm = math.log(max(scaling["factor"], 1.0))
    return (0.1 * m * logarithm + 1) / (0.1 * n * logarithm + 1)


WRONG = {
    "checkpoint.turned_by_hand": [
        (features(c=96), "qk_nope_head_dim"),
        (features(e=64), "Mistral does not read it"),
        (features(e=160), "5120 / 32 is not asked for"),
        (features(e=80), "Mistral does not read the share"),
        (features(a=640), "not of all heads"),
        (features(a=80, f=128), "which share of it turns"),
        (features(b=16), "Config b"),
    ],
    "checkpoint.slow_planes_of": [
        (made(slow_planes_of, ("* base", "* 10_000")), "not always 10,000"),
        (made(slow_planes_of, (" // 2", "")), "Two of them form one plane"),
        (made(slow_planes_of, ("(2 * i", "(-2 * i")), "exponent of the wavelength"),
        (slow_by_share, "below 0 where every plane finishes"),
        (slow_below_zero, "below 0 where every plane finishes"),
        (slow_rounded, "the share in the text is only about right"),
        (lambda *_: 7, "number of planes is not right"),
    ],
    "checkpoint.repair_factor": [
        (
            made(factor_plain, ("if all(weights)", "if None not in weights")),
            "A 0 counts as absent",
        ),
        (factor_of_one_key, "One of the two alone counts for nothing"),
        (factor_none, "A key may be None, as here"),
    ],
    "checkpoint.repair_layers": [
        (made(layers_numpy, ("!= 0", "== 0")), "others do not"),
        (
            made(
                layers_numpy,
                ('1, config["num_hidden_layers"] + 1', 'config["num_hidden_layers"]'),
            ),
            "not the first",
        ),
        (
            made(
                layers_numpy,
                ("is not None", 'and not config.get("no_rope_layer_interval")'),
            ),
            "list counts alone",
        ),
        (layers_none, "A key may be None, as here"),
    ],
    "checkpoint.repair_conversion": [
        (mistake("checkpoint.repair_conversion"), "looks for it"),
        (first_head_alone, "first head alone"),
    ],
    "checkpoint.multimodal_positions": [
        (made(multimodal_positions, ("max(frames, rows", "max(rows")), "frames are f"),
    ],
    "checkpoint.never_round": [
        ([25, 25, 14, 23], "two kinds of layers are exchanged"),
        ([25, 25, 23, 23], "the number of the window layers"),
        ([25, 25, 23, 15], "not 15"),
        ([26, 25, 23, 14], "not 26"),
    ],
}
