"""Code compared with what a configuration says: `posenc.conventions.conforms`."""

import numpy as np
import pytest
from checkpoint_configs import LONGROPE, SMALL, YARN

import posenc
from posenc.checkpoint import describe
from posenc.conventions import conforms

SETTINGS = {"seed": 1, "isolate": False}


def small(family, **keys):
    return describe({"model_type": family} | SMALL | keys)


def faithful(layer):
    """A function that does what a layer says, written from its numbers."""

    def rotary(x, positions):
        theta = layer.frequencies(int(positions.max()) + 1)
        angles = posenc.rope.rotary_angles(
            np.asarray(positions, np.float64), layer.rotary_dim, frequencies=theta
        )
        turned = posenc.rope.apply_rotary(
            x[..., : layer.rotary_dim], angles, layout=layer.layout
        )
        turned = turned * layer.attention_factor()
        return np.concatenate([turned, x[..., layer.rotary_dim :]], axis=-1)

    return rotary


def plain(base=10_000.0, part=1.0, layout="half", factor=1.0):
    def rotary(x, positions):
        width = int(x.shape[-1] * part)
        angles = posenc.rope.rotary_angles(positions, width, base=base)
        turned = posenc.rope.apply_rotary(x[..., :width], angles, layout=layout)
        return np.concatenate([factor * turned, x[..., width:]], axis=-1)

    return rotary


LAYERS = {
    "llama": small("llama", rope_theta=500.0),
    "yarn": small("llama", rope_scaling=YARN),
    "given factor": small("llama", rope_scaling=YARN | {"attention_factor": 1.5}),
    "linear": small("llama", rope_scaling={"type": "linear", "factor": 4.0}),
    "proportional": small(
        "llama",
        rope_scaling={"rope_type": "proportional", "partial_rotary_factor": 0.5},
    ),
    "longrope": small(
        "phi3", rope_scaling=LONGROPE, original_max_position_embeddings=32
    ),
    "neox": small("gpt_neox", rotary_pct=0.5),
    "glm": small("glm4", head_dim=32),
    "deepseek": small("deepseek_v3", qk_nope_head_dim=8, qk_rope_head_dim=16),
}


@pytest.mark.parametrize("checkpoint", LAYERS.values(), ids=LAYERS)
def test_conforms_matching_function_passes(checkpoint):
    found = conforms(checkpoint, faithful(checkpoint.layer(0)), **SETTINGS)
    assert found, found
    assert found.status == "same"
    assert "the code does what the configuration says" in repr(found)
    assert "←" not in repr(found)


@pytest.mark.parametrize(
    ("name", "function", "trait", "words"),
    [
        ("llama", plain(), "frequencies", "(as if the base were 10,000)"),
        ("llama", plain(500.0, layout="interleaved"), "layout", "asked for: half"),
        (
            "yarn",
            plain(factor=1.2079441541679836),
            "frequencies",
            "'yarn' were not there",
        ),
        ("linear", plain(), "frequencies", "as if the rule 'linear' were not there"),
        ("neox", plain(), "turned", "16 of 16 features, not 8"),
        ("glm", plain(layout="interleaved"), "turned", "32 of 32 features, not 16"),
        ("deepseek", plain(), "layout", "asked for: interleaved"),
    ],
)
def test_conforms_names_ignored_key(name, function, trait, words):
    found = conforms(LAYERS[name], function, **SETTINGS)
    assert found.status == "other"
    assert not found
    assert words in found[trait]
    assert trait in [f.trait for f in found.findings if not f.is_ours]
    assert "  ← not what the configuration says" in repr(found)


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["llama", "linear", "longrope"])
def test_conforms_half_precision_frequencies_keep_their_rule(name, kind):
    torch = pytest.importorskip("torch")
    theta = torch.from_numpy(LAYERS[name].layer(0).frequencies())
    theta = theta.to(getattr(torch, kind)).double().numpy()

    def rotary(x, positions):
        angles = posenc.rope.rotary_angles(positions, 16, frequencies=theta)
        return posenc.rope.apply_rotary(x, angles, layout="half")

    found = conforms(LAYERS[name], rotary, **SETTINGS)
    assert not found
    assert found["frequencies"].endswith(f"(rounded to {kind})")


