"""The class's list of names: ``roster.csv`` beside ``nbgrader_config.py``."""

import csv
from dataclasses import dataclass, fields
from pathlib import Path

from posenc.core.sorting import plain_letters

__all__ = ["Student", "read_roster"]


@dataclass(frozen=True)
class Student:
    """Member of the class, with the columns of ``roster.csv``.

    Attributes
    ----------
    id : str
        Name on the hub, or of the notebook or folder that is handed in; full name, if
        Moodle has named that folder.
    first_name, last_name, email : str
        May be empty.
    lms_user_id : str
        Number on the learning platform; may be empty.
    """

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""

    @property
    def sortable_name(self) -> str:
        """``Last, First``, as lists are sorted; the id if there is no name."""
        return ", ".join(filter(None, (self.last_name, self.first_name))) or self.id

    @property
    def place(self) -> tuple[str, str]:
        """Sort key of lists: no accents, and capital letters as small ones."""
        return plain_letters(self.sortable_name), self.id


def read_roster(path: Path) -> list[Student]:
    """Read ``roster.csv``: its columns are those of ``nbgrader db student import``.

    Parameters
    ----------
    path : Path
        A CSV file in UTF-8 whose first line names the columns. ``id`` is needed; of the
        others, those that `Student` does not have are left out.

    Raises
    ------
    ValueError
        If there is no column ``id``, or a line has none or that of another line.
    """
    names = [field.name for field in fields(Student)]
    with path.open(encoding="utf-8-sig", newline="") as file:  # Excel writes a mark
        reader = csv.DictReader(file)
        columns = [name.strip() for name in reader.fieldnames or []]
        if "id" not in columns:
            msg = (
                f"{path.name} must begin with a line that names its columns, id among "
                f"them ({','.join(names[:4])}), got {','.join(columns)!r}"
            )
            raise ValueError(msg)
        reader.fieldnames = columns
        students: dict[str, Student] = {}
        for row in reader:
            given = {name: (row.get(name) or "").strip() for name in names}
            student = Student(**given)
            if not student.id or student.id in students:
                what = "none" if not student.id else f"{student.id!r} again"
                msg = (
                    f"{path.name}, line {reader.line_num}: every student must have an "
                    f"id of their own, got {what}; correct the line or remove it"
                )
                raise ValueError(msg)
            students[student.id] = student
    return list(students.values())
