"""Measured data of the book."""

import pytest

from posenc.core import data


def test_a_folder_is_read_whole_and_in_order():
    found = data.load_folder("lab_runs")
    assert list(found) == sorted(found)
    assert found["copy-rope-0.01-1"]["plan"]["encoding"] == "rope"
    with pytest.raises(ValueError, match=r"one of \[.*'lab_runs'.*got 'nothing'"):
        data.load_folder("nothing")


def test_tables_of_a_folder_are_read_together(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "_FOLDERS", (tmp_path / "none", tmp_path))
    (tmp_path / "runs").mkdir()
    for names in ("bd", "ac"):
        rows = "".join(f'{{"name": "{name}"}}\n' for name in names)
        (tmp_path / "runs" / f"{names}.jsonl").write_text(rows)
    assert list(data.load_folder("runs")) == ["a", "b", "c", "d"]
