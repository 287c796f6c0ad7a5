"""Measured data of the book."""

import pytest

from posenc.core import data


def test_a_folder_is_read_whole_and_in_order():
    found = data.load_folder("lab_runs")
    assert list(found) == sorted(found)
    assert found["copy-rope-0.01-1"]["plan"]["encoding"] == "rope"
    with pytest.raises(ValueError, match=r"one of \[.*'lab_runs'.*got 'nothing'"):
        data.load_folder("nothing")


def test_a_changed_table_is_read_again(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text('{"name": "b", "n": 1}\n{"name": "a", "n": 2}\n')
    first = data.read_table(path)
    assert first == {"b": {"n": 1}, "a": {"n": 2}}
    first.clear()  # a caller's own
    assert data.read_table(path) == {"b": {"n": 1}, "a": {"n": 2}}
    with path.open("a") as file:
        file.write('{"name": "b", "n": 3}\n')
    assert data.read_table(path) == {"b": {"n": 3}, "a": {"n": 2}}


@pytest.mark.parametrize(
    "bad", ['{"name": "b", "n', "", "3", '{"n": 1}', '{"name": 1}']
)
def test_a_bad_line_is_named(tmp_path, bad):
    path = tmp_path / "runs.jsonl"
    path.write_text(f'{{"name": "a"}}\n{bad}\n{{"name": "c"}}\n')
    with pytest.raises(
        ValueError, match=r"line 2 of .*runs\.jsonl must be .*: mend it"
    ):
        data.read_table(path)


def test_tables_of_a_folder_are_read_together(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "_FOLDERS", (tmp_path / "none", tmp_path))
    (tmp_path / "runs").mkdir()
    for names in ("bd", "ac"):
        rows = "".join(f'{{"name": "{name}"}}\n' for name in names)
        (tmp_path / "runs" / f"{names}.jsonl").write_text(rows)
    assert list(data.load_folder("runs")) == ["a", "b", "c", "d"]