def test_conforms_names_missing_attention_factor():
    layer = LAYERS["yarn"].layer(0)
    dropped = faithful(layer)
    found = conforms(LAYERS["given factor"], dropped, **SETTINGS)
    different = [f.trait for f in found.findings if not f.is_ours]
    assert different == ["factor"]
    assert found["factor"] == "queries and keys are multiplied by 1.20794, not 1.5"


def test_conforms_names_unused_long_factors():
    layer = LAYERS["longrope"].layer(0)

    def rotary(x, positions):
        angles = posenc.rope.rotary_angles(
            np.asarray(positions, float), 16, frequencies=layer.frequencies()
        )
        turned = posenc.rope.apply_rotary(x, angles, layout="half")
        return turned * layer.attention_factor()

    found = conforms(LAYERS["longrope"], rotary, **SETTINGS)
    assert [f.trait for f in found.findings if not f.is_ours] == ["longer texts"]


def test_layers_without_rotation():
    checkpoint = small("smollm3")
    still = conforms(checkpoint, lambda x, positions: x, layer=3, **SETTINGS)
    assert still, still
    turned = conforms(checkpoint, plain(2e6), layer=3, **SETTINGS)
    assert turned.status == "other"
    assert turned["turned"] == "16 features; the layer has none"
    doubled = conforms(checkpoint, lambda x, positions: 2 * x, layer=3, **SETTINGS)
    assert doubled.status == "other"
    assert conforms(checkpoint, plain(2e6), **SETTINGS)


@pytest.mark.parametrize(
    ("config", "function", "status"),
    [
        ({"model_type": "bloom"}, posenc.alibi.alibi_bias, "same"),
        (
            {"model_type": "bloom"},
            lambda n, q, k: (
                posenc.alibi.alibi_slopes(n)[:, None, None]
                * np.ones((n, q, 1))
                * np.arange(k)
            ),
            "same",
        ),
        (
            {"model_type": "bloom"},
            lambda n, q, k: -posenc.alibi.alibi_bias(n, q, k, symmetric=True),
            "other",
        ),
        (
            {"model_type": "whisper"},
            lambda n, d: posenc.sinusoidal.sinusoidal_table(
                n, d, layout="half", frequencies="tensor2tensor"
            ),
            "same",
        ),
        (
            {"model_type": "marian"},
            lambda n, d: posenc.sinusoidal.sinusoidal_table(
                n, d, layout="half", frequencies="tensor2tensor"
            ),
            "other",
        ),
        ({"model_type": "marian"}, posenc.sinusoidal.sinusoidal_table, "other"),
        ({"model_type": "swin"}, posenc.swin.relative_position_index, "same"),
        (
            {"model_type": "swin"},
            lambda h, w: posenc.swin.relative_position_index(h, w).T,
            "other",
        ),
        (
            {"model_type": "t5"},
            lambda r, both, n, far: posenc.t5.relative_position_bucket(
                r, bidirectional=both, num_buckets=n, max_distance=far
            ),
            "same",
        ),
    ],
)
def test_other_methods(config, function, status):
    found = conforms(describe(config), function, **SETTINGS)
    assert found.status == status, found


def test_conforms_refuses_unsupported_input():
    with pytest.raises(ValueError, match="'learned': what is learned cannot be told"):
        conforms(describe({"model_type": "bert"}), plain(), **SETTINGS)
    with pytest.raises(ValueError, match="i must be below num_layers=4, got 4"):
        conforms(LAYERS["llama"], plain(), layer=4, **SETTINGS)
    assert conforms(LAYERS["llama"], 3, **SETTINGS).status == "failed"
    sums = conforms(LAYERS["llama"], lambda x, p: x + x[..., ::-1], **SETTINGS)
    assert sums.status == "unclear"
    assert not sums
