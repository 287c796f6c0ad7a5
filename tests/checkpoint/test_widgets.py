"""The widget of the chapter on today's models, on the side of Python."""

import json

import numpy as np
import pytest

from posenc.checkpoint import describe, groups, planes
from posenc.checkpoint.published import config, families
from posenc.checkpoint.report import report
from posenc.checkpoint.widgets import LAST_STEP, NAMES, ConfigKeys


@pytest.mark.parametrize("name", NAMES)
def test_tables_equal_describe(name):
    """Wavelengths and turns, which are drawn, are tested where they are seen."""
    shown = ConfigKeys().tables[name]
    assert len(shown) == LAST_STEP + 1
    for step, one in enumerate(shown):
        checkpoint = describe(config(name, step))
        assert one["promised"] == checkpoint.max_len
        assert one["warnings"] == list(checkpoint.warnings)
        kinds = [g for g in groups(checkpoint) if g.layer.method == "rope"]
        still = [g.names for g in groups(checkpoint) if g.layer.method == "none"]
        assert one["still"] == "".join(still)
        for kind, group in zip(one["planes"], kinds, strict=True):
            layer, length = group.layer, checkpoint.max_len
            slower = planes(layer, None, length).slower
            np.testing.assert_allclose(
                kind["slower"], [slower[0], slower.max()], atol=1e-4
            )
            assert (slower[: kind["kept"]] == 1).all()
            assert (slower[kind["kept"] : kind["kept"] + 1] != 1).all()
            factor = layer.attention_factor(length)
            assert kind["factor"] == pytest.approx(factor, abs=1e-4)
            assert kind["scores"] == pytest.approx(layer.score_factor, abs=1e-4)


def test_pasted_config_is_read_by_python():
    widget = ConfigKeys()
    assert widget.own == {}
    widget.text = json.dumps(config("DeepSeek-V3"))
    expected = widget.tables["DeepSeek-V3"][-1]["planes"]
    assert widget.own["planes"] == expected
    assert "your config" in widget.picture().alt
    widget.text = " "
    assert widget.own == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "Expecting property name"),
        ("[]", "must begin with { and end with }"),
        ('"config.json"', "must begin with { and end with }"),
        ("[" * 100_000, "too many brackets"),
        ('{"model_type": "llamma"}', "did you mean 'llama'?"),
    ],
)
def test_unreadable_config_shows_the_reason(text, why):
    widget = ConfigKeys(text=text)
    assert why in widget.own["wrong"]
    assert "Llama 3.1 8B" in widget.picture().alt


def test_reports_are_those_of_all_families_but_containers():
    reports = ConfigKeys().reports
    assert set(families()) - set(reports) == {"gemma3", "gemma4", "llama4", "qwen3_vl"}
    for name, text in reports.items():
        assert text == report(describe({"model_type": name}))
    assert ConfigKeys.opening().static_state()["reports"] == {}


def test_rotated_features_exclude_planes_without_rotation():
    kinds = ConfigKeys(text='{"model_type": "gemma4_text"}').own["planes"]
    assert [(kind["turned"], kind["head"]) for kind in kinds] == [
        (256, 256),
        (128, 512),
    ]


def test_choosing_a_model_or_step_replaces_pasted_config():
    for name, value in {"model": "Code Llama 7B", "step": 1}.items():
        widget = ConfigKeys(text='{"model_type": "olmo3"}', **{name: value})
        assert "planes" in widget.own
        setattr(widget, name, "gpt-oss 20B" if name == "model" else 2)
        assert (widget.text, widget.own) == ("", {})


def test_layers_without_rotation_are_listed():
    keys = {
        "model_type": "smollm3",
        "num_hidden_layers": 4,
        "use_sliding_window": True,
        "sliding_window": 16,
        "layer_types": ["sliding_attention", "full_attention"] * 2,
        "no_rope_layers": [1, 0, 0, 1],
    }
    found = ConfigKeys(text=json.dumps(keys)).own
    assert found["still"] == "1-2"
    assert [kind["layers"] for kind in found["planes"]] == ["0", "3"]
