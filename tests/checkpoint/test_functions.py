"""What the functions make of configurations, and what they report; numbers by hand."""

import json
import math

import numpy as np
import pytest
from checkpoint_configs import (
    LLAMA3,
    LONG,
    LONGROPE,
    PROPORTIONAL,
    SHORT,
    YARN,
    bare,
    rope_configs,
    small,
)

from posenc import rope
from posenc.checkpoint import (
    Rotation,
    as_dict,
    chosen_layer,
    describe,
    families,
    first_untrained,
    groups,
    planes,
    report,
)
from posenc.checkpoint.published import family

CASES = dict(rope_configs())
TEXTS = [name for name in families() if "text" not in family(name)]


def plain(width, base):
    return base ** (-2 * np.arange(width // 2) / width)


def test_a_plain_rotation():
    found = describe(small("llama", rope_theta=500.0))
    assert (found.family, found.method, found.num_layers) == ("llama", "rope", 4)
    assert (found.trained_len, found.max_len, found.num_heads) == (256, 256, 4)
    assert found.warnings == ()
    assert found.assumed == {}
    layer = found.layer(3)
    assert (layer.number, layer.method, layer.head_dim) == (3, "rope", 16)
    assert (layer.rotary_dim, layer.layout, layer.first_turned) == (16, "half", 0)
    assert (layer.sections, layer.window, layer.stack) == (None, None, "")
    np.testing.assert_allclose(layer.frequencies(), plain(16, 500.0), rtol=1e-15)
    assert layer.frequencies().dtype == np.float64
    assert layer.attention_factor() == layer.score_factor == 1.0


def test_describe_accepts_file_or_folder(tmp_path):
    config = small("llama", rope_theta=500.0)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), "utf-8")
    expected = repr(describe(config))
    assert [repr(describe(p)) for p in (path, str(path), tmp_path)] == [expected] * 3


@pytest.mark.parametrize(
    ("family", "old", "new"),
    [
        ("llama", {"rope_theta": 77.0}, {"rope_theta": 77.0}),
        (
            "llama",
            {"rope_theta": 77.0, "rope_scaling": YARN},
            YARN | {"rope_theta": 77.0},
        ),
        (
            "gemma3_text",
            {"rope_theta": 500.0, "rope_local_base_freq": 50.0},
            {
                "full_attention": {"rope_type": "default", "rope_theta": 500.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 50.0},
            },
        ),
    ],
)
def test_both_spellings_mean_the_same(family, old, new):
    layers = [
        describe(small(family, head_dim=16, num_hidden_layers=6, **keys)).layers
        for keys in (old, {"rope_parameters": new})
    ]
    assert layers[0] == layers[1]


YARNS = {
    "factor": 8.0,
    "attention_factor": None,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "mscale": 0.0,
    "mscale_all_dim": 0.0,
    "truncate": True,
}


def stretched(weight):
    """Return YaRN's factor for eight times the length."""
    return 0.1 * weight * math.log(8) + 1


ORIGINAL = "original_max_position_embeddings"
HALF = {"partial_rotary_factor": 0.5}


RULES = [
    (
        small("llama", rope_scaling=YARN | {"rope_theta": 7}, rope_theta=9),
        ("yarn", 7.0, 16, 32, YARNS | {"factor": 8.0}),
    ),
    (
        small("llama", rope_parameters={"rope_theta": 5.0}, rope_scaling=YARN),
        ("yarn", 1e4, 16, 32, YARNS | {"factor": 8.0}),
    ),
    (
        small("llama", rope_scaling=YARN, original_max_position_embeddings=64),
        ("yarn", 1e4, 16, 64, YARNS | {"factor": 8.0}),
    ),
    (small("gpt_neox", rotary_emb_base=500.0), ("default", 500.0, 4, 256)),
    (small("phi", partial_rotary_factor=0.125), ("default", 1e4, 2, 256)),
    (small("gptj", rotary_dim=16), ("default", 1e4, 16, 256)),
    (
        small("gpt_oss", head_dim=16),
        ("yarn", 15e4, 16, 4096, YARNS | {"factor": 32.0, "truncate": False}),
    ),
    (
        small("llama", rope_scaling=YARN | {"factor": None, ORIGINAL: 512}),
        ("yarn", 1e4, 16, 512, YARNS | {"factor": 1.0}),
    ),
    (
        small("llama", rope_scaling=YARN | {"beta_slow": 1e-300, ORIGINAL: 1}),
        ("yarn", 1e4, 16, 1, YARNS | {"beta_slow": 1e-300}),
    ),
    (
        small("llama", rope_scaling=PROPORTIONAL, **HALF),
        ("proportional", 1e4, 16, None, HALF | {"factor": 2.0}),
    ),
]


