"""Grade a folder of notebooks, and write tables of points and pages of feedback."""

import csv
import hashlib
import io
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from posenc import __version__
from posenc.core.chapters import PACKAGE
from posenc.core.cluster import in_turn
from posenc.core.sorting import plain_letters

from .feedback import render
from .grader import graded
from .grades import Grade, Grades, Limits
from .landlock import NO_LANDLOCK, is_available
from .notebook_cells import content_of, read
from .process_tree import end_all

#: Columns of the table of notebooks.
COLUMNS = (
    *("student", "file", "points", "of", "passed", "not passed"),
    *("suspicious cells", "errors", "seconds", "sha256", "posenc"),
)
#: Columns of the table of exercises, which lies beside it.
DETAILS = (
    *("student", "file", "exercise", "points", "of", "status"),
    *("diagnosis", "seed", "cell"),
)


class TamperedError(RuntimeError):
    """A program other than the grader has changed its files."""


@dataclass(frozen=True)
class Submission:
    """A notebook that a student handed in."""

    student: str
    file: str
    path: Path


def submissions(folder: Path) -> list[Submission]:
    """List the notebooks below a folder, in order.

    ``ada.ipynb``, ``ada/rope.ipynb`` and ``ada/rope/rope.ipynb`` are Ada's, and so is
    all in ``ada_123_assignsubmission_file``: Moodle calls folders so, with another
    number in each assignment.

    Raises
    ------
    ValueError
        If there is none, or if two students have the same name.
    """
    found = [
        path
        for path in sorted(folder.rglob("*.ipynb"))
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    if not found:
        msg = (
            f"folder must hold notebooks, got {str(folder)!r} without any; put each "
            "at <student>.ipynb or <student>/<name>.ipynb"
        )
        raise ValueError(msg)
    listed, places = list[Submission](), dict[str, tuple[str, str]]()
    for path in found:
        file = path.relative_to(folder)
        place = file.parts[0].removesuffix(".ipynb")
        moodle = _MOODLE.fullmatch(place)
        student, own = (moodle["student"], moodle["own"]) if moodle else (place, place)
        first, there = places.setdefault(student, (own, file.parts[0]))
        if first != own:
            msg = (
                f"each student must have a name of their own, got {student!r} for "
                f"{there} and {file.parts[0]} in {str(folder)!r}. If they are two "
                f"people, replace {student!r} by another name in one, in every "
                "assignment and in roster.csv; if one, put all into one folder"
            )
            raise ValueError(msg)
        listed.append(Submission(student, file.as_posix(), path))
    return listed


#: Moodle's prefix for the work of a student: a folder, or the name of a file.
_MOODLE = re.compile(r"(?P<own>(?P<student>.+?)_\d+)_assignsubmission_file(_.*)?")


def grade_folder(
    folder: Path,
    out: Path,
    *,
    exercises: Sequence[str] = (),
    limits: Limits | None = None,
    jobs: int | None = None,
    pages: Path | None = None,
    executor: Executor | None = None,
    report: Callable[[str], object] = print,
) -> None:
    """Grade all notebooks of a folder, and go on where an earlier run stopped.

    Parameters
    ----------
    folder : Path
        Of the notebooks: see `submissions`.
    out : Path
        Table of the notebooks, as CSV. That of the exercises lies beside it, with
        ``-exercises`` in its name. Both are written anew after each notebook.
    exercises : sequence of str, optional
        Those that count; if left out, each notebook's own.
    limits : Limits, optional
        Seconds.
    jobs : int, optional
        Notebooks at a time; as many as there are processors, if left out.
    pages : Path, optional
        A folder for a page of feedback for each notebook. Notebooks that have none
        there, or one with other grades than the tables, are graded again.
    executor : concurrent.futures.Executor, optional
        What grades instead of this machine, such as that of a Dask cluster whose
        workers have this version of posenc and IPython.
    report : function
        Called with a line of text for each notebook.

    Raises
    ------
    ValueError
        If there is no notebook, or `out` is not a table of ours, or of another folder.
    TamperedError
        If something else has changed the tables, or posenc, meanwhile.
    """
    todo = submissions(folder)
    tables = Tables(out)
    forbidden = _kept_from_submissions([folder, *([pages] if pages else [])], tables)
    tables.refuse_others(todo)
    before = fingerprint()
    if not is_available():
        report(NO_LANDLOCK)
    waiting = [one for one in todo if not _is_done(one, tables, list(exercises), pages)]
    if len(waiting) < len(todo):
        report(
            f"{len(todo) - len(waiting)} of {len(todo)} notebooks are graded already."
        )

    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        workers = executor or pool
        running: dict[Future[tuple[Grades, str]], tuple[Submission, str]] = {}
        try:
            for one in waiting:
                try:
                    content = one.path.read_bytes()
                except OSError as error:  # a folder of that name, or no right to read
                    future, sha256 = pool.submit(_ungraded, error), ""
                else:
                    asked = (content, exercises, limits, forbidden)
                    future = workers.submit(_graded, *asked)
                    sha256 = hashlib.sha256(content).hexdigest()
                running[future] = one, sha256
            graded_ones = enumerate(in_turn(running), 1)
            for done, ((submission, sha256), (grades, after)) in graded_ones:
                if after != before:
                    msg = (
                        f"the files of posenc have changed while {submission.file} was "
                        "graded, or another version has graded it: install it anew, "
                        "and grade the last notebooks again"
                    )
                    raise TamperedError(msg)
                tables.add(submission, sha256, grades)
                if pages is not None:
                    stamp = tables.stamp(submission.file)
                    _write_page(pages, submission, grades, stamp)
                count = f"[{done}/{len(waiting)}]"
                report(f"{count} {submission.file}: {_summary(grades)}")
        finally:
            for future in running:
                future.cancel()
            end_all()  # of notebooks that an interrupt has stopped
    for words in tables.unusual():
        report(words)


def _graded(
    content: bytes,
    exercises: Sequence[str],
    limits: Limits | None,
    forbidden: Sequence[str],
) -> tuple[Grades, str]:
    """Return a notebook's grades, and the digest of the code that graded it."""
    try:
        grades = graded(content_of(content), exercises, limits, forbidden)
    except Exception as error:  # one notebook must not stop the others
        return _ungraded(error)
    return grades, fingerprint()


def _ungraded(error: Exception) -> tuple[Grades, str]:
    return Grades([], errors=[f"{_FAILED}: {error}"]), fingerprint()


def _kept_from_submissions(folders: Sequence[Path], tables: "Tables") -> list[str]:
    """List places that no submission may open: other submissions, pages and tables.

    Raises
    ------
    ValueError
        If Python, posenc or temporary files, which it needs, lie in one of the folders.
    """
    needed = [Path(sys.prefix), PACKAGE, Path(tempfile.gettempdir())]
    for folder in folders:
        for place in needed:
            if place.resolve().is_relative_to(folder.resolve()):
                msg = (
                    "the folders of notebooks and of pages must hold nothing else, got "
                    f"{str(folder)!r}, which holds {place}: take one of its own"
                )
                raise ValueError(msg)
    return [str(p.resolve()) for p in (*folders, tables.out, tables.details)]


class Tables:
    """Keeps the two tables in memory and on disk.

    Parameters
    ----------
    out : Path
        See `grade_folder`.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.details = out.with_name(f"{out.stem}-exercises{out.suffix}")
        self.rows = list(_read(self.out, COLUMNS))
        self._exercises = list(_read(self.details, DETAILS))
        self._written = self._on_disk()

    def exercises_of(self, file: str) -> list[str]:
        """Return exercises for which a notebook has been graded."""
        return [row["exercise"] for row in self._exercises if row["file"] == file]

    def stamp(self, file: str) -> str:
        """Return a line for a notebook's page: a digest of these tables' rows about it.

        A page without it shows older grades.
        """
        rows = [row for row in (*self.rows, *self._exercises) if row["file"] == file]
        values = [[_harmless(value) for value in row.values()] for row in rows]
        return f"<!-- {hashlib.sha256(json.dumps(values).encode()).hexdigest()} -->"

    def refuse_others(self, todo: Sequence[Submission]) -> None:
        """Raise an error if the tables have notebooks that are not to be graded.

        Raises
        ------
        ValueError
            If there is one.
        """
        there = {submission.file for submission in todo}
        gone = [row["file"] for row in self.rows if row["file"] not in there]
        if gone:
            msg = (
                f"out must be a table of the notebooks in this folder, but {self.out} "
                f"has {', '.join(gone[:5])}, which {'are' if gone[1:] else 'is'} not "
                "there: name another file, or put the notebooks back"
            )
            raise ValueError(msg)

    def unusual(self) -> Iterator[str]:
        """Yield sentences on notebooks with other exercises than most of their kind.

        Of one kind are notebooks of the same name in folders of several students, and
        those without a folder.
        """
        kinds: dict[str, list[str]] = {}
        for row in self.rows:
            folder, _, name = row["file"].rpartition("/")
            kinds.setdefault(name if folder else "", []).append(row["file"])
        for files in kinds.values():
            held = {file: self.exercises_of(file) for file in files}
            counts = Counter(name for some in held.values() for name in some)
            for file, some in held.items():
                usual = [n for n in counts if 2 * counts[n] > len(files)]
                missing = [n for n in usual if n not in some]
                added = [n for n in some if n not in usual]
                if some and missing:
                    yield _LACKS.format(file, ", ".join(missing))
                if usual and added:
                    yield _ADDS.format(file, ", ".join(added))

    def add(self, submission: Submission, sha256: str, grades: Grades) -> None:
        """Put a notebook's grades in place of earlier ones, and write both tables."""
        if self._on_disk() != self._written:
            msg = (
                f"{self.out} has been changed by something else while notebooks were "
                "graded: put it aside, and grade all of them again"
            )
            raise TamperedError(msg)
        row = {
            "student": submission.student,
            "file": submission.file,
            "points": str(grades.points) if grades.grades else "",
            "of": str(grades.of) if grades.grades else "",
            "passed": _listed(
                m.exercise for m in grades.grades if m.status == "passed"
            ),
            "not passed": _listed(
                f"{m.exercise} ({m.status})"
                for m in grades.grades
                if m.status != "passed"
            ),
            "suspicious cells": _listed(grades.suspicious),
            "errors": _listed(grades.errors),
            "seconds": f"{grades.seconds:g}",
            "sha256": sha256,
            "posenc": __version__,
        }
        new = [
            {
                "student": submission.student,
                "file": submission.file,
                "exercise": grade.exercise,
                "points": str(grade.points),
                "of": str(grade.of),
                "status": grade.status,
                "diagnosis": _diagnosis(grade),
                "seed": "" if grade.seed is None else str(grade.seed),
                "cell": str(grade.cell or ""),
            }
            for grade in grades.grades
        ]
        kept = [r for r in self.rows if r["file"] != submission.file]
        details = [r for r in self._exercises if r["file"] != submission.file]
        self.rows = sorted([*kept, row], key=_place)
        self._exercises = sorted([*details, *new], key=_place)
        _write(self.out, COLUMNS, self.rows)
        _write(self.details, DETAILS, self._exercises)
        self._written = self._on_disk()

    def _on_disk(self) -> list[bytes]:
        return [p.read_bytes() for p in (self.out, self.details) if p.exists()]


#: Begins the error of a notebook that has no grades: it is tried again.
_FAILED = "It could not be graded"
_LACKS = (
    "Look at {}: it lacks {}, which most of the others have. If they were given out "
    "with it, grade them again with --exercises and all names."
)
_ADDS = (
    "Look at {}: it adds {}, which most of the others do not have. Grade them again "
    "with --exercises, and only the names that count."
)


def _is_done(
    submission: Submission, tables: Tables, exercises: list[str], pages: Path | None
) -> bool:
    """Return True if tables and page hold what grading the notebook would give."""
    rows = [row for row in tables.rows if row["file"] == submission.file]
    if not rows or rows[0]["errors"].startswith(_FAILED):
        return False
    if (rows[0]["sha256"], rows[0]["posenc"]) != (_hash(submission), __version__):
        return False
    if pages is not None:
        page = _page(pages, submission)
        if not page.exists() or tables.stamp(submission.file) not in page.read_text(
            "utf-8"
        ):
            return False
    wanted = exercises or [*read(submission.path).exercises]
    return tables.exercises_of(submission.file) == wanted


def fingerprint() -> str:
    """Return the SHA-256 of posenc's sources."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _summary(grades: Grades) -> str:
    """Return a notebook's points, and reasons to look at it."""
    odd = "; ".join([*grades.errors, *grades.suspicious])
    if not grades.grades:
        return odd or "no exercise was found"
    points = f"{grades.points} of {grades.of} points, {grades.seconds:g} s"
    return f"{points}; look at it: {odd}" if odd else points


def _diagnosis(grade: Grade) -> str:
    return " ".join(filter(None, [grade.problem, grade.example, *grade.mistakes]))


def _listed(parts: Iterable[str]) -> str:
    return "; ".join(" ".join(part.split()) for part in parts)


def _place(row: dict[str, str]) -> tuple[str, str]:
    """Return the key that tables are sorted by."""
    return plain_letters(row["file"]), row["file"]


def _hash(submission: Submission) -> str:
    """Return the digest of the file as it is now, or nothing if it cannot be read."""
    try:
        return hashlib.sha256(submission.path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _read(path: Path, columns: Sequence[str]) -> Iterator[dict[str, str]]:
    if not path.exists():
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != tuple(columns):
            msg = (
                f"out must be a table of marks or a new file, got {str(path)!r} with "
                f"columns {reader.fieldnames}; name another file"
            )
            raise ValueError(msg)
        yield from reader


def _write(path: Path, columns: Sequence[str], rows: list[dict[str, str]]) -> None:
    """Write a table atomically; escape formulas."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _harmless(value) for key, value in row.items()})
    new = path.with_name(f"{path.name}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    new.write_text(text.getvalue(), encoding="utf-8-sig", newline="")
    new.replace(path)


def _harmless(value: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _page(folder: Path, submission: Submission) -> Path:
    return folder / Path(submission.file).with_suffix(".html")


def _write_page(
    folder: Path, submission: Submission, grades: Grades, stamp: str
) -> None:
    path = _page(folder, submission)
    path.parent.mkdir(parents=True, exist_ok=True)
    title = f"{folder.name}: {submission.file.removesuffix('.ipynb')}"
    path.write_text(f"{render(title, grades)}{stamp}\n", encoding="utf-8")
