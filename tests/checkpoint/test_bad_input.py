"""Configurations that are wrong, or say one thing and mean another."""

import json
import re

import pytest
from checkpoint_configs import LATENT, LONGROPE, YARN, bare, rope_configs, small
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.checkpoint import Checkpoint, as_dict, describe, families, report
from posenc.checkpoint.published import family

CASES = dict(rope_configs())


def scaled(**keys):
    return small("llama", rope_scaling=keys)


NESTED = {"model_type": "gemma3", "text_config": {"num_hidden_layers": 3}}
NO_FACTOR = {"type": "linear"}
DOUBLED = {"type": "linear", "factor": 2.0}
OLMO3 = CASES["olmo3-5"]["rope_parameters"]
NO_RATIO = YARN | {"factor": None, "mscale": 0.7, "mscale_all_dim": 0.7}
SECTIONS = {"mrope_section": [2, 3, 3]}
IN_SECTIONS = YARN | SECTIONS
ORIGINAL = "original_max_position_embeddings"
NO_LOW = {"rope_type": "llama3", "factor": 2.0, "high_freq_factor": 4.0}
LLAMA3 = NO_LOW | {"low_freq_factor": 1.0}


REFUSED = [
    (3, "config must be a table of keys or the path of one, got a int"),
    ({}, "model_type must be one of .* got nothing: .*families"),
    (bare("lama"), "got 'lama': did you mean 'llama'"),
    (bare("LLaMA"), "got 'LLaMA': did you mean 'llama'"),
    ({"model_type": 5}, "got 5: posenc.checkpoint.families"),
    (bare("gemma3"), "text_config must be there for gemma3"),
    (small("gpt2", hidden_size=66), "^hidden_size must be a multiple of"),
    (bare("gpt2", n_embd=66), "^n_embd must be a multiple of n_head="),
    (small("llama", hidden_size=60), "head_dim must be even, got 15: "),
    (small("glm4", head_dim=None), "head_dim must be .* got None: leave"),
    (small("llama", num_hidden_layers=0), "num_hidden_layers must be"),
    (small("llama", num_hidden_layers=10**6), "at most 10000"),
    (small("llama", rope_theta=-1), "rope_theta must be a finite number"),
    (small("llama", rope_theta=None), "rope_theta must be .* got null"),
    (small("llama", rope_theta=2e300), "rope_theta must be at most"),
    (small("llama", max_position_embeddings=2**31 + 1), "embeddings must be at most"),
    (
        small("llama4_text", head_dim=16, floor_scale=0),
        "floor_scale .* leave .* for 8192",
    ),
    (
        small("gemma3_text", rope_parameters={"sliding_attention": {"type": "su"}}),
        "^rope_parameters.sliding_attention.rope_type must be one of .* got 'su'",
    ),
    (small("phi3", rope_scaling=DOUBLED), "default, longrope for phi3"),
    (small("phi", rope_scaling={"type": "proportional"}), "must be at .* not 'prop"),
    (scaled(**LONGROPE, **{ORIGINAL: 1}), "^rope_scaling: trained_len must be an"),
    (scaled(**YARN | {"factor": 0.5}), "factor must be .* at least 1"),
    (scaled(**YARN, beta_fast=1), "beta_fast must be above beta_slow"),
    (scaled(**YARN, beta_slow=-1), "beta_slow must be .* at least 0"),
    (
        small("gemma3_text", rope_scaling=DOUBLED, rope_parameters={"factor": 2.0}),
        "has no part for each",
    ),
    (
        small("gemma3_text", rope_parameters={"sliding_attention": 3}),
        "^rope_parameters.sliding_attention must be a table of keys, got 3",
    ),
    (scaled(type="su"), "rope_type must be one of .* got 'su'.*guessed"),
    (scaled(**NO_FACTOR), "rope_scaling.factor must be there"),
    (scaled(**YARN, truncate="no"), "truncate must be True or False"),
    (scaled(**YARN, attention_factor=-1), "attention_factor must be a"),
    (scaled(**YARN, rope_theta=1), "rope_theta must be above 1 for yarn"),
    (scaled(**NO_LOW), "low_freq_factor must be there"),
    (scaled(**NO_LOW, low_freq_factor=4), "high_freq_factor must be abo"),
    (scaled(type="longrope", short_factor=[1]), "long_factor must be a"),
    (scaled(**LONGROPE | {"long_factor": [1.0]}), "^rope_scaling: long_factors"),
    (scaled(full_attention={}), "llama has one set for all"),
    (small("phi", partial_rotary_factor=0.2), r"^partial_rotary_factor must leave"),
    (small("phi", partial_rotary_factor=1.5), "must be at most 1"),
    (small("gptj", rotary_dim=20), "rotary_dim must be even and at most"),
    (small("smollm3", no_rope_layers=[1]), "^no_rope_layers must have one entry"),
    (small("smollm3", no_rope_layers=[2] * 4), "must hold 1 .* got 2"),
    (small("smollm3", no_rope_layers=1), "no_rope_layers must be a list, got 1$"),
    (small("smollm3", no_rope_layer_interval=0), "no_rope_layer_interval"),
    (small("gemma2", layer_types=["x"] * 4), "layer_types must hold .*'x'"),
    (
        small("gemma2", layer_types=["chunked_attention"] * 4),
        "full_attention and .* for gemma2",
    ),
    (
        small("modernbert", rope_parameters={"rope_theta": 500.0}),
        "nothing else for mod",
    ),
    (small("qwen3_vl_text", head_dim=16), "mrope_section: .*default"),
    (
        small("qwen2_vl_text", rope_scaling={"type": "mrope", "mrope_section": [8]}),
        "mrope_section must hold pairs for time, row and column",
    ),
    (small("roberta", pad_token_id=255), "^max_position_embeddings must be above"),
    (small("vit", patch_size=999), r"^patch_size must be at most the image's size"),
    (small("deberta", relative_attention=True, pos_att_type="p2p"), "c2p"),
    (bare("transfo-xl", d_model=63), "^d_model must be even, got 63:"),
    (bare("marian", d_model=2**20 + 32), "^d_model must be at most"),
    (bare("transfo-xl", clamp_len=-2), "at least -1"),
    (bare("bloom", n_head=2**16 + 1, hidden_size=2**16 + 1), "^n_head must be at"),
    (small("wav2vec2", num_conv_pos_embedding_groups=7), "must divide hidden_size=64"),
    (bare("swin", num_heads=[3, 5, 12, 24]), "^stage 1: num_heads .* 192"),
    (bare("swin", depths=[2, 2, "a", 2]), "^stage 2: depths must be"),
    ({"text_config": bare("vit", image_size=[64, "a"])}, "^text_config.image_size"),
    (
        small("qwen3_vl_text", head_dim=16, rope_scaling={"mrope_section": [9, 3, 4]}),
        "^rope_scaling.mrope_section: .* have the sum 16$",
    ),
    (
        small("qwen3_vl_text", head_dim=16, rope_scaling={"mrope_section": [1, 3, 4]}),
        "interleaved sections must leave room",
    ),
    (small("swin", depths=[2]), "num_heads must have one entry"),
    (small("transfo-xl", attn_type=1), "attn_type must be 0, got 1"),
    (small("gemma4_text", rope_parameters={"full_attention": {}}), "must be a table"),
    (
        small("gemma4_text", rope_scaling=NO_FACTOR | {"factor": 2.0}),
        "must not be there",
    ),
    (
        small("deepseek_v3", **LATENT, rope_scaling=NO_RATIO),
        "beside mscale_all_dim, got",
    ),
    (small("deepseek_v2", **LATENT, rope_scaling=NO_RATIO), "cannot build a model of"),
    (scaled(**YARN | {ORIGINAL: 32.5}), f"{ORIGINAL} must be an integer"),
    (small("llama", rope_theta=1e-320), "rope_theta must be at least"),
    (
        CASES["olmo3-5"]
        | {"rope_parameters": OLMO3 | {"full_attention": YARN | {"truncate": 0}}},
        "^rope_parameters.full_attention.truncate must be True or False",
    ),
]


