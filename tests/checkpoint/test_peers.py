"""Every family against transformers' own numbers, from configurations written here.

transformers forms frequencies in float32, which is off by about 1e-6 of each.
"""

import copy
import importlib
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from checkpoint_configs import SMALL, bare, rope_configs, small
from transformers import CONFIG_MAPPING, AutoModel
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.falcon.modeling_falcon import (
    build_alibi_tensor as build_falcon_alibi,
)
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel

from posenc import rope
from posenc.checkpoint import describe, families, published
from posenc.checkpoint.exercises import oracle
from posenc.checkpoint.keys import Keys
from posenc.checkpoint.published import family

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

FLOAT32 = {"rtol": 3e-6, "atol": 0}
CASES = dict(rope_configs())
#: The book's models, each of their steps. (GPT-J has a test of its own.)
PUBLISHED = {
    f"{model['name']}-{step}": published.config(model["name"], step)
    for model in published.models()
    if "config" in model and model["name"] != "GPT-J"
    for step in range(len(model.get("step", [])) + 1)
}


def theirs(config):
    """transformers' configuration: it may write to what it is given."""
    given = copy.deepcopy(config)
    return CONFIG_MAPPING[given.pop("model_type")](**given)


def module_of(config):
    name = config["model_type"].replace("-", "_").removesuffix("_text")
    return importlib.import_module(f"transformers.models.{name}.modeling_{name}")


def embedding(config):
    """The rotary embedding of the family's text model."""
    module = module_of(config)
    classes = [
        value
        for name, value in vars(module).items()
        if name.endswith("RotaryEmbedding") and "Vision" not in name
    ]
    (chosen,) = {cls for cls in classes if cls.__module__ == module.__name__}
    return chosen(theirs(config))


def of_type(peer, kind):
    """Frequencies and factor of a type of layer, or those of all layers."""
    if hasattr(peer, f"{kind}_inv_freq"):
        return getattr(peer, f"{kind}_inv_freq"), getattr(
            peer, f"{kind}_attention_scaling"
        )
    return peer.inv_freq, peer.attention_scaling


def kinds_of(config, num_layers):
    return getattr(theirs(config), "layer_types", None) or [""] * num_layers


@pytest.mark.parametrize("config", (CASES | PUBLISHED).values(), ids=CASES | PUBLISHED)
def test_frequencies_and_factor_of_every_layer(config):
    if config["model_type"] == "qwen2_vl":
        config = config | {"model_type": "qwen2_vl_text"}
    checkpoint, peer = describe(config), embedding(config)
    turning = 0
    for layer, kind in zip(
        checkpoint.layers, kinds_of(config, checkpoint.num_layers), strict=True
    ):
        if layer.method == "none":
            assert layer.frequencies().shape == (0,)
            continue
        expected, factor = of_type(peer, kind)
        np.testing.assert_allclose(layer.frequencies(), expected.numpy(), **FLOAT32)
        assert layer.attention_factor() == pytest.approx(factor, rel=1e-12)
        turning += 1
    assert turning
    assert checkpoint.num_layers == theirs(config).num_hidden_layers