@pytest.mark.parametrize(("config", "expected"), RULES)
def test_the_rule_of_a_layer(config, expected):
    found = describe(config)
    assert found.layer(0).rotation == Rotation(*expected)
    assert found.trained_len == expected[3]


@pytest.mark.parametrize(
    ("family", "keys", "of_features", "of_scores"),
    [
        ("llama", {"attention_factor": 1.25}, 1.25, 1.0),
        (
            "llama",
            {"mscale": 2.0, "mscale_all_dim": 1.0},
            stretched(2) / stretched(1),
            1.0,
        ),
        ("deepseek_v2", {}, stretched(1), 1.0),
        ("deepseek_v2", {"mscale_all_dim": 0.7}, stretched(1), stretched(0.7) ** 2),
        ("deepseek_v3", {"mscale": 1, "mscale_all_dim": 1}, 1.0, stretched(1) ** 2),
    ],
)
def test_yarns_factors(family, keys, of_features, of_scores):
    sizes = {"qk_nope_head_dim": 8, "qk_rope_head_dim": 4}
    layer = describe(small(family, **sizes, rope_scaling=YARN | keys)).layer(0)
    assert layer.attention_factor() == pytest.approx(of_features, rel=1e-12)
    assert layer.attention_factor(1000) == layer.attention_factor()
    assert layer.score_factor == pytest.approx(of_scores, rel=1e-12)
    if family != "llama":
        assert (layer.head_dim, layer.rotary_dim, layer.first_turned) == (12, 4, 8)
        assert layer.layout == "interleaved"


def test_longrope_factors_depend_on_length():
    config = small("phi3", rope_scaling=LONGROPE, original_max_position_embeddings=32)
    found = describe(config | {"rope_theta": 500.0})
    layer, theta = found.layer(0), plain(16, 500.0)
    np.testing.assert_allclose(layer.frequencies(), theta / SHORT)
    np.testing.assert_allclose(layer.frequencies(32), theta / SHORT)
    np.testing.assert_allclose(layer.frequencies(33), theta / LONG)
    expected = math.sqrt(1 + math.log(256 / 32) / math.log(32))
    assert layer.attention_factor() == pytest.approx(expected)
    assert found.trained_len == 32


def test_llama_4_scales_queries_without_rotation():
    found = describe(small("llama4_text", head_dim=16, attn_temperature_tuning=True))
    assert found.layer(3).method == "none"
    assert found.layer(3).details["floor_scale"] == 8192
    assert found.layer(3).details["attn_scale"] == 0.1
    assert found.layer(0).details == {}
    off = describe(small("llama4_text", head_dim=16, attn_temperature_tuning=False))
    assert off.layer(3).details == {}


WINDOWS = [
    (small("gemma2", sliding_window=8), [8, None, 8, None], "sliding"),
    (CASES["qwen2-0"], [None, None, 16, 16], "sliding"),
    (CASES["smollm3-1"], [8, None, None, 8], "sliding"),
    (CASES["llama4_text-0"], [32, 32, 32, None], "chunk"),
    (CASES["modernbert-0"], [None, 8, 8, None], "both sides"),
]


@pytest.mark.parametrize(("config", "windows", "shape"), WINDOWS)
def test_windows(config, windows, shape):
    layers = describe(config).layers
    assert [layer.window for layer in layers] == windows
    assert [x.window_shape for x in layers] == [shape if w else "" for w in windows]