@pytest.mark.parametrize(("config", "told"), REFUSED)
def test_a_wrong_configuration_is_refused(config, told):
    with pytest.raises((TypeError, ValueError), match=told):
        describe(config)


@pytest.mark.parametrize(
    "name", [n for n in families() if "num_hidden_layers" in family(n)["defaults"]]
)
def test_a_wrong_number_is_refused_with_the_familys_default(name):
    default = family(name)["defaults"]["num_hidden_layers"]
    told = f"got 0: leave the key out for {default}, the family's default"
    with pytest.raises(ValueError, match=told):
        describe({"model_type": name, "num_hidden_layers": 0})


def test_describe_unreadable_file_is_refused(tmp_path):
    broken = tmp_path / "config.json"
    for text, told in (
        ("{", "a file of JSON, got '.*config.json'"),
        ("[1]", "config.json must hold a table of keys, got a list"),
    ):
        broken.write_text(text)
        with pytest.raises((ValueError, TypeError), match=told):
            describe(broken)
    with pytest.raises(
        ValueError, match=r"a file that can be read, got .*nothing.json"
    ):
        describe(tmp_path / "nothing.json")


@pytest.mark.parametrize("i", [-1, 4, 1.0, True])
def test_describe_missing_layer_is_refused(i):
    with pytest.raises((TypeError, ValueError), match=r"^i must be"):
        describe(small("llama")).layer(i)


