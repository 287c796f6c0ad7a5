"""The class's list of names, as teachers keep it."""

import pytest

from posenc.classroom.roster import Student, read_roster


@pytest.fixture
def roster(tmp_path):
    def write(text):
        path = tmp_path / "roster.csv"
        path.write_bytes(text.encode())
        return path

    return write


def test_columns_are_found_by_their_names(roster):
    path = roster(
        "id,first_name,last_name,email\nada,Ada,Lovelace,ada@example.org\n"
        'kurt,Kurt,"Gödel, Dr.",\n'
    )
    assert read_roster(path) == [
        Student("ada", "Ada", "Lovelace", "ada@example.org"),
        Student("kurt", "Kurt", "Gödel, Dr."),
    ]


def test_what_spreadsheets_write_is_read(roster):
    """A mark at the beginning, Windows' ends of lines, spaces, another column."""
    path = roster("\ufeffid,group, last_name ,lms_user_id\r\nada,B, Lovelace,17\r\n")
    assert read_roster(path) == [Student("ada", last_name="Lovelace", lms_user_id="17")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,email\nAda,a@b\n", "id among them .*, got 'name,email'"),
        ("", "must begin with a line that names its columns"),
        ("id,email\nada,a@b\n,c@d\n", "line 3: every student .* got none"),
        ("id\nada\nkurt\nada\n", "line 4: .* got 'ada' again; correct the line"),
    ],
)
def test_what_is_wrong_is_said(roster, text, words):
    with pytest.raises(ValueError, match=words):
        read_roster(roster(text))


def test_accents_and_capital_letters_do_not_move_a_name():
    names = ["Zuse", "Özil", "noether", "Gödel", "Godard", "Étienne", "Ada"]
    students = [Student("x", last_name=name) for name in names]
    students.sort(key=lambda student: student.place)
    assert [student.last_name for student in students] == [
        *("Ada", "Étienne", "Godard", "Gödel", "noether", "Özil", "Zuse")
    ]


@pytest.mark.parametrize(
    ("student", "name"),
    [
        (Student("ada", "Ada", "Lovelace"), "Lovelace, Ada"),
        (Student("ada", "", "Lovelace"), "Lovelace"),
        (Student("ada"), "ada"),
    ],
)
def test_names_are_sorted_by_the_last(student, name):
    assert student.sortable_name == name
