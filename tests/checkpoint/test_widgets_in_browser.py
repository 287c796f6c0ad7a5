"""The widget of the chapter on today's models on a static page, in a real browser."""

import json

import pytest
from widget_page import (
    control,
    facts,
    pictures,
    readout,
    shown,
    table_rows,
    widget,
)

from posenc.checkpoint.widgets import NAMES, ConfigKeys

pytestmark = pytest.mark.browser


class LiveKeys(ConfigKeys):
    """As it is where Python reads what is pasted."""

    def static_state(self):
        return {**super().static_state(), "live": True}


def pasted():
    """A config without rotation that Python has read."""
    return LiveKeys(text='{"model_type": "t5"}')


def partly_still():
    """A small config in which planes of one layer stand still."""
    size = {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 2}
    kinds = {"head_dim": 16, "global_head_dim": 32, "sliding_window": 64}
    keys = {"model_type": "gemma4_text", "max_position_embeddings": 256}
    return LiveKeys(text=json.dumps(keys | size | kinds))


def two_bases(**keys):
    """A small config with two kinds of layers: without windows, if `keys` are not."""
    size = {"num_hidden_layers": 6, "max_position_embeddings": 4096}
    keys = {"model_type": "gemma3_text", "sliding_window": None} | size | keys
    return LiveKeys(text=json.dumps(keys))


def windows_alone():
    """A small config in which all layers have a window."""
    return two_bases(sliding_window=64, layer_types=["sliding_attention"] * 6)


WIDGETS = (ConfigKeys, ConfigKeys, LiveKeys, pasted, partly_still)
WIDGETS += (two_bases, windows_alone)


def plane_of(root, number):
    """Words on a plane of the first picture."""
    curve = root.locator("canvas").first
    curve.press("Home")
    for _ in range(number):
        curve.press("ArrowRight")
    return readout(root)


def test_a_step_moves_its_own_widget(page):
    first, second = widget(page, 0), widget(page, 1)
    table = ConfigKeys().tables["Llama 3.1 8B"]
    for step, key in enumerate(["Home", "ArrowRight", "ArrowRight"]):
        control(first, "step").press(key)
        drawn = shown(first)
        assert drawn["waves"] == [kind["waves"] for kind in table[step]["planes"]]
        assert drawn["trained"] == table[step]["trained"]
        dials = [[kind["trained"], kind["longest"]] for kind in table[step]["planes"]]
        assert drawn["dials"] == dials
        assert drawn["never"] == [kind["never"] for kind in table[step]["planes"]]
        assert table[step]["says"] in readout(first)
        label = f"{table[step]['label']}. "
        assert (label in readout(first)) is (step > 0)
    assert shown(second)["waves"] == [kind["waves"] for kind in table[0]["planes"]]


def test_sentences_are_those_of_the_model(page):
    root = widget(page, 0)
    told = {}
    for name in NAMES:
        control(root, "model").select_option(name)
        control(root, "step").press("End")
        told[name] = facts(root)
    llama = told["Llama 3.1 8B"]
    assert "29 of 64 planes make no whole turn within 8,192 tokens, at the" in llama
    assert "Layers 0-31: planes 0 to 28 keep their speed; others are up" in llama
    assert "planes 0 to 10 keep their speed; others" in told["DeepSeek-V3"]
    assert "64 of 192 features turn" in told["DeepSeek-V3"]
    assert "Scores are multiplied by 1.8739." in told["DeepSeek-V3"]
    gemma = told["Gemma 3 4B"]
    assert "57 of 128 planes make no whole turn within the window of 1,024" in gemma
    assert ": all planes are 8 times as slow." in gemma
    assert ": all planes keep their speed." in gemma
    assert "layers) do not turn." in told["SmolLM3 3B"]
    assert "Queries and keys are multiplied by 1.3466." in told["gpt-oss 20B"]


def test_a_plane_tells_its_turns(page):
    root = widget(page, 0)
    control(root, "step").press("End")
    curve, dials = root.locator("canvas").all()
    curve.press("End")
    told = readout(root)
    assert told.startswith("Plane 63, layers 0-31: a turn takes")
    assert "8,192 it makes 0.00 turns before stretching, and 0.01 within" in told
    dials.press("Home")
    assert readout(root).startswith("Plane 0, layers 0-31: a turn takes 6.3 tokens")


def test_a_dial_shows_what_its_plane_turned_in_training(page):
    root = widget(page, 0)
    before = pictures(root)[1]
    control(root, "step").press("End")
    page.wait_for_function(
        """(old) => document.querySelectorAll(".pe-widget canvas")[1]
        .toDataURL() !== old""",
        arg=before,
    )
    control(root, "model").select_option("Gemma 3 4B")
    window, others = shown(root)["dials"]
    assert window[0] == window[1]
    assert others[0] is None