@pytest.mark.parametrize("config", CASES.values(), ids=CASES)
def test_layout_and_length_of_the_turned_part(config):
    # Random features turned by the family's own function and by ours.
    layer = next(x for x in describe(config).layers if x.method == "rope")
    module, peer = module_of(config), embedding(config)
    length = 6
    x = torch.randn(1, 1, length, layer.rotary_dim, generator=torch.Generator())
    positions = torch.arange(length)[None]
    args = (
        (positions, kinds_of(config, 1)[0])
        if hasattr(peer, "layer_types")
        else (positions,)
    )
    turned, name = peer(x, *args), ""
    if isinstance(turned, tuple):
        name = "apply_rotary_pos_emb"
        if config.get("rope_interleave", layer.layout == "interleaved"):
            name = (
                "apply_rotary_pos_emb_interleave"
                if "deepseek" in module.__name__
                else name
            )
        apply = getattr(module, name)
        if config["model_type"] == "gemma4_text":
            expected = apply(x, *turned)
        else:
            expected = apply(x, x, *turned)[0]
    elif config["model_type"] == "llama4_text":  # (batch, tokens, heads, features)
        x = x.transpose(1, 2)
        expected = module.apply_rotary_emb(x, x, turned)[0].transpose(1, 2)
        x = x.transpose(1, 2)
    else:
        expected = module.apply_rotary_emb(x, x, turned)[0]
    angles = rope.rotary_angles(
        positions[0], layer.rotary_dim, frequencies=layer.frequencies()
    )
    ours = rope.apply_rotary(x, angles, layout=layer.layout) * layer.attention_factor()
    if name == "apply_rotary_pos_emb_interleave":  # it sorts them, queries as keys
        order = rope.layout_permutation(16, source="interleaved", target="half")
        ours = ours[..., order]
    torch.testing.assert_close(ours.float(), expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("config", CASES.values(), ids=CASES)
def test_windows_heads_and_which_layers_turn(config):
    if config["model_type"] not in ("falcon", "gpt_neox", "deepseek_v2", "deepseek_v3"):
        config = config | {"head_dim": config.get("head_dim") or 16}
    checkpoint = describe(config)
    with torch.device("meta"):
        model = AutoModel.from_config(theirs(config))
    blocks = getattr(model, "layers", None)
    blocks = model.h if blocks is None else blocks
    assert len(blocks) == checkpoint.num_layers
    for layer, block in zip(checkpoint.layers, blocks, strict=True):
        attention = next(
            part
            for name, part in block.named_children()
            if name in ("self_attn", "attention", "attn", "self_attention")
        )
        window = getattr(attention, "sliding_window", None)
        if config["model_type"] in ("mistral", "phi3"):
            window = model.config.sliding_window
        if layer.window_shape == "chunk":
            assert model.config.layer_types[layer.number] == "chunked_attention"
            window = model.config.attention_chunk_size
        if layer.window_shape == "both sides":  # it counts the token itself
            window -= 1
        assert layer.window == window
        if hasattr(attention, "use_rope"):
            assert (layer.method == "rope") == bool(attention.use_rope)
        if config["model_type"] == "cohere2":
            assert (layer.method == "rope") == (attention.sliding_window is not None)
        size = getattr(attention, "qk_head_dim", None) or getattr(
            attention, "head_dim", None
        )
        assert layer.head_dim == (size or attention.head_size)
        if hasattr(attention, "rotary_ndims"):
            assert layer.rotary_dim == attention.rotary_ndims


@pytest.mark.parametrize(
    "name", [n for n in families() if "text" not in family(n) and n != "transfo-xl"]
)
def test_what_is_taken_for_absent_keys(name):
    config = CONFIG_MAPPING[name]()
    for key, value in family(name)["defaults"].items():
        if name == "gemma4_text" and "head_dim" in key:
            kind = "full" if key == "global_head_dim" else "sliding"
            found = config.per_layer_config[f"{kind}_attention"].head_dim
        elif key == "position_buckets":
            found = getattr(config, key, -1)
        elif key == "sliding_window" and not getattr(
            config, "use_sliding_window", True
        ):
            continue  # it is put away if it is not asked for
        else:
            found = getattr(config, family(name)["renamed"].get(key, key))
        assert (list(found) if isinstance(value, list) else found) == value, key


@pytest.mark.parametrize(
    ("name", "key", "own"),
    [
        (name, key, own)
        for name in families()
        if "text" not in family(name) and name != "transfo-xl"
        for table in ("names", "older", "renamed")
        for key, own in family(name)[table].items()
    ],
)
@pytest.mark.parametrize("own_first", [True, False])
def test_which_of_two_names_of_a_key_wins(name, key, own, own_first):
    both = {own: 16, key: 24} if own_first else {key: 24, own: 16}
    config = CONFIG_MAPPING[name](**both)
    expected = getattr(config, family(name)["renamed"].get(key, key))
    keys = Keys(both, family(name))
    assert keys.whole(key) == expected
    assert keys.name(key) == (key if expected == 24 else own)
    winner = f"{keys.name(key)} wins"
    assert any(winner in warning for warning in keys.warnings) is (
        key not in family(name)["renamed"]
    )


@pytest.mark.parametrize("name", ["llama-4", "cohere-1"])
@pytest.mark.parametrize("seq_len", [257, 1000])
def test_dynamic_frequencies_follow_the_text(name, seq_len):
    peer, layer = embedding(CASES[name]), describe(CASES[name]).layer(0)
    peer(torch.zeros(1), torch.tensor([[seq_len - 1]]))
    np.testing.assert_allclose(layer.frequencies(seq_len), peer.inv_freq, **FLOAT32)


@pytest.mark.parametrize("name", ["phi3-1", "phi3-2"])
@pytest.mark.parametrize("seq_len", [32, 33, 64, 65, 300])
def test_longrope_switches_with_the_text(name, seq_len):
    peer, layer = embedding(CASES[name]), describe(CASES[name]).layer(0)
    peer(torch.zeros(1), torch.tensor([[seq_len - 1]]))
    np.testing.assert_allclose(layer.frequencies(seq_len), peer.inv_freq, **FLOAT32)
    assert layer.attention_factor(seq_len) == pytest.approx(peer.attention_scaling)


@pytest.mark.parametrize("name", ["deepseek_v2-1", "deepseek_v3-2", "deepseek_v3-0"])
def test_deepseeks_factor_on_the_scores(name):
    layer, module = describe(CASES[name]).layer(0), module_of(CASES[name])
    scaling = module.yarn_apply_mscale(theirs(CASES[name]).rope_parameters, 1.0)
    assert layer.score_factor == pytest.approx(scaling)


@pytest.mark.parametrize(
    ("name", "interleaved"),
    [
        ("qwen2_vl_text-0", False),
        ("qwen2_5_vl_text-0", False),
        ("qwen3_vl_text-0", True),
    ],
)
def test_sections_of_pictures(name, interleaved):
    layer, peer = describe(CASES[name]).layer(0), embedding(CASES[name])
    assert layer.sections_interleaved is interleaved
    positions = torch.tensor([[3, 5], [1, 7], [2, 11]])
    cos, _ = peer(torch.zeros(1), positions[:, None])
    angles = rope.multimodal_angles(
        positions,
        layer.rotary_dim,
        sections=layer.sections,
        interleaved=layer.sections_interleaved,
        frequencies=layer.frequencies(),
    )
    half = layer.rotary_dim // 2
    torch.testing.assert_close(
        cos[0, :, :half], angles.cos().float(), rtol=0, atol=1e-5
    )


@pytest.mark.parametrize(("frames", "differ"), [(1, False), (2, False), (6, True)])
def test_video_frames_do_not_advance_text_positions(frames, differ):
    """As the page says of 5.23; the patches are where the paper's rule puts them."""
    sizes = SimpleNamespace(vision_config=SimpleNamespace(spatial_merge_size=1))
    model = SimpleNamespace(config=sizes)
    model.get_vision_position_ids = partial(Qwen2VLModel.get_vision_position_ids, model)
    kinds = torch.tensor([[0, 0, *[2] * (4 * frames), 0, 0]])
    film = torch.tensor([[frames, 2, 2]])
    found, _ = Qwen2VLModel.get_rope_index(
        model, torch.zeros_like(kinds), kinds, video_grid_thw=film
    )
    ours = oracle.multimodal_places(2, frames, 2, 2, 2)
    np.testing.assert_array_equal(found[:, 0, :-2], ours[:, :-2])
    np.testing.assert_array_equal(found[:, 0, -2:], [[4, 5]] * 3)
    assert bool(ours[0, -2] != 4) is differ


@pytest.mark.parametrize("stretched", [False, True])
def test_a_share_that_llama_does_not_read_shortens_stretched_frequencies(stretched):
    config = CASES["llama-0"] | {"partial_rotary_factor": 0.5}
    config.pop("rope_scaling", None)
    if stretched:
        config["rope_scaling"] = {"rope_type": "linear", "factor": 2.0}
    found = describe(config)
    pairs = len(found.layer(0).frequencies())
    turned = len(embedding(config).inv_freq)
    assert turned == (pairs // 2 if stretched else pairs)
    told = any("too few frequencies" in said for said in found.warnings)
    assert told is stretched


@pytest.mark.parametrize("name", ["gptj", "codegen"])
def test_gptj_and_codegen(name):
    config = bare(name, n_embd=64, n_head=4, n_layer=2, rotary_dim=8)
    layer, module = describe(config | {"n_positions": 50}).layer(1), module_of(config)
    table = module.create_sinusoidal_positions(50, 8)
    angles = rope.rotary_angles(np.arange(50.0), 8, frequencies=layer.frequencies())
    np.testing.assert_allclose(np.sin(angles), table[:, :4], atol=1e-5)
    x = torch.randn(1, 50, 1, 8, generator=torch.Generator())
    expected = module.apply_rotary_pos_emb(x, table[None, :, :4], table[None, :, 4:])
    ours = rope.apply_rotary(x[0, :, 0], torch.from_numpy(angles), layout=layer.layout)
    torch.testing.assert_close(ours, expected[0, :, 0], rtol=0, atol=1e-5)
    assert (layer.head_dim, layer.rotary_dim) == (16, 8)


def test_roformer():
    config = SMALL | {"model_type": "roformer"}
    layer, module = describe(config).layer(0), module_of(config)
    peer = module.RoFormerModel(theirs(config)).encoder.embed_positions
    peer.weight.data = peer.create_weight()
    table = peer((1, 20))
    angles = rope.rotary_angles(np.arange(20.0), 16, frequencies=layer.frequencies())
    np.testing.assert_allclose(np.sin(angles), table[:, :8], atol=1e-5)
    x = torch.randn(1, 1, 20, 16, generator=torch.Generator())
    turn = module.RoFormerSelfAttention.apply_rotary_position_embeddings
    expected = turn(table[None, None], x, x)[0]
    ours = rope.apply_rotary(x, torch.from_numpy(angles), layout=layer.layout)
    torch.testing.assert_close(ours, expected, rtol=0, atol=1e-5)


def model_of(config):
    return AutoModel.from_config(theirs(config)).eval()


EMBEDDED = "embeddings.position_embeddings"


@pytest.mark.parametrize(
    ("config", "place"),
    [
        (small("bert"), EMBEDDED),
        (small("roberta", pad_token_id=3), EMBEDDED),
        (small("deberta"), EMBEDDED),
        (small("deberta-v2"), EMBEDDED),
        (
            small("opt", ffn_dim=8, word_embed_proj_dim=32),
            "decoder.embed_positions",
        ),
        (bare("gpt2", n_embd=32, n_head=4, n_layer=2, n_positions=40), "wpe"),
    ],
)
def test_learned_tables(config, place):
    checkpoint, model = describe(config), model_of(config)
    table = model.get_submodule(place)
    layer = checkpoint.layer(0)
    assert layer.details["rows"] == table.num_embeddings
    assert layer.details["width"] == table.embedding_dim
    rows = []
    table.register_forward_hook(lambda _, args, out: rows.append(out))
    with torch.no_grad():
        model(input_ids=torch.full((1, 5), 7))
    first = layer.details["first_row"]
    expected = table.weight[first : first + 5]
    torch.testing.assert_close(rows[0].reshape(5, -1), expected)
    assert checkpoint.trained_len == table.num_embeddings - first


def test_vit():
    sizes = {"image_size": [32, 48], "patch_size": 16}
    checkpoint = describe(small("vit", **sizes))
    table = model_of(small("vit", **sizes)).embeddings.position_embeddings
    assert (1, checkpoint.layer(0).details["rows"], 64) == tuple(table.shape)
    assert checkpoint.trained_len == 7


T5 = {"d_model": 32, "d_kv": 8, "d_ff": 8, "num_heads": 4}
T5 |= {"num_layers": 3, "vocab_size": 9}
BUCKETS = {"relative_attention_num_buckets": 16, "relative_attention_max_distance": 40}


@pytest.mark.parametrize("name", ["t5", "mt5", "umt5"])
@pytest.mark.parametrize("more", [{}, BUCKETS | {"num_decoder_layers": 2}])
def test_t5(name, more):
    config = bare(name, **T5, **more)
    checkpoint, model = describe(config), model_of(config)
    blocks = [*model.encoder.block, *model.decoder.block]
    assert checkpoint.num_layers == len(blocks)
    for layer, block in zip(checkpoint.layers, blocks, strict=True):
        attention = block.layer[0].SelfAttention
        details = layer.details
        assert details["own_table"] == attention.has_relative_attention_bias
        assert details["bidirectional"] == (not attention.is_decoder)
        assert details["num_buckets"] == attention.relative_attention_num_buckets
        assert details["max_distance"] == attention.relative_attention_max_distance
        assert layer.head_dim == attention.key_value_proj_dim


@pytest.mark.parametrize("heads", [4, 6])
def test_alibi(heads):
    mask, size = torch.ones(1, 9), heads * 8
    sizes = {"hidden_size": size, "num_attention_heads": heads}
    falcon = small("falcon", alibi=True, **sizes)
    for config, table, tolerance in (
        (
            bare("bloom", n_head=heads, hidden_size=size, n_layer=2),
            *(build_alibi_tensor(mask, heads, torch.float32)[:, 0], 1e-6),
        ),
        (
            bare("mpt", n_heads=heads, d_model=size, n_layers=2),
            *(build_mpt_alibi_tensor(heads, 9)[:, 0], 1e-6),
        ),
        (falcon, build_falcon_alibi(mask, heads, torch.float32)[:, 0], 5e-3),
    ):
        checkpoint = describe(config)
        assert checkpoint.method == "alibi"
        slopes = checkpoint.layer(1).details["slopes"]
        np.testing.assert_allclose(slopes, table[:, -1] - table[:, -2], rtol=tolerance)
        assert checkpoint.layer(0).head_dim == 8
    assert model_of(falcon).use_alibi
    assert checkpoint.layer(0).details["divided_by"] == pytest.approx(8**0.5)


def test_mpt_reads_nothing_of_its_attention():
    attention = {"alibi": False, "alibi_bias_max": 4}
    sizes = {"n_heads": 4, "d_model": 32, "n_layers": 1, "vocab_size": 9}
    config = bare("mpt", **sizes, max_seq_len=16, attn_config=attention)
    seen = []
    model = model_of(config)
    attention = model.blocks[0].attn
    attention.register_forward_pre_hook(
        lambda _, args, kwargs: seen.append(kwargs["position_bias"]), with_kwargs=True
    )
    model(input_ids=torch.zeros(1, 3, dtype=torch.long))
    slope = describe(config).layer(0).details["slopes"][0]
    torch.testing.assert_close(seen[0][0, 0, -2], torch.tensor(-slope))
    assert len([w for w in describe(config).warnings if "attn_config" in w]) == 2


@pytest.mark.parametrize("name", ["deberta", "deberta-v2"])
@pytest.mark.parametrize("far", [-1, 20])
def test_deberta(name, far):
    more = {"relative_attention": True, "pos_att_type": "c2p|p2c"}
    if name == "deberta-v2":
        more["position_buckets"] = 8 if far < 0 else -1
    places = {"position_biased_input": False, "max_relative_positions": far}
    config = small(name, **more, **places)
    layer, model = describe(config).layer(0), model_of(config)
    assert layer.method == "shaw"
    assert layer.details["rows"] == model.encoder.rel_embeddings.num_embeddings
    assert layer.details["terms"] == theirs(config).pos_att_type
    assert (layer.details["absolute_rows"] == 0) == (
        model.embeddings.position_embeddings is None
    )


STACKS = (
    {"d_model": 32, "vocab_size": 99, "pad_token_id": 0}
    | {
        f"{stack}_{key}": value
        for stack, count in (("encoder", 2), ("decoder", 3))
        for key, value in {"layers": count, "attention_heads": 4, "ffn_dim": 8}.items()
    }
    | {"decoder_start_token_id": 0}
)


def sinusoids(layer):
    rows = np.arange(layer.details["rows"])[:, None] * layer.frequencies()
    return np.concatenate([np.sin(rows), np.cos(rows)], axis=1)


def test_marian():
    config = STACKS | {"model_type": "marian", "max_position_embeddings": 40}
    checkpoint, model = describe(config), model_of(config)
    table = model.encoder.embed_positions
    np.testing.assert_allclose(
        sinusoids(checkpoint.layer(4)), table.create_weight(), atol=1e-5
    )
    assert checkpoint.num_layers == 5
    assert checkpoint.layer(1).layout == "half"


def test_whisper():
    lengths = {"max_source_positions": 30, "max_target_positions": 20}
    config = bare("whisper", **STACKS, **lengths)
    checkpoint, model = describe(config), model_of(config)
    table = model.encoder.embed_positions.weight.detach()
    np.testing.assert_allclose(sinusoids(checkpoint.layer(0)), table, atol=1e-5)
    decoder = checkpoint.layer(4)
    assert (decoder.method, decoder.stack) == ("learned", "decoder")
    assert decoder.details["rows"] == model.decoder.embed_positions.num_embeddings


def test_wav2vec2():
    sizes = {"num_conv_pos_embeddings": 6, "num_conv_pos_embedding_groups": 4}
    config = small("wav2vec2", **sizes)
    layer, model = describe(config).layer(0), model_of(config)
    conv = model.encoder.pos_conv_embed.conv
    details = layer.details
    assert (details["kernel"],) == conv.kernel_size
    assert (details["groups"], details["width"]) == (conv.groups, conv.in_channels)


@pytest.mark.parametrize("absolute", [False, True])
def test_swin(absolute):
    sizes = {"image_size": 32, "patch_size": 2, "embed_dim": 8, "window_size": 4}
    blocks = {"depths": [2, 3], "num_heads": [2, 4]}
    config = bare("swin", **sizes, **blocks, use_absolute_embeddings=absolute)
    checkpoint, model = describe(config), model_of(config)
    table = model.embeddings.position_embeddings
    table_shape = tuple(table.shape) if absolute else (1, 0, 8)
    blocks = [block for stage in model.encoder.layers for block in stage.blocks]
    assert checkpoint.num_layers == len(blocks)
    for layer, block in zip(checkpoint.layers, blocks, strict=True):
        bias = block.attention.relative_position_bias
        details = layer.details
        shape = (details["rows"], details["num_heads"])
        assert shape == tuple(bias.relative_position_bias_table.shape)
        assert details["shift"] == block.shift_size
        assert table_shape == (1, details["absolute_rows"], details["absolute_width"])
        assert layer.window == bias.window_area
        assert layer.head_dim == block.attention.head_dim


@pytest.mark.parametrize(
    ("outer", "inner"), [("gemma3", "gemma3_text-1"), ("llama4", "llama4_text-1")]
)
def test_nested_configurations(outer, inner):
    peer = CONFIG_MAPPING[outer](text_config=copy.deepcopy(CASES[inner])).text_config
    checkpoint = describe(bare(outer, text_config=CASES[inner]))
    assert checkpoint.family == peer.model_type
    assert checkpoint.layers == describe(CASES[inner]).layers


def test_an_old_qwen2_vl_is_flat():
    config = CASES["qwen2_vl_text-0"] | {"model_type": "qwen2_vl", "rope_theta": 500.0}
    peer = theirs(config).text_config.rope_parameters
    layer = describe(config).layer(0)
    assert layer.sections == tuple(peer["mrope_section"])
    assert layer.rotation.base == peer["rope_theta"] == 500.0