C2P = {"relative_attention": True, "pos_att_type": "c2p"}
NO_FLAGS = {"untie_r": False, "same_length": False, "clamp_len": 0, "mem_len": 0}
HEADS = {"decoder_layers": 2, "decoder_attention_heads": 8}
WHISPER = bare("whisper", hidden_size=384) | HEADS
SLOPES = {"slopes": [2**-2, 2**-4, 2**-6, 2**-8]}
BUCKETS = {"num_buckets": 32, "max_distance": 128}
SIDES = {"terms": ["c2p", "p2c"], "max_distance": 256, "rows": 512, "buckets": None}
WINDOW = {"side": 7, "rows": 13**2, "num_heads": 12, "shift": 3}
XL = {"memory": 1600, "clamp": 1000, "own_vectors": True, "same_length": True}
NO_XL = {"memory": 0, "clamp": None, "own_vectors": False, "same_length": False}


def rows(number, width, first=0):
    return {"rows": number, "first_row": first, "width": width}


LAYERS = [
    (small("mpt", max_seq_len=99), 3, "alibi", 16, SLOPES, 99),
    (small("falcon", alibi=True), 3, "alibi", 16, SLOPES | {"divided_by": 4.0}, 256),
    (
        bare("t5"),
        *(6, "t5", 64, BUCKETS | {"bidirectional": False, "own_table": True}),
        None,
    ),
    (
        small("deberta", **C2P | {"pos_att_type": "c2p | p2c"}),
        *(3, "shaw", 16, SIDES | {"absolute_rows": 256, "absolute_width": 64}),
        256,
    ),
    (
        bare("swin"),
        *(7, "swin", 32, WINDOW | {"absolute_rows": 0, "absolute_width": 96}),
        None,
    ),
    (bare("transfo-xl"), 17, "transformer_xl", 64, XL, None),
    (bare("transfo-xl") | NO_FLAGS, 17, "transformer_xl", 64, NO_XL, None),
    (small("roberta", pad_token_id=1), 3, "learned", 16, rows(256, 64, 2), 254),
    (bare("vit", image_size=[32, 64]), 11, "learned", 64, rows(9, 768), 9),
    (WHISPER, 3, "sinusoidal", 64, rows(1500, 384), 1500),
    (WHISPER, 5, "learned", 48, rows(448, 384), 1500),
    (bare("marian") | HEADS, 13, "sinusoidal", 128, rows(1024, 1024), 1024),
    (
        bare("wav2vec2"),
        *(11, "convolutional", 64, {"kernel": 128, "groups": 16, "width": 768}),
        None,
    ),
]


@pytest.mark.parametrize(
    ("config", "number", "method", "head_dim", "details", "length"), LAYERS
)
def test_a_layer_of_each_method(config, number, method, head_dim, details, length):
    found = describe(config)
    layer = found.layer(number)
    assert (layer.method, layer.head_dim, layer.details) == (method, head_dim, details)
    assert (found.trained_len, found.max_len) == (length, length)


@pytest.mark.parametrize(
    ("config", "rule", "stack"),
    [
        (WHISPER, "tensor2tensor", "encoder"),
        (bare("marian"), "default", "encoder"),
        (bare("transfo-xl"), "default", ""),
    ],
)
def test_frequencies_of_sinusoids(config, rule, stack):
    layer = describe(config).layer(0)
    assert (layer.rotation.rope_type, layer.layout, layer.stack) == (
        rule,
        "half",
        stack,
    )
    slowest = 1e4 ** (1 if rule == "tensor2tensor" else 1 - 2 / layer.rotary_dim)
    np.testing.assert_allclose(layer.frequencies()[[0, -1]], [1, 1 / slowest])


@pytest.mark.parametrize(
    ("config", "methods"),
    [
        (small("cohere2", sliding_window=None), ["none"] * 4),
        (CASES["llama4_text-2"], ["rope", "none", "none", "rope"]),
        (small("smollm3", no_rope_layers=[0, 1, 0, 1]), ["none", "rope"] * 2),
    ],
)
def test_which_layers_turn(config, methods):
    found = describe(config)
    assert found.method == ("rope" if "rope" in methods else "none")
    assert [layer.method for layer in found.layers] == methods
    still = found.layer(methods.index("none"))
    assert still.frequencies().shape == (0,)
    assert (still.attention_factor(), still.rotary_dim) == (1.0, 0)


