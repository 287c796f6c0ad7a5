"""Work with exercises of the first edition is kept, whatever became of them."""

import json

import pytest

from posenc.exercises import check, hint, names, progress
from posenc.kit.exercises.registry import RETIRED, is_exercise

#: All 99 exercises of the first edition, by chapter.
EXERCISES = {
    "alibi": "bias_by_hand alibi_slopes linear_bias one_row reach_of_head needed_score "
    "repair_checkpoint find_settings",
    "attention": "outputs_by_hand attention_with_mask repair_attention symmetries "
    "repair_equivariance_test look_alikes find_shuffles",
    "cape": "collapse_by_hand move_positions swap_chance ctc_probability "
    "counting_layer repair_augmentation find_settings",
    "convolutional": "windows_by_hand grouped_convolution border_frames "
    "normalized_weight layers_to_middle repair_encoding find_settings",
    "linear_attention": "state_by_hand taylor_features crossover causal_attention "
    "repair_decoder repair_rotation crossing_angle three_numbers",
    "music_transformer": "skew_by_hand skew source_of repair_scores repair_test "
    "visible_keys memory_by_hand ask_the_widgets",
    "rope": "turn_by_hand apply_rotary which_stay score_of_offset repair_layout "
    "repair_directions repair_cache cached_scores count_planes",
    "rotation": "quarter_turn shift_operator half_shift_operator find_offset "
    "repair_shift first_rise find_distances",
    "shaw": "index_by_hand relative_position_index position_scores outermost_pairs "
    "layers_to_know repair_attention graph_labels find_settings",
    "sinusoidal": "by_hand dials_needed sinusoidal_encoding repair_encoding "
    "slowest_wavelength repair_adding find_turns",
    "swin": "index_by_hand relative_position_index offset_of_row repair_bias "
    "convert_table row_uses find_windows",
    "t5": "buckets_by_hand relative_position_bucket repair_bucket last_bucket_start "
    "unused_buckets find_settings relative_position_bias repair_decoding",
    "transformer_xl": "shift_by_hand relative_shift long_vectors repair_distances "
    "repair_mask repair_memory first_reached find_settings",
}
NAMES = [f"{slug}.{name}" for slug, some in EXERCISES.items() for name in some.split()]
GONE = "attention.repair_attention"


def test_every_exercise_is_in_the_book_or_retired():
    assert len(NAMES) == 99
    assert [name for name in NAMES if not is_exercise(name)] == [*RETIRED]


@pytest.mark.parametrize("name", RETIRED)
def test_check_and_hint_of_a_retired_exercise_say_what_became_of_it(name):
    result = check(name, 1)
    assert not result
    assert (result.status, result.problem) == ("retired", RETIRED[name])
    assert "no such exercise" not in repr(result) + result._repr_html_()
    assert hint(name).text == RETIRED[name]


@pytest.mark.parametrize(("passed", "kept"), [(True, [GONE]), (False, [])])
def test_progress_keeps_a_passed_exercise_that_was_retired(
    tmp_path, monkeypatch, passed, kept
):
    monkeypatch.setenv("POSENC_PROGRESS", str(tmp_path / "progress.jsonl"))
    time = "2026-05-02T10:30:00+02:00"
    entry = {"version": 1, "time": time, "exercise": GONE, "passed": passed}
    (tmp_path / "progress.jsonl").write_text(json.dumps(entry))
    for slug in (None, "attention"):
        rows = [row.name for row in progress(slug).rows]
        assert rows == [*names(slug), *kept]
    assert GONE not in [row.name for row in progress("t5").rows]