@pytest.mark.parametrize("seq_len", [0, 1.5, True])
def test_frequencies_invalid_seq_len_is_refused(seq_len):
    layer = describe(small("llama")).layer(0)
    for ask in (layer.frequencies, layer.attention_factor):
        with pytest.raises(
            (TypeError, ValueError), match=r"^seq_len must be .*: tokens of the text"
        ):
            ask(seq_len)


WARNED = [
    (small("llama", rop_theta=5.0), "rop_theta .* Did you mean rope_theta?"),
    (small("llama", sliding_window=5), "sliding_window is not read by llama"),
    (small("gptj", rope_theta=5.0, rotary_dim=8), "rope_theta is not read by gptj"),
    (small("bloom", alibi=True), "alibi is not read by bloom"),
    (scaled(**YARN, attn_factor=1.0), "attn_factor is no key .*DeepSeek-R1#684"),
    (
        scaled(**YARN, attention_factor=1.0),
        "vllm#48351 .* open, .*; ml-explore.mlx-lm#1507",
    ),
    (scaled(**YARN, truncate=False), "vllm#27722"),
    (scaled(type="dynamic", factor=2.0), "vllm#41236"),
    (scaled(type="default", factor=2.0), "rope_scaling.factor is not read by"),
    (
        scaled(rope_type="dynamic", factor=2.0, beta_fast=3),
        "beta_fast .* type 'dynamic'",
    ),
    (
        CASES["qwen3_vl_text-0"]
        | {"rope_scaling": {"mrope_section": [4, 2, 2], "mrope_interleaved": 0}},
        "rope_scaling.mrope_interleaved is not read by qwen3_vl_text",
    ),
    (scaled(**YARN, partial_rotary_factor=0.5), "is not read by llama .* too few"),
    (
        small("gpt_neox", rotary_emb_base=9, rope_scaling=YARN | {"rope_theta": 7}),
        "^rope_scaling.rope_theta is 7 and rotary_emb_base is 9: the inner",
    ),
    (small("olmo3", rope_theta=77.0, rope_scaling=DOUBLED), "the full layers alone;"),
    (scaled(**LLAMA3 | {ORIGINAL: 256}), "256 is taken as the trained length"),
    (scaled(**LLAMA3 | {ORIGINAL: 512}), f"{ORIGINAL}=512 is above max_position"),
    (small("falcon", alibi=True, num_hidden_layers=1), "^Falcon divides the"),
    (
        small(
            "modernbert",
            rope_parameters={
                "full_attention": YARN | {"attention_factor": 1.5},
                "sliding_attention": {"rope_type": "default"},
            },
        ),
        "attention_factor replaces what YaRN computes",
    ),
    (scaled(type="linear", factor=2.0), "trained length is unknown"),
    (scaled(**YARN | {"factor": 4.0}), r"factor is 4, but .* is 8.*#38224 of 2025"),
    (CASES["llama-18"], "rope_theta is 77.0 and rope_theta is 99.0: the inner"),
    (CASES["llama-20"], "rope_scaling and rope_parameters are both there"),
    (small("llama", rope_parameters={"rope_theta": 5.0}), "vllm#44158"),
    (CASES["qwen2_vl_text-0"] | {"partial_rotary_factor": 0.5}, "maxtext#4616"),
    (CASES["gemma3_text-1"], "mlx-vlm#1709"),
    (CASES["phi3-1"], "llama.cpp#24823"),
    (CASES["cohere2-0"], "Layers without a window do not turn"),
    (small("bert", position_embedding_type="relative_key"), "no longer reads"),
    (small("opt"), "two rows more"),
    (small("deberta", relative_attention=True), "pos_att_type names no term"),
    (small("deberta", relative_attention=True), "like Shaw's method, but not the"),
    (small("mpt", attn_config={"rope": True}), "rope is not read by transformers"),
    (small("mpt", attn_config={"alibi": False}), "attn_config.alibi is false"),
    (
        small("gemma2", layer_types=["full_attention"] * 4, sliding_window_pattern=2),
        "sliding_window_pattern is not read",
    ),
    (
        small(
            "gemma3_text",
            layer_types=["full_attention"] * 4,
            sliding_window_pattern=2,
        ),
        "layer_types does not follow sliding_window_pattern",
    ),
    (CASES["olmo3-3"], "rope_scaling.truncate is false, .* ramp are moved to"),
    (CASES["olmo3-5"], "full_attention.truncate is true, .* are not moved"),
    (CASES["gemma3_text-9"], r"rope_scaling\.type is 'linear', .* reads rope_type"),
    (small("gpt2", n_layer=2), "num_hidden_layers is 4 and n_layer 2: num_hidden_"),
    (small("bloom", n_embed=32), "n_embed is 32 and hidden_size 64: n_embed wins"),
    (bare("gemma3", text_config=NESTED), "text_config.text_config is"),
    (small("mpt"), "max_position_embeddings is not read by mpt"),
    (CASES["llama-24"], "partial_rotary_factor is not read .*: it changes nothing"),
    (scaled(**YARN) | {ORIGINAL: 64}, "is 32, but 64 at the top"),
    (small("deepseek_v3", **LATENT, head_dim=32), "head_dim is 32, not"),
    (
        small("qwen2_vl_text", partial_rotary_factor=0.5, rope_scaling=IN_SECTIONS),
        "'yarn' .* too few",
    ),
]


