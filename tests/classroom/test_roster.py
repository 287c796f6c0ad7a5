"""The class's list of names, as teachers keep it."""

import pytest

from posenc.classroom.roster import Student, read_roster


def read(tmp_path, text):
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode())
    return read_roster(path)


def test_what_spreadsheets_write_is_read(tmp_path):
    """A mark at the beginning, Windows' ends of lines, spaces, another column."""
    ada, kurt = read(
        tmp_path,
        "\ufeffid,group, last_name ,first_name,email,lms_user_id\r\n"
        'ada,B, Lovelace,Ada,ada@example.org,17\r\nkurt,,"Gödel, Dr.",Kurt,,\r\n',
    )
    assert ada == Student("ada", "Ada", "Lovelace", "ada@example.org", "17")
    assert kurt == Student("kurt", "Kurt", "Gödel, Dr.")
    names = [ada.sortable_name, Student("x", "", "A").sortable_name]
    assert [*names, Student("x").sortable_name] == ["Lovelace, Ada", "A", "x"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,email\nAda,a@b\n", "id among them .*, got 'name,email'"),
        ("", "must begin with a line that names its columns"),
        ("id,email\nada,a@b\n,c@d\n", "line 3: every student .* got none"),
        ("id\nada\nkurt\nada\n", "line 4: .* got 'ada' again; correct the line"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, text, words):
    with pytest.raises(ValueError, match=words):
        read(tmp_path, text)
