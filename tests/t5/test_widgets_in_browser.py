"""Behavior of the widget of the chapter on T5, in a real browser."""

import re

import numpy as np
import pytest
from widget_page import control, readout, table_rows, widget

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


def test_arrows_and_pointer_lead_from_step_to_step(page):
    root = widget(page)
    stairs = root.locator("canvas").last
    visited = []
    stairs.press("Home")
    for _ in range(15):
        visited.append(int(re.match(r"bucket (\d+):", readout(root))[1]))
        stairs.press("ArrowRight")
    assert visited == [7, 6, 5, 4, 3, 2, 1, 0, 9, 10, 11, 12, 13, 14, 15]
    box = stairs.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 40)
    assert readout(root) == (
        "bucket 15: relative position +54 and farther on, 0 pairs in the table"
    )
