"""The widget of the chapter on T5 on the side of Python."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
import traitlets

from posenc import t5
from posenc.t5.figures import mpnet_bias
from posenc.t5.widgets import MAX_DISTANCES, NUM_BUCKETS, BucketTable
from posenc.t5.widgets.bucket_road import BucketRoad


def settings():
    """Every combination that can be chosen, possible or not."""
    return [
        {"num_buckets": count, "max_distance": distance, "bidirectional": both}
        for count in NUM_BUCKETS
        for distance in MAX_DISTANCES
        for both in (True, False)
    ]


def key(setting):
    """Return the key of a setting in `BucketTable.settings`."""
    names = ("num_buckets", "max_distance", "bidirectional")
    return ",".join(str(setting[name]) for name in names).lower()


def possible(setting):
    try:
        t5.bucket_starts(**setting)
    except ValueError:
        return False
    return True


class TestBucketTable:
    @pytest.mark.parametrize("setting", settings(), ids=str)
    def test_accepts_what_posenc_accepts(self, setting):
        if possible(setting):
            widget = BucketTable(**setting)
            assert {name: getattr(widget, name) for name in setting} == setting
        else:
            with pytest.raises(traitlets.TraitError, match="max_distance must be"):
                BucketTable(**setting)

    def test_impossible_change_is_refused_and_undone(self):
        widget = BucketTable(num_buckets=48, max_distance=16)
        with pytest.raises(traitlets.TraitError, match="at least 25, got 16"):
            widget.bidirectional = False
        assert widget.bidirectional
        with pytest.raises(traitlets.TraitError, match="at least 13, got 8"):
            widget.max_distance = 8
        assert widget.max_distance == 16

    def test_it_offers_the_settings_of_the_exercise_that_sends_readers_to_it(self):
        page = (Path(__file__).parents[2] / "book" / "t5.md").read_text("utf-8")
        answers = page.split("my_settings = [")[-1].split("]")[0]
        calls = [
            ast.parse(c, mode="eval").body for c in re.findall(r"dict\(.*\)", answers)
        ]
        assert len(calls) == 2
        for call in calls:
            setting = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
            assert BucketTable(**setting).settings[key(setting)]


def test_the_road_has_the_biases_of_every_head_of_mpnet():
    biases = np.asarray(BucketRoad().biases)
    np.testing.assert_allclose(biases, mpnet_bias().T, atol=0.005)
