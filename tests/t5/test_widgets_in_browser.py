"""Behavior of the widget of the chapter on T5, in a real browser."""

import numpy as np
import pytest
from widget_page import control, table_rows, widget

from posenc import t5
from posenc.t5.figures import mpnet_head
from posenc.t5.widgets import BucketTable

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (BucketTable,)


def possible(**setting):
    try:
        t5.bucket_starts(**setting)
    except ValueError:
        return False
    return True


def value(root, key):
    return int(control(root, key).get_attribute("aria-valuetext"))


def check_offered(root):
    """Ranges offer every value that is possible, and no other."""
    setting = {key: value(root, key) for key in ("num_buckets", "max_distance")}
    both = control(root, "bidirectional").evaluate("node => node.selectedIndex") == 0
    for key in setting:
        every = BucketTable().choices[key]
        some = [possible(bidirectional=both, **setting | {key: n}) for n in every]
        assert int(control(root, key).get_attribute("max")) == sum(some) - 1


def test_turning_to_the_past_makes_room(page):
    root = widget(page)
    check_offered(root)
    control(root, "num_buckets").press("End")
    control(root, "max_distance").press("Home")
    assert value(root, "max_distance") == 20  # 16 exact buckets each way
    check_offered(root)
    control(root, "bidirectional").press("ArrowDown")
    assert value(root, "num_buckets") == 64
    # The least that leaves room beyond 32 exact buckets.
    assert value(root, "max_distance") == 64
    check_offered(root)


def test_the_table_lists_ranges_and_empty_buckets(page):
    root = widget(page)
    root.get_by_role("button", name="many empty buckets").press("Enter")
    rows = table_rows(root)
    setting = {"num_buckets": 32, "max_distance": 20, "bidirectional": False}
    starts = t5.bucket_starts(**setting)
    empty = [*(starts[1:] == starts[:-1]), False]
    assert ["never" in where for _, where, *_ in rows] == empty
    assert (rows[3][1], rows[31][1]) == ("−3", "−20 and farther back")
    bias = [float(value.replace("−", "-")) for *_, value in rows]
    np.testing.assert_allclose(bias, mpnet_head(**setting), atol=0.005)
