"""Measured data of the book."""

import pytest

from posenc.core import data


def test_unknown_data_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match=r"one of \[.*'printed_tables'.*got 'nothing'"):
        data.load("nothing")


def test_a_folder_is_read_whole_and_in_order():
    found = data.load_folder("lab_runs")
    assert list(found) == sorted(found)
    assert found["copy-rope-0.01-1"]["plan"]["encoding"] == "rope"
    with pytest.raises(ValueError, match=r"one of \[.*'lab_runs'.*got 'nothing'"):
        data.load_folder("nothing")