def test_each_length_has_a_line_in_the_color_of_its_layers(page):
    root = widget(page, 0)
    control(root, "step").press("End")

    def lines(name):
        control(root, "model").select_option(name)
        return [(one["words"], one["role"]) for one in shown(root)["lines"]]

    assert lines("Gemma 3 4B") == [
        ("promised: 131,072", "key"),
        ("window: 1,024", "position"),
    ]
    assert lines("gpt-oss 20B") == [
        ("trained: 4,096", "key"),
        ("promised: 131,072", "key"),
        ("window: 128", "position"),
    ]
    assert {role for _, role in lines("SmolLM3 3B")} == {"position"}


@pytest.mark.parametrize(
    ("index", "lines"),
    [
        (5, [("trained: 4,096", "muted")]),
        (6, [("trained: 4,096", "muted"), ("window: 64", "position")]),
    ],
)
def test_a_length_of_no_or_of_all_kinds_of_layers_is_gray(page, index, lines):
    drawn = shown(widget(page, index))["lines"]
    assert [(one["words"], one["role"]) for one in drawn] == lines


PARTS = [
    "canvas",
    "[data-key=step]",
    ".pe-readout",
    ".pe-facts",
    ".pe-panel:last-child",
]
TOPS = f"""(root) => {PARTS}
  .map((part) => root.querySelector(part).getBoundingClientRect().top)"""


def test_on_a_phone_controls_and_counts_stand_between_chart_and_dials(page):
    root = widget(page, 0)
    first, controls, words, counts, dials = root.evaluate(TOPS)
    assert first == dials < words < controls < counts
    page.set_viewport_size({"width": 360, "height": 800})
    page.wait_for_function(f"({TOPS})(document.querySelector('.pe-widget'))[1] < 700")
    first, controls, words, counts, dials = root.evaluate(TOPS)
    assert first < controls < words < counts < dials
    control(root, "step").press("End")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("document.activeElement.dataset.key") == "step"


def test_the_table_has_a_row_for_each_plane(page):
    root = widget(page, 0)
    rows = table_rows(root)
    assert [row[1] for row in rows] == [str(n) for n in range(64)]
    assert rows[0][2:] == ["6.3", "6.3"]


def test_without_python_it_says_where_to_go(page):
    root = widget(page, 0)
    assert root.locator("textarea").count() == 0
    assert "A config of your own needs Python" in root.inner_text()


def test_playing_leaves_time_to_read_a_sentence(open_page, address):
    page = open_page(address)
    page.clock.install()
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    root, table = widget(page, 0), ConfigKeys().tables["Llama 3.1 8B"]
    root.locator("[data-play]").press("Enter")
    page.clock.run_for(100)
    assert table[1]["says"] in readout(root)
    page.clock.run_for(5000)
    assert table[1]["says"] in readout(root)
    page.clock.run_for(3000)
    assert table[2]["says"] in readout(root)


def test_sentences_of_one_layer_and_of_planes_that_stand_still(page):
    root = widget(page, 4)
    told = facts(root)
    assert "Layer 1: 8 of 32 features turn; 0 of 4 planes that turn make no" in told
    assert "12 planes stand still." in told
    assert "turns before stretching, and " in plane_of(root, 0)
    assert "within 64 tokens now" in plane_of(root, 0)
    assert "layer 1: it stands still" in plane_of(root, 15)


def test_a_family_shows_its_report(page):
    root = widget(page, 0)
    shown_report, families = (
        root.locator("pre"),
        root.get_by_label("a family's defaults"),
    )
    assert shown_report.is_hidden()
    for name in ("bloom", "swin", "llama"):
        families.select_option(name)
        assert shown_report.inner_text() == ConfigKeys().reports[name]
    families.select_option("choose one")
    assert shown_report.is_hidden()


def test_a_config_of_another_method_shows_its_report(page):
    root = widget(page, 3)
    assert "no layer turns" in readout(root)
    assert "The pictures show Llama 3.1 8B." in readout(root)
    assert root.locator("pre").inner_text() == pasted().own["report"]


def test_with_python_a_config_is_sent(page):
    root = widget(page, 2)
    root.locator("textarea").fill('{"model_type": "olmo"}')
    root.get_by_role("button", name="read it").click()
    assert root.locator("textarea").input_value() == '{"model_type": "olmo"}'
    root.get_by_role("button", name="reset").click()
    assert root.locator("textarea").input_value() == ""