def test_nested_configurations():
    text = small("llama4_text", head_dim=16)
    outer = bare("llama4", text_config=text)
    assert describe(outer).layers == describe(text).layers
    unknown = describe(outer | bare("sees_and_hears"))
    assert unknown.layers == describe(text).layers
    assert "'sees_and_hears' is not known here" in unknown.warnings[0]
    beside = describe(outer | {"rope_theta": 5.0})
    assert beside.warnings[0].startswith("rope_theta stands beside text_config")
    for keys in ({"rope_theta": None}, {"hidden_size": 8}, {"rope_is": 3}):
        assert describe(outer | keys).warnings == describe(outer).warnings
    inner = {k: v for k, v in text.items() if k != "model_type"}
    assert describe(outer | {"text_config": inner}).layers == describe(text).layers


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gpt2", {"n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024}),
    ],
)
def test_assumed_keys_have_the_familys_names(name, expected):
    assert describe(bare(name)).assumed == expected


def test_every_family_has_its_defaults():
    for name in families():
        if "text" in family(name):
            continue
        found = describe(bare(name))
        assert found.family == name
        assert found.assumed
        assert [x.number for x in found.layers] == list(range(found.num_layers))
        for layer in found.layers:
            pairs = layer.frequencies()
            assert pairs.shape == (layer.rotary_dim // 2,)


@pytest.mark.parametrize("config", CASES.values(), ids=CASES)
def test_frequencies_are_accepted_by_rope_functions(config):
    for layer in describe(config).layers:
        theta = layer.frequencies(512)
        assert theta.dtype == np.float64
        assert np.isfinite(theta).all()
        assert (np.diff(theta) <= 0).all()
        if layer.method == "rope":
            angles = rope.rotary_angles(
                np.arange(3.0), layer.rotary_dim, frequencies=theta
            )
            turned = slice(layer.first_turned, layer.first_turned + layer.rotary_dim)
            x = np.ones((3, layer.head_dim))[:, turned]
            assert rope.apply_rotary(x, angles, layout=layer.layout).shape == x.shape


def test_describe_does_not_modify_its_input():
    config = small("gemma3_text", rope_scaling={"rope_type": "linear", "factor": 2.0})
    before = json.dumps(config)
    describe(config)
    assert json.dumps(config) == before


LONG_AGO = YARN | {"original_max_position_embeddings": 4096}
AT_4096 = {"scale": 8.0, "trained_len": 4096, "base": 500.0}
AT_32 = AT_4096 | {"trained_len": 32}
SPEEDS = [
    ({"type": "linear", "factor": 8.0}, plain(16, 500.0) / 8),
    (
        {"type": "dynamic", "factor": 3.0},
        plain(16, 500 * (3 * 1024 / 256 - 2) ** (16 / 14)),
    ),
    (LLAMA3, rope.llama3_frequencies(16, **AT_32)),
    (
        LLAMA3 | {"low_freq_factor": 0.5, "high_freq_factor": 5.0},
        rope.llama3_frequencies(16, **AT_32, low_freq_factor=0.5, high_freq_factor=5.0),
    ),
    (LONG_AGO, rope.yarn_frequencies(16, **AT_4096, ramp="pairs")),
    (
        LONG_AGO | {"beta_fast": 4, "beta_slow": 0.5, "truncate": False},
        rope.yarn_frequencies(
            16, **AT_4096, ramp="pairs", alpha=0.5, beta=4, truncate=False
        ),
    ),
]


@pytest.mark.parametrize(("scaling", "expected"), SPEEDS)
def test_the_frequencies_of_a_rule(scaling, expected):
    config = small("llama", rope_scaling=scaling, rope_theta=500.0)
    theta = describe(config).layer(3).frequencies(1024)
    np.testing.assert_allclose(theta, expected, rtol=1e-12)


TRAINED = [
    ({"type": "linear", "factor": 2.0}, None),
    ({"type": "linear", "factor": 2.0, "original_max_position_embeddings": 128}, 128),
    ({"type": "dynamic", "factor": 2.0}, 256),
    ({"rope_type": "yarn", "factor": 2.0}, 256),
]


@pytest.mark.parametrize(("keys", "expected"), TRAINED)
def test_trained_length(keys, expected):
    assert describe(small("llama", rope_scaling=keys)).trained_len == expected


def test_scaling_of_types_of_layers():
    scaling = {"rope_type": "linear", "factor": 2.0}
    keys = {"head_dim": 16, "sliding_window_pattern": 2, "rope_scaling": scaling}
    gemma = describe(small("gemma3_text", **keys))
    types = [layer.rotation.rope_type for layer in gemma.layers]
    assert types == ["default", "linear"] * 2
    assert (gemma.trained_len, gemma.max_len) == (None, 256)
    modern = describe(small("modernbert", rope_scaling=scaling))
    assert {layer.rotation.rope_type for layer in modern.layers} == {"linear"}
    assert [x.rotation.base for x in modern.layers] == [16e4, 1e4, 1e4, 16e4]


def test_layouts():
    assert describe(small("glm")).layer(0).layout == "interleaved"
    values = describe(small("roformer", rotary_value=True)).layer(0)
    assert values.details == {"values_turn": True}
    assert describe(small("roformer")).layer(0).details == {}
    keys = {"qk_nope_head_dim": 8, "qk_rope_head_dim": 4}
    half = describe(small("deepseek_v3", rope_interleave=False, **keys))
    assert half.layer(0).layout == "half"


#: Two kinds of layers that differ in nothing but their rotation.
LOCAL_AND_GLOBAL = small(
    "gemma3_text",
    num_hidden_layers=6,
    sliding_window=None,
    rope_scaling={"rope_type": "linear", "factor": 2.0},
)


def test_report_of_a_stretched_rotation():
    config = small("llama", rope_scaling=YARN | {"attention_factor": 1.5})
    text = " ".join(report(describe(config)).split())
    for part in (
        "llama: rotary embedding",
        "Trained length: 32 tokens, before stretching",
        "Length that is promised: 256 tokens",
        "Layers: 4 0-3 16 of 16 features turn, layout 'half', base 10,000.",
        "the fastest needs 6.283 tokens for a turn, the slowest 159,000.",
        "6 of them made no whole turn before stretching, within 32 tokens.",
        "Stretching: yarn, factor 8. At the promised length the fastest plane "
        "keeps its speed, and none is slowed down by more than 8; 1 of 8 planes keep "
        "their speed, 6 are slowed down by the whole factor, 1 by another number.",
        "multiplied by 1.5, so scores are multiplied by 2.25.",
        "The first distance that was never trained before stretching is 32.",
        "Cosines and sines of 8 pairs for 256 tokens: 16 KiB in float32, if they are "
        "kept, once for all layers with base 10,000 and type yarn.",
        "! attention_factor replaces what YaRN computes",
    ):
        assert part in text, part


LONG_WINDOW = {"sliding_window": 64, "max_position_embeddings": 32}
HALF_STILL = {"rope_type": "proportional", "partial_rotary_factor": 0.5}
NO_PLANE = PROPORTIONAL | {"partial_rotary_factor": 0.1, "factor": 1.0}


FACTS = [
    (LOCAL_AND_GLOBAL, "base 10,000 and type default."),
    (LOCAL_AND_GLOBAL, "base 1,000,000 and type linear."),
    (
        small("llama", rope_scaling={"type": "linear", "factor": 4.0}),
        "5 of them make no whole turn within the promised 256 tokens.",
    ),
    (
        small("phi", rope_scaling=YARN | {"attention_factor": 1.5}),
        "The part of queries and keys that turns is multiplied by 1.5, so its",
    ),
    (
        small("llama", rope_scaling=PROPORTIONAL | {"partial_rotary_factor": 0.1}),
        "0 of 16 features turn",
    ),
    (bare("swin", use_absolute_embeddings=True), "The table at the input: 1.148 MiB"),
    (small("gemma2", **LONG_WINDOW), "in training, within 32 tokens. "),
    (small("gemma2", sliding_window=8), "never trained is 8, where the window ends."),
    (small("llama", rope_scaling=HALF_STILL), "8 of 16 features"),
    (CASES["llama-16"], "Queries and keys are multiplied by 1.26491,"),
    (CASES["deepseek_v2-1"], "Scores are multiplied by 1.31231 besides."),
    (CASES["modernbert-4"], "65 tokens, its window, if training was as long as that."),
    (bare("deepseek_v2"), "64 of 192 features turn from feature 128 on,"),
    (bare("qwen3_vl_text"), "row and column, in turns: 24, 20, 20."),
    (small("roformer", rotary_value=True), "Values turn as well."),
    (bare("t5"), "It has a table of its own. 1-5 (enc"),
    (bare("t5"), "from 91 tokens on all share the last."),
    (bare("falcon") | {"alibi": True}, "The penalty is divided by 8, with the scores."),
    (bare("transfo-xl"), "cosines; 1,600 tokens are remembered."),
    (bare("swin"), "Layer 0: they end with the window."),
    (bare("swin"), "A table of distances: 1.98 KiB in float32."),
    (
        small("deberta-v2", **C2P, position_buckets=64),
        "From 32 tokens on, distances share rows, on a scale that ends at 256.",
    ),
    (bare("whisper"), "frequencies from 1 to 1/10,000 exactly."),
    (bare("mpt", max_seq_len=65536), "written out: 256 GiB in"),
    (small("bert", max_position_embeddings=1, hidden_size=4), "input: 16 bytes in"),
    (bare("llama"), " rope_theta = 10000.0"),
    (bare("gemma4_text"), " rope_parameters.full_attention = {"),
]


@pytest.mark.parametrize(("config", "expected"), FACTS)
def test_report_contains_line(config, expected):
    text = " ".join(report(describe(config)).split())
    assert expected in text, text


@pytest.mark.parametrize(
    ("config", "refused"),
    [
        (small("llama", rope_scaling=HALF_STILL), "Stretching"),
        (bare("gpt_oss"), " rope_scaling = "),
    ],
)
def test_report_omits_lines_that_do_not_apply(config, refused):
    text = " ".join(report(describe(config)).split())
    assert refused not in text.replace("sliding_window", ""), text


def test_planes_by_hand():
    layer = describe(small("llama", rope_scaling=LLAMA3, rope_theta=500.0)).layer(0)
    seen = planes(layer, 32)
    theta = 500.0 ** (-np.arange(8) / 8)
    turns = 32 * theta / (2 * math.pi)
    assert seen.never_round == (turns < 1).sum()
    assert seen.kept == (turns >= 4).sum()
    assert seen.divided == (turns <= 1).sum()
    np.testing.assert_allclose(seen.wavelengths, 2 * math.pi / layer.frequencies())
    np.testing.assert_allclose(seen.slower, theta / layer.frequencies())
    assert planes(layer).never_round == 0


def test_planes_without_rotation():
    scaling = {"rope_type": "proportional", "partial_rotary_factor": 0.5, "factor": 2.0}
    layer = describe(small("llama", rope_scaling=scaling)).layer(0)
    seen = planes(layer, 1)
    assert np.isinf(seen.wavelengths[4:]).all()
    assert (seen.slower == [2.0] * 4 + [1.0] * 4).all()
    assert (layer.rotation.unstretched()[4:] == 0).all()
    assert (seen.never_round, seen.kept, seen.divided) == (4, 0, 4)
    none = planes(describe(small("llama", rope_scaling=NO_PLANE)).layer(0))
    assert (none.kept, none.divided) == (0, 0)
    text = report(describe(small("llama", rope_scaling=scaling)))
    assert "; 4 stand still." in " ".join(text.split())


UNTRAINED = [
    (small("llama"), 0, 256),
    (small("llama", rope_scaling=YARN), 0, 32),
    (small("gemma2", sliding_window=8), 0, 8),
    (CASES["modernbert-0"], 1, 9),
    (CASES["llama4_text-0"], 0, 32),
    (LOCAL_AND_GLOBAL, 0, 256),
    (LOCAL_AND_GLOBAL, 5, None),
    (bare("bloom"), 0, None),
    (bare("swin"), 0, None),
]


@pytest.mark.parametrize(("config", "number", "expected"), UNTRAINED)
def test_first_distance_that_was_never_trained(config, number, expected):
    checkpoint = describe(config)
    assert first_untrained(checkpoint.layer(number), checkpoint) == expected


@pytest.mark.parametrize("name", TEXTS)
def test_every_family_is_reported_in_lines_that_fit(name):
    text = report(describe(bare(name)))
    assert text.startswith(f"{name}: ")
    assert "Layers: " in text
    assert max(len(line) for line in text.splitlines()) <= 88
    assert "None" not in text.replace("None of", "")
    assert "nan" not in text


@pytest.mark.parametrize("config", CASES.values(), ids=CASES)
def test_json_contains_the_whole_report(config):
    checkpoint = describe(config)
    told = json.loads(json.dumps(as_dict(checkpoint), allow_nan=False))
    assert told["warnings"] == list(checkpoint.warnings)
    numbers = [n for layers in told["layers"] for n in layers["numbers"]]
    assert sorted(numbers) == list(range(checkpoint.num_layers))
    for part in told["layers"]:
        layer = checkpoint.layer(part["numbers"][-1])
        assert part["method"] == layer.method
        assert part.get("frequencies", []) == layer.frequencies().tolist()
        assert part["window"] == layer.window
        rule = layer.rotation
        assert part.get("factor", 1.0) == (rule.settings if rule else {}).get(
            "factor", 1.0
        )


def test_a_layer_as_a_table():
    found = describe(CASES["qwen3_vl_text-0"] | {"rope_theta": 1e4})
    theta = found.layer(0).frequencies().tolist()
    assert as_dict(found)["layers"] == [
        {
            "numbers": [0, 1, 2, 3],
            "method": "rope",
            "head_dim": 16,
            "rotary_dim": 16,
            "layout": "half",
            "first_turned": 0,
            "sections": [4, 2, 2],
            "sections_interleaved": True,
            "window": None,
            "window_shape": "",
            "stack": "",
            "score_factor": 1.0,
            "details": {},
            "rope_type": "default",
            "base": 1e4,
            "factor": 1.0,
            "frequencies": theta,
            "frequencies_at_max_len": theta,
            "attention_factor": 1.0,
        }
    ]
    (part,) = as_dict(describe(small("bert")))["layers"]
    assert part["sections"] is None
    assert part["details"] == {"rows": 256, "first_row": 0, "width": 64}


@pytest.mark.parametrize(
    ("config", "names", "windows"),
    [
        (small("llama"), ["0-3"], [None]),
        (small("gemma2", num_hidden_layers=5), ["0, 2, 4", "1, 3"], [4096, None]),
        (small("gpt_oss", sliding_window=8), ["0, 2", "1, 3"], [8, None]),
        (LOCAL_AND_GLOBAL, ["0-4", "5"], [None, None]),
    ],
)
def test_report_groups_equal_layers(config, names, windows):
    found = groups(describe(config))
    assert [group.names for group in found] == names
    assert [group.layer.window for group in found] == windows


def test_planes_at_a_length_that_changes_the_speeds():
    given = {"type": "dynamic", "factor": 2.0}
    layer = describe(small("llama", rope_scaling=given)).layer(0)
    seen, theta = planes(layer, 256, 1024), layer.frequencies(1024)
    np.testing.assert_allclose(seen.wavelengths, 2 * np.pi / theta, rtol=1e-15)
    np.testing.assert_allclose(seen.slower, plain(16, 10_000.0) / theta, rtol=1e-12)
    assert seen.slower[-1] > 2
    assert seen.never_round == planes(layer, 256).never_round


def test_numbers_at_the_promised_length():
    given = {"type": "dynamic", "factor": 2.0}
    yarn = as_dict(describe(small("llama", rope_scaling=YARN)))["layers"][0]
    assert yarn["attention_factor"] == pytest.approx(0.1 * math.log(8) + 1)
    found = describe(
        small("phi3", original_max_position_embeddings=32, rope_scaling=LONGROPE)
    )
    told = as_dict(found)["layers"][0]
    assert told["frequencies"] == found.layer(0).frequencies().tolist()
    assert told["frequencies_at_max_len"] == found.layer(0).frequencies(256).tolist()
    assert told["frequencies"] != told["frequencies_at_max_len"]
    assert as_dict(describe(small("llama", rope_scaling=given)))["trained_len"] == 256


def test_the_layer_that_is_chosen():
    turns = [0, 1, 1, 0]
    found = describe(small("smollm3", no_rope_layers=turns))
    assert chosen_layer(found).number == 1
    assert chosen_layer(found, 0).number == 0
    assert chosen_layer(found, 2).number == 2
    still = describe(small("cohere2", sliding_window=None))
    assert chosen_layer(still).number == 0
    assert groups(found)[0].layer.number == 0
    assert groups(found)[1].layer.number == 1