@pytest.mark.parametrize(("config", "told"), WARNED)
def test_warnings(config, told):
    found = describe(config).warnings
    assert any(re.search(told, warning) for warning in found), found
    assert all(re.search(r"[^.][.?]$", warning) for warning in found)


@pytest.mark.parametrize(
    ("family", "key", "value"),
    [
        ("llama", "use_rope", False),
        ("llama", "position_embedding_type", "alibi"),
        ("llama", "use_position_embeddings", False),
        ("llama", "use_logn_attn", True),
        ("llama", "attn_temperature_tuning", True),
        ("mistral", "use_sliding_window", False),
    ],
)
def test_an_unknown_key_named_like_one_of_positions_is_reported(family, key, value):
    said = f"{key} is not read by {family}"
    found = describe(small(family, **{key: value})).warnings
    assert any(warning.startswith(said) for warning in found), found


@pytest.mark.parametrize(
    ("family", "key", "value"),
    [
        ("llama", "foo_bar", 3),
        ("llama", "use_alibi", False),
        ("llama", "alibi", False),
        ("llama", "position_embedding_type", "rope"),
        ("llama", "rope_config", {"a": 1}),
        ("llama", "rope_scaling", YARN | {"low_freq_factor": None}),
        ("bert", "position_embedding_type", "absolute"),
    ],
)
def test_warnings_skip_keys_that_switch_nothing_on(family, key, value):
    found = describe(small(family, **{key: value})).warnings
    assert not [warning for warning in found if key in warning]


@pytest.mark.parametrize(
    "config",
    [
        CASES["llama-0"],
        small("deepseek_v2", **LATENT, head_dim=32),  # it is replaced, not read
        scaled(**YARN) | {ORIGINAL: 32},
        CASES["llama-5"],
        CASES["glm-0"],
        CASES["qwen2-1"],  # a window that is there, but not asked for
        small("olmo3", rope_scaling=YARN),
        small("olmo3", rope_theta=5e5),
        {"model_type": "mpt", "attn_config": {"alibi": True}},
        small("phi", rope_scaling=YARN, partial_rotary_factor=0.5),
        CASES["qwen3_vl_text-0"],  # its axes take turns, as the key says
        small(
            "qwen2_vl_text",
            rope_scaling=SECTIONS | {"type": "mrope", "mrope_interleaved": False},
        ),
        small(
            "gemma3_text",
            layer_types=["sliding_attention", "full_attention"] * 2,
            sliding_window_pattern=2,
        ),
    ],
)
def test_a_clean_configuration_has_no_warnings(config):
    assert describe(config | {"torch_dtype": "bfloat16", "vocab": 3}).warnings == ()


WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.just(10**30),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.integers(-1, 9), max_size=4),
    st.dictionaries(st.sampled_from(["rope_type", "factor", "a"]), st.integers(0, 3)),
)


@settings(max_examples=150)
@given(data=st.data(), name=st.sampled_from([n for n in families() if n != "swin"]))
def test_any_value_is_described_or_refused_with_the_key(data, name):
    base = next((c for n, c in CASES.items() if n.startswith(f"{name}-")), None)
    config = dict(base or small(name))
    places = [config, *(v for v in config.values() if isinstance(v, dict))]
    place = dict(data.draw(st.sampled_from(places)))
    keys = [
        *place,
        "rope_theta",
        "factor",
        "head_dim",
        "layer_types",
        "rope_parameters",
    ]
    key = data.draw(st.sampled_from(keys))
    place[key] = data.draw(WRONG)
    if "model_type" not in place:
        place = config | {"rope_scaling": place}
    try:
        found = describe(place)
    except (TypeError, ValueError) as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        return
    assert isinstance(found, Checkpoint)
    assert report(found)
    json.dumps(as_dict(found))
